package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

func autocomplete(p *page) {
	q := p.quoted()
	field := p.fields()[0].ref
	p.act(field, "input", q[0])
	p.choose(func(name string) bool {
		return strings.HasPrefix(name, q[0]) && (len(q) < 2 || strings.HasSuffix(name, q[1]))
	})
	p.submit()
}

// choose waits for suggestions and clicks the one that fits.
func (p *page) choose(fits func(string) bool) {
	p.wait(".ui-menu-item")
	p.look()
	list := p.all("", func(l line) bool {
		return l.role != "textbox" && l.role != "button" && l.role != "text" && fits(l.name)
	})
	if len(list) == 0 {
		p.fail("no suggestion fits in\n%s", p.view)
	}
	p.act(list[0].ref, "click")
}

var months = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

// pick turns the pages of a calendar to the month and clicks the day.
func (p *page) pick(field, date string) {
	m := regexp.MustCompile(`(\d\d)/(\d\d)/\d{4}`).FindStringSubmatch(date)
	month, day := number(m[1]), strconv.Itoa(number(m[2]))
	p.act(field, "click")
	for range 12 {
		p.look()
		shown := 1 + slices.IndexFunc(months, func(name string) bool {
			return regexp.MustCompile(name + `\W+2016`).MatchString(p.view)
		})
		switch {
		case shown == 0:
			p.fail("no month in\n%s", p.view)
		case shown < month:
			p.click("Next")
		case shown > month:
			p.click("Prev")
		default:
			p.act(p.one("link|clickable|cell|button", day), "click")
			return
		}
	}
	p.fail("a year has no month %d", month)
}

func chooseDate(p *page) {
	p.pick(p.fields()[0].ref, p.asked(`\d\d/\d\d/\d{4}`)[0])
	p.submit()
}

func bookFlight(p *page) {
	m := p.asked(`Book the (\w+) one-way flight from: (.*) to: (.*) on (\d\d/\d\d/\d{4})`)
	f := p.fields()
	for i, place := range m[2:4] {
		p.act(f[i].ref, "input", place)
		p.choose(func(name string) bool { return strings.Contains(name, place) })
	}
	p.pick(f[2].ref, m[4])
	p.click("Search")
	p.look()
	p.buy(m[1])
}

func buyTicket(p *page) {
	p.buy(p.asked(`with the (\w+(?: \w+)?)`)[1])
}

var (
	duration = regexp.MustCompile(`(\d+)h (\d+)m`)
	price    = regexp.MustCompile(`^Book (?:flight )?for \$(\d+)`)
)

// buy takes the ticket that is the shortest, longest, cheapest or most expensive.
func (p *page) buy(which string) {
	best, ref, minutes := 0, "", 0
	for _, l := range p.lines {
		if m := duration.FindStringSubmatch(l.raw); m != nil {
			minutes = number(m[1])*60 + number(m[2])
		}
		m := price.FindStringSubmatch(l.name)
		if m == nil {
			continue
		}
		n := minutes
		if strings.Contains(which, "cheap") || strings.Contains(which, "expensive") {
			n = number(m[1])
		}
		if strings.Contains(which, "longest") || strings.Contains(which, "most expensive") {
			n = -n
		}
		if ref == "" || n < best {
			best, ref = n, l.ref
		}
	}
	p.act(ref, "click")
}

// calendar draws an event over free half hours. That an event covers them is seen
// by its place alone.
func calendar(p *page) {
	m := p.asked(`Create an? (.*?) event named "(.*)", between (\d+)(AM|PM)`)
	halves := map[string]int{"30 mins": 1, "0.5 hours": 1, "60 mins": 2, "1 hour": 2, "90 mins": 3, "1.5 hours": 3}[m[1]]
	start := number(m[3]) % 12 * 2
	if m[4] == "PM" {
		start += 24
	}
	var taken []int
	p.see(`[...document.querySelectorAll('.event')].flatMap((e) => {
		const r = e.getBoundingClientRect();
		return [...document.querySelectorAll('.half-hour')].filter((h) => {
			const q = h.getBoundingClientRect();
			return q.top < r.bottom - 2 && q.bottom > r.top + 2;
		}).map((h) => Number(h.id.slice(3)));
	})`, &taken)
	free := func(at int) bool {
		return !slices.ContainsFunc(taken, func(t int) bool { return t >= at && t < at+halves })
	}
	for !free(start) {
		start++
	}
	half := func(i int) string { return fmt.Sprintf("#hh-%d", i) } // as the view calls them
	if halves == 0 {
		p.fail("how long is %q?", m[1])
	}
	p.act(half(start), "drag", half(start+halves-1))
	p.look()
	p.act(p.fields()[0].ref, "input", m[2])
	p.click("Create")
}

// stockMarket waits for a price: an expression, as a text alone says nothing of
// less. The price changes ten times a second, by up to 1.50: one that is still low
// enough after the next change is the better one, if it comes.
func stockMarket(p *page) {
	p.byEval = true // the price, in the condition
	price := "parseFloat(document.querySelector('#stock-price').textContent.slice(1)) < " + p.asked(`less than \$(\d+\.?\d*)`)[1]
	if p.waitFor(price+" - 1.5", 6*time.Second) != nil {
		p.wait(price)
	}
	p.click("Buy")
}
