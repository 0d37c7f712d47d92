// Package network is what a browser context loads.
package network
