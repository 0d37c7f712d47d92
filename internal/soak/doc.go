// Package soak drives rove for long: many sessions in one process, with random calls
// of every tool of the table, sensible and senseless ones, while browsers are killed,
// calls cancelled and conversations closed; and looks at every answer, at what crosses
// over between sessions, and at what grows.
//
//	make soak MINUTES=10 SEED=42
//
// It is a test, so that a short run of it is part of every other run of tests. Calls
// are made up from the schemas in the table: a tool that is added is soaked as well.
package soak
