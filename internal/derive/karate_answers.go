package derive

import (
	"slices"
	"strings"

	"rove/recording"
)

// behind says that a step saves behind the page, which may draw itself anew once it is
// answered: what is typed before that is lost. Karate does not know of requests, but the
// page itself keeps a list of those that were answered.
func behind(do *recording.Do) bool {
	q := do.Saves
	return q != nil && !do.Leads && !do.Asks && do.Op != "dialog" && len(frameOf(do)) == 0 && (strings.EqualFold(q.Type, "xhr") || strings.EqualFold(q.Type, "fetch")) &&
		slices.ContainsFunc(do.Checks, func(c recording.Check) bool { return c.Kind == "status" })
}

// forgets has the page begin its list of answers anew.
const forgets = "performance.clearResourceTimings(); window.actedAt = performance.now()"

// answeredScript says whether what was asked at a path has been answered, and a moment has
// gone by for the page to take it in. What workers ask for is in no list: then 3 s have to do.
const answeredScript = `"(function(p){var b=p.split('/'),at=function(u){var s=new URL(u).pathname;try{s=decodeURIComponent(s)}catch(x){}var a=s.split('/');return a.length==b.length&&b.every(function(o,i){return o.indexOf('*')>=0||o==a[i]})},now=performance.now();` +
	`return now-(window.actedAt||0)>3000||performance.getEntriesByType('resource').some(function(e){return at(e.name)&&e.responseEnd>0&&now-e.responseEnd>50})})(" + JSON.stringify(path) + ")"`

// answered waits for the answer to a request of a step.
func (c *calls) answered(k *recording.Check) {
	_, path, _ := strings.Cut(k.Text, " ")
	c.say("waitUntil(answered(%s))", value(path))
}
