package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// contender is one implementation, ready to be started.
type contender struct {
	name, version string
	start         func(context.Context) (browser, error)
}

// browser is a running implementation, spoken to as a model would speak to it.
// Every answer is what the model would read.
type browser interface {
	// definitions is what a model is shown before it begins: the tools.
	definitions() string
	// open goes to a page. If the answer does not show it, shows is false.
	open(ctx context.Context, url string) (answer exchange, shows bool, err error)
	look(ctx context.Context) (exchange, error)
	eval(ctx context.Context, js string) (exchange, error)
	// do does steps on elements that the last view showed, in as few calls as it
	// takes, and gives all that was said.
	do(ctx context.Context, view string, steps ...step) ([]exchange, error)
	// memory is what its own processes have, the browser's left out, in bytes.
	memory() int
	close() error
}

// exchange is one call: what the model writes, and what it reads.
type exchange struct{ asked, answered string }

// step is something to be done to an element that is named by role and name.
type step struct {
	kind       string // fill, check, select, click, submit (fill and Enter)
	role, name string
	value      string
}

// refIn finds the element of a step in a view by a pattern of the view's lines,
// in which %s stands for role and name.
func refIn(view, pattern string, s step) (string, error) {
	p := strings.Replace(pattern, "ROLE", regexp.QuoteMeta(s.role), 1)
	p = strings.Replace(p, "NAME", regexp.QuoteMeta(s.name), 1)
	re, err := regexp.Compile(p)
	if err != nil {
		return "", err
	}
	m := re.FindStringSubmatch(view)
	if m == nil {
		return "", fmt.Errorf("no %s %q in the view:\n%.2000s", s.role, s.name, view)
	}
	return m[1], nil
}
