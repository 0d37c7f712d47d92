// Command rove gives a language model, or a tester, a real browser.
package main

import (
	"os"

	"rove/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
