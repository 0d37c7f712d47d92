package tool

import (
	"context"
	"fmt"
	"strings"

	"rove"
)

// browserConsoleTools tell what pages, frames and workers write to their consoles.
// What they wrote is shown as it is.
var browserConsoleTools = []*Tool{
	row(browser, "browser_recent_console_logs", true, "Read what the page, its frames and workers wrote to the console, newest first, and what the browser said: uncaught exceptions, failed requests, blocked content. level: error, warn, info, log, debug, or exception, network, … context: page, frame, worker, shared_worker, service_worker, or a part of an address.", consoleLogs),
	row(browser, "browser_clear_console_logs", false, "Forget what was written to the console so far.", clearConsole).gentle().local(),
}

type consoleParams struct {
	Limit   *int   `json:"limit,omitempty" about:"how many at most; 100 unless told"`
	Level   string `json:"level,omitempty" about:"error, warn, info, log or debug; or a kind: exception, rejection, assert, trace, table, group, network, security, deprecation, …"`
	Context string `json:"context,omitempty" about:"page, frame, worker, shared_worker or service_worker; or a part of an address"`
	Where
}

// consoleAnswer is the data of the answer: the entries, or the file they are in.
type consoleAnswer struct {
	Count   int                 `json:"count"`
	All     int                 `json:"all"`
	Dropped int                 `json:"dropped,omitempty"`
	Entries []rove.ConsoleEntry `json:"entries,omitempty"`
	File    string              `json:"file,omitempty"`
	Size    int64               `json:"size,omitempty"`
}

const (
	consoleLimit = 100 // entries, unless told
	inlineEntry  = 500 // bytes of an entry in an answer
)

func consoleLogs(ctx context.Context, c *Context, in consoleParams) (Output, error) {
	const name = "browser_recent_console_logs"
	f := rove.ConsoleFilter{Limit: consoleLimit, Level: in.Level, Context: in.Context}
	if in.Limit != nil {
		if f.Limit = *in.Limit; f.Limit < 1 {
			return Output{}, invalid(name, "limit takes how many: 1 or more, not %d", f.Limit)
		}
	}
	if err := f.Check(); err != nil {
		return Output{}, invalid(name, "%v", err)
	}
	s, log, err := consoleOf(ctx, c, name)
	if err != nil {
		return Output{}, err
	}
	most := f.Limit
	f.Limit = 0
	all, err := log.Entries(ctx, f)
	if err != nil {
		return Output{}, err
	}
	r := *all
	r.Entries = all.Entries[:min(most, len(all.Entries))]
	answer := consoleAnswer{Count: len(r.Entries), All: r.All, Dropped: r.Dropped}
	lines := r.Lines()
	fits := len(r.Text()) < inlineLimit
	// Who said how many has asked for no more of those that are short enough.
	cut := in.Limit == nil && len(r.Entries) < len(all.Entries)
	text := ""
	for i, line := range lines {
		short := shorten(line, inlineEntry)
		if !fits && len(text)+len(short) > preview && i > 0 {
			text += fmt.Sprintf("… %d more\n", len(lines)-i)
			break
		}
		cut = cut || len(short) < len(line)
		text += short + "\n"
	}
	if fits && !cut {
		answer.Entries = r.Entries
		return Output{Text: r.Summary() + "\n" + text, Data: answer}, nil
	}
	// The file has all that there is, whatever is shown.
	file, err := saveWhole(s, "console.txt", all.Text()+"\n")
	if err != nil {
		return Output{}, err
	}
	answer.File, answer.Size = file.File, file.Size
	if fits {
		answer.Entries = r.Entries
	}
	where := "in full in"
	if len(r.Entries) < len(all.Entries) {
		where = fmt.Sprintf("all %d in full in", len(all.Entries))
	}
	return Output{Text: fmt.Sprintf("%s; %s %s (%d bytes):\n%s", r.Summary(), where, file.File, file.Size, text), Data: answer}, nil
}

// shorten cuts a line to so many bytes, … included.
func shorten(line string, most int) string {
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most-len("…")], "") + "…"
}

// consoleOf is the console of the call's session.
func consoleOf(ctx context.Context, c *Context, name string) (*rove.Session, *rove.Console, error) {
	s, err := c.Session(ctx)
	if err != nil {
		return nil, nil, err
	}
	log := s.Console()
	if log == nil {
		return nil, nil, &rove.Error{Code: rove.CodeUnsupported, Op: name, Message: "this browser does not tell what is written to the console", Hint: "use another browser for that"}
	}
	return s, log, nil
}

type clearConsoleParams struct{ Where }

func clearConsole(ctx context.Context, c *Context, _ clearConsoleParams) (Output, error) {
	_, log, err := consoleOf(ctx, c, "browser_clear_console_logs")
	if err != nil {
		return Output{}, err
	}
	n := log.Clear()
	text := fmt.Sprintf("forgot %d entries\n", n)
	if n == 1 {
		text = "forgot 1 entry\n"
	}
	return Output{Text: text, Data: map[string]int{"cleared": n}}, nil
}
