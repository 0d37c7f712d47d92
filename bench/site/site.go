// Package site serves the pages that are measured on.
package site

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	"rove/internal/demo"
)

// Serve serves the demo site, the generated pages and a few more on loopback.
func Serve() *httptest.Server {
	mux := http.NewServeMux()
	mux.Handle("/", demo.Handler())
	for path, page := range map[string]string{"/verbs": verbs, "/fields": fields} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(page)) // fails only when the browser is gone
		})
	}
	mux.HandleFunc("GET /generated/{n}", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.PathValue("n"))
		if err != nil || n < 1 || n > 1_000_000 {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(generate(n))) // fails only when the browser is gone
	})
	return httptest.NewServer(mux)
}

// verbs reacts to a click at once.
const verbs = `<!doctype html><title>Verbs</title><link rel="icon" href="data:,">
<button onclick="out.textContent = 'clicked ' + (n = (window.n || 0) + 1)">Click me</button><label>Text <input></label><p id=out></p>`

// fields is a form of ten fields of the kinds that everybody can fill in.
const fields = `<!doctype html><title>Ten fields</title><link rel="icon" href="data:,">
<h1>Delivery</h1><form onsubmit="event.preventDefault(); out.textContent = 'Thank you, ' + new FormData(this).get('first')">
<p><label>First name <input name=first></label> <label>Last name <input name=last></label></p>
<p><label>Email <input type=email name=email></label> <label>Phone <input type=tel name=phone></label></p>
<p><label>Street <input name=street></label> <label>Postal code <input name=code></label> <label>City <input name=city></label></p>
<p><label>Country <select name=country><option>Austria<option>Brazil<option>India<option>Kenya</select></label></p>
<p><label>Note <textarea name=note></textarea></label></p>
<p><label><input type=checkbox name=terms> I accept the terms</label></p>
<button>Order</button></form><p id=out role=status></p>`

// generate writes a page of about n elements, never fewer: tables, lists of
// links, cards, forms, prose, clickable spans and a good deal that is hidden,
// in the proportions of an application. It is the same for the same n.
func generate(n int) string {
	g := &generator{rand: rand.New(rand.NewPCG(1, uint64(n)))}
	g.add(`<!doctype html><html lang="en"><head><title>%d elements</title><link rel="icon" href="data:,"><style>%s</style></head><body><main>`, n, generatedStyle)
	blocks := []func(){g.table, g.table, g.list, g.cards, g.form, g.prose, g.soup, g.hidden}
	for i := 0; g.elements < n; i++ {
		g.number++
		g.add(`<section><h2>%s %d</h2>`, g.word(), g.number)
		blocks[i%len(blocks)]()
		g.add(`</section>`)
	}
	g.add(`</main></body></html>`)
	return g.out.String()
}

const generatedStyle = `body{font:14px sans-serif;margin:1rem}table{border-collapse:collapse}td,th{padding:2px 8px;border:1px solid #ccc}` +
	`.cards{display:grid;grid-template-columns:repeat(4,1fr);gap:8px}.card{border:1px solid #ccc;padding:8px}.tag{cursor:pointer;color:#06c}.menu{display:none}.off{visibility:hidden}`

type generator struct {
	out      strings.Builder
	rand     *rand.Rand
	elements int // so far
	number   int // of the section, for names that differ
}

// add writes markup and counts the elements that begin in it.
func (g *generator) add(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	g.elements += strings.Count(s, "<") - strings.Count(s, "</") - strings.Count(s, "<!")
	g.out.WriteString(s)
}

var words = strings.Fields(`account balance budget calendar carrier category channel checkout client comment contract country
	currency customer deadline delivery department discount document draft estimate export filter forecast invoice item ledger license
	location member message meeting notice office order package partner payment period plan policy price product profile project
	quantity quote receipt region report request return revenue review schedule service shipment status stock summary supplier task
	team template ticket total transfer update user vendor version warehouse`)

func (g *generator) word() string { return words[g.rand.IntN(len(words))] }

func (g *generator) words(n int) string {
	s := make([]string, n)
	for i := range s {
		s[i] = g.word()
	}
	return strings.Join(s, " ")
}

func (g *generator) table() {
	g.add(`<table><thead><tr><th>Select</th><th>Name</th><th>Owner</th><th>Amount</th><th>State</th><th>Actions</th></tr></thead><tbody>`)
	for range 10 {
		id := g.rand.IntN(90000) + 10000
		g.add(`<tr><td><input type="checkbox" aria-label="Select %d"></td><td><a href="/r/%d">%s %d</a></td><td>%s</td><td>%d.%02d</td><td><span class="pill">%s</span></td><td><div><button>Edit</button><button>Delete</button></div></td></tr>`,
			id, id, g.word(), id, g.words(2), g.rand.IntN(5000), g.rand.IntN(100), g.word())
	}
	g.add(`</tbody></table>`)
}

func (g *generator) list() {
	g.add(`<nav><ul>`)
	for range 15 {
		g.add(`<li><a href="/l/%d">%s</a></li>`, g.rand.IntN(1000), g.words(2))
	}
	g.add(`</ul></nav>`)
}

func (g *generator) cards() {
	g.add(`<div class="cards">`)
	for range 8 {
		g.add(`<div class="card"><div><div><h3>%s</h3><p>%s <b>%s</b> %s.</p></div><div><button>Open</button><a href="/c">More</a></div></div></div>`,
			g.words(2), g.words(4), g.word(), g.words(3))
	}
	g.add(`</div>`)
}

func (g *generator) form() {
	g.add(`<form><fieldset><legend>%s</legend>`, g.words(2))
	for i := range 6 {
		id := fmt.Sprintf("f%d-%d", g.number, i)
		g.add(`<div><label for="%s">%s</label><input id="%s" type="%s" value="%s"></div>`,
			id, g.words(2), id, []string{"text", "email", "search"}[i%3], g.word())
	}
	g.add(`<label>%s <select><option>%s</option><option>%s</option><option>%s</option></select></label>`, g.word(), g.word(), g.word(), g.word())
	g.add(`<label><input type="radio" name="r%d" checked> %s</label><label><input type="radio" name="r%d"> %s</label>`, g.number, g.word(), g.number, g.word())
	g.add(`<label>%s <textarea></textarea></label><button>Save %s</button><button type="reset" disabled>Reset</button></fieldset></form>`, g.word(), g.word())
}

func (g *generator) prose() {
	for range 8 {
		g.add(`<p>%s <em>%s</em> %s <a href="/p">%s</a> %s <code>%s</code>, %s.</p>`,
			g.words(9), g.word(), g.words(7), g.words(2), g.words(8), g.word(), g.words(5))
	}
}

// soup is what people build of divs and spans.
func (g *generator) soup() {
	g.add(`<div><div><div>`)
	for range 10 {
		g.add(`<div><div><span class="tag" onclick="void 0">%s</span><span>%s</span><div tabindex="0" title="%s"><i></i></div></div></div>`,
			g.words(2), g.words(3), g.words(2))
	}
	g.add(`</div></div></div>`)
}

// hidden is there and must not be seen, in each of the usual ways.
func (g *generator) hidden() {
	for _, how := range []string{`class="menu"`, `hidden`, `class="off"`, `aria-hidden="true" style="display:none"`} {
		g.add(`<div %s><ul>`, how)
		for range 6 {
			g.add(`<li><button>%s</button></li>`, g.words(2))
		}
		g.add(`</ul></div>`)
	}
	g.add(`<details><summary>%s</summary><p>%s</p><button>%s</button></details>`, g.words(2), g.words(12), g.word())
}
