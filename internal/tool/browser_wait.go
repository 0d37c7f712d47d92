package tool

import (
	"context"
	"time"
)

type selectorParams struct {
	selected
	Visible bool `json:"visible,omitempty" about:"and can be seen"`
	patience
	Where
}

func waitForSelector(ctx context.Context, c *Context, in selectorParams) (Output, error) {
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	r, err := s.WaitFor(ctx, in.Selector, in.Visible, in.within(elementTime))
	if err != nil {
		return Output{}, err
	}
	return outputOf(r, nil), nil
}

type conditionParams struct {
	Text    string `json:"text,omitempty" about:"this text is on the page"`
	Gone    string `json:"gone,omitempty" about:"this text is no longer on the page"`
	URL     string `json:"url,omitempty" about:"the page's address has this part"`
	Request string `json:"request,omitempty" about:"a request whose address has this part was answered"`
	State   string `json:"state,omitempty" enum:"load,idle,download" about:"load or idle: the page has come to rest; download: a file has come"`
	patience
	Where
}

func waitFor(ctx context.Context, c *Context, in conditionParams) (Output, error) {
	const name = "browser_wait_for"
	which, err := onlyOne(name, map[string]bool{
		"text": in.Text != "", "gone": in.Gone != "", "url": in.URL != "", "request": in.Request != "", "state": in.State != "",
	}, "text", "gone", "url", "request", "state")
	if err != nil {
		return Output{}, err
	}
	condition := map[string]string{
		"text": "text:" + in.Text, "gone": "gone:" + in.Gone, "url": "url:" + in.URL, "request": "request:" + in.Request, "state": in.State,
	}[which]
	if err := c.nothingYet(ctx, condition); err != nil {
		return Output{}, err
	}
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	r, err := s.Wait(ctx, condition, max(in.within(elementTime), time.Millisecond))
	if r == nil {
		return Output{}, err
	}
	return outputOf(r, &r.Screenshot), err
}
