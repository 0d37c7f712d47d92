package main

import (
	"fmt"
	"strings"
)

// page is one page to measure on.
type page struct {
	name string
	path string
	// partial marks a page of which the plain walk sees only a part (frames of
	// other origins, closed roots), so that there is no floor to compare with.
	partial bool
	// large pages get fewer runs.
	large bool
}

var allPages = []page{
	{name: "1k", path: "/generated/1000"},
	{name: "10k", path: "/generated/10000"},
	{name: "100k", path: "/generated/100000", large: true},
	{name: "login", path: "/login"},
	{name: "dashboard", path: "/dashboard"},
	{name: "form", path: "/form"},
	{name: "todo", path: "/todo"},
	{name: "frames", path: "/frames", partial: true},
	{name: "article", path: "/article"},
	{name: "feed", path: "/feed"},
	{name: "list", path: "/list"},
	{name: "board", path: "/board"},
}

// choose picks pages by their names, "" being all of them.
func choose(names string) ([]page, error) {
	if names == "" {
		return allPages, nil
	}
	var chosen []page
	for name := range strings.SplitSeq(names, ",") {
		found := false
		for _, p := range allPages {
			if p.name == strings.TrimSpace(name) {
				chosen, found = append(chosen, p), true
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no page %q; there are: %s", name, pageNames())
		}
	}
	return chosen, nil
}

func pageNames() string {
	names := make([]string, len(allPages))
	for i, p := range allPages {
		names[i] = p.name
	}
	return strings.Join(names, ",")
}
