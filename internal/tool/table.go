package tool

import "slices"

// The sets of tools.
const (
	agent     = "agent"   // the five verbs
	browser   = "browser" // building and testing web applications
	browse    = "browse"  // perceiving and acting as a person does
	recordSet = "record"  // scripts of what was done, and doing it again
)

// table has every tool, set by set.
var table = slices.Concat(agentTools, browserTools, browserConsoleTools, browserNetworkTools, browserPWATools, browseTools, recordTools)
