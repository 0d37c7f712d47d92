// Package feature runs Karate features and JavaScript tests: the tester's door.
//
// Run takes a folder of .feature files with their karate-config.js as they are;
// Test does so within go test, every scenario a subtest.
//
// A suite (suite.go) finds the files (find.go), chooses scenarios (choose.go) and
// lets workers run them. A scenario (scenario.go) runs its steps (step.go): each is
// a keyword, one row of a table (keywords.go and the files beside it), or
// JavaScript. What scripts call on karate are rows of a table, too (karate.go).
// Browser and HTTP are extensions of a scenario (extension.go).
package feature
