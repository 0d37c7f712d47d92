package mcp

import (
	"context"
	"fmt"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rove/internal/tool"
)

// handler runs a tool for a client.
func (s *Server) handler(t *tool.Tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.stop, cancel)()

		// Calls take their places in the order in which the client sent them.
		turn := turnOf(req)
		turn.wait(ctx)
		if req.Params.RequestState != "" { // it has its place
			turn.arrive()
			defer report(ctx, req, t.Name)()
			return s.resume(ctx, req), nil
		}
		talk := s.talk(req.Session)
		call, err := t.Prepare(talk.Conversation, req.Params.Arguments, s.opts.Defaults)
		turn.arrive()
		if err != nil {
			return s.result(tool.Output{}, err), nil
		}
		defer report(ctx, req, t.Name)()
		if len(s.opts.Sessions.Browser.Confirm) > 0 && retries(req) {
			return s.hold(ctx, req, talk, call), nil
		}
		return s.result(call.Run(confirmed(ctx, req))), nil
	}
}

// result is a tool's answer as a client gets it.
func (s *Server) result(out tool.Output, err error) *sdk.CallToolResult {
	r := &sdk.CallToolResult{IsError: err != nil}
	text := out.Text
	if text == "" && err != nil {
		text = err.Error()
	}
	r.Content = append(r.Content, &sdk.TextContent{Text: text})
	for _, i := range out.Images {
		r.Content = append(r.Content, &sdk.ImageContent{MIMEType: i.Type, Data: i.Data})
	}
	if !s.opts.Structured {
		return r
	}
	if r.StructuredContent = out.Data; out.Data == nil && err != nil {
		r.StructuredContent = tool.NewFailure(err)
	}
	return r
}

// progressInterval is the time between two reports of progress.
const progressInterval = 2 * time.Second

// report tells a client that asked for it that a long call is still at work. The
// function it returns ends the telling, before the answer goes out.
func report(ctx context.Context, req *sdk.CallToolRequest, name string) (stop func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		begin := time.Now()
		tick := time.NewTicker(progressInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			seconds := time.Since(begin).Round(time.Second).Seconds()
			_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
				ProgressToken: token, Progress: seconds, Message: fmt.Sprintf("%s: at work for %v s", name, seconds),
			})
		}
	})
	return func() {
		cancel()
		done.Wait()
	}
}
