package main

import (
	"bytes"
	"os"
	"testing"
)

// The bundle is committed, so that rove builds without a build step. It must be
// what the sources give.
func TestBundleIsUpToDate(t *testing.T) {
	want, err := bundle("../src")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../bundle.js")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatal("bundle.js is not what src gives: run go generate ./internal/inject")
	}
}
