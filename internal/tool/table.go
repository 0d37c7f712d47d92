package tool

import "slices"

// The sets of tools.
const (
	agent   = "agent"   // the five verbs
	browser = "browser" // building and testing web applications
	browse  = "browse"  // perceiving and acting as a person does
)

// table has every tool, set by set.
var table = slices.Concat(agentTools, browserTools, browserConsoleTools, browserNetworkTools, browserPWATools, browseTools)

// agentTools are the verbs. The words are what a model pays for in every
// conversation, and all it knows before its first answer: see TestDefinitionsAreCheap.
var agentTools = []*Tool{
	row(agent, "look", true, "See the page; e3 is a ref. find: text or /regex/. budget: tokens, 0 all. since: last, only changes.", look),
	row(agent, "act", false, "Act on ref (e3, #css, //xpath, {button}Save, _page) and see what changed. op: click input (sets text) type clear press check select upload drag hover scroll back dialog tab, or as shown. steps: many at once, e.g. a form.", act),
	row(agent, "go", false, "Open a URL and see the page.", visit),
	row(agent, "wait", false, "Wait for e5, !e5 (gone), text:X, gone:X, url:X, request:X, idle, load, ms or a JS condition.", wait),
	row(agent, "eval", false, "Run JavaScript in the page.", eval),
}
