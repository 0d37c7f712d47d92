// Package apitest derives API tests from recorded traffic: HAR entries in, calls
// with variables, schemas and scenarios out, and writers that make features,
// scripts, descriptions and mocks of them.
//
// Derive keeps what is an API call (keep.go), finds which values of answers are
// sent again later (correlate.go), which are secrets (secrets.go) and what answers
// look like (schema.go), and puts calls that need each other into scenarios
// (plan.go). All of that is pure: the same entries give the same texts. Prove
// (prove.go) runs what was derived against the application, and against the
// application with its answers altered.
package apitest
