//go:build !race

package provision

const raced = false
