package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rove/internal/daemon"
	"rove/internal/session"
	"rove/internal/tool"
)

// callFlags are the flags of every command that calls a tool.
type callFlags struct {
	launchFlags
	session  string
	noDaemon bool
}

// callTimeout bounds a call that does not say. It is more than any verb takes by
// itself, so that its own answer comes first; fetching a browser may take long.
const callTimeout = 5 * time.Minute

func (f *callFlags) register(c *cobra.Command, timeout time.Duration) {
	f.launchFlags.register(c, timeout)
	f.registerJSON(c)
	c.Flags().StringVar(&f.session, "session", os.Getenv("ROVE_SESSION"), "`NAME` of the session, a browser of its own with its own pages and cookies (default \"default\", or ROVE_SESSION)")
	c.Flags().Lookup("session").DefValue = ""
	c.Flags().BoolVar(&f.noDaemon, "no-daemon", false, "do it in this process, in a browser that ends with it")
	_ = c.RegisterFlagCompletionFunc("session", completeSessions)
}

// caller calls tools on one session, and is closed after the last call.
type caller interface {
	call(ctx context.Context, name string, input map[string]any) (*daemon.Answer, error)
	close() error
}

func (f *callFlags) caller(c *cobra.Command) (caller, error) {
	if f.noDaemon {
		opts, err := f.options(c.ErrOrStderr())
		if err != nil {
			return nil, err
		}
		opts.Dial = nil
		m := session.NewManager(session.Options{Browser: opts})
		return &local{m, m.Conversation(cmp.Or(f.session, daemon.DefaultSession)), f.json}, nil
	}
	launch, err := f.launch(c)
	if err != nil {
		return nil, err
	}
	client, err := newClient(c)
	if err != nil {
		return nil, err
	}
	return &remote{client, cmp.Or(f.session, daemon.DefaultSession), launch, f.json}, nil
}

// remote calls the daemon.
type remote struct {
	client  *daemon.Client
	session string
	launch  daemon.Launch
	data    bool
}

func (r *remote) call(ctx context.Context, name string, input map[string]any) (*daemon.Answer, error) {
	raw, err := json.Marshal(input)
	if err != nil {
		return nil, err
	}
	return r.client.Call(ctx, daemon.Request{Session: r.session, Launch: r.launch, Tool: name, Input: raw, Data: r.data})
}

func (r *remote) close() error { return nil }

// local calls in this process.
type local struct {
	manager *session.Manager
	talk    *session.Conversation
	data    bool
}

func (l *local) call(ctx context.Context, name string, input map[string]any) (*daemon.Answer, error) {
	raw, err := json.Marshal(input)
	if err != nil {
		return nil, err
	}
	t, err := tool.Find(name)
	if err != nil {
		return nil, err
	}
	call, err := t.Prepare(l.talk, raw, tool.Defaults{})
	if err != nil {
		return nil, err
	}
	out, err := call.Run(ctx)
	return daemon.NewAnswer(out, err, l.data), err
}

func (l *local) close() error { return l.manager.Close() }

// one is a single call.
type one struct {
	tool    string
	input   map[string]any
	picture string // the file for a picture, where the answer has one; "" chooses a name
	silent  bool   // its answer is not to be seen unless it fails
	pointed bool   // a picture in its answer is in a file that the answer names
}

// bound ends a call after its time. What nobody asked for is no deadline to those who do
// the call: a verb has bounds of its own, which are shorter, and say what was waited for.
func (f *callFlags) bound(c *cobra.Command) (context.Context, context.CancelFunc) {
	ctx := c.Context()
	if f.timeout <= 0 {
		return context.WithCancel(ctx)
	}
	if c.Flags().Changed("timeout") {
		return context.WithTimeout(ctx, f.timeout)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(f.timeout, func() { cancel(context.DeadlineExceeded) })
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}

// run makes calls in order and prints the answers, up to the first that fails.
func (f *callFlags) run(c *cobra.Command, calls ...one) (err error) {
	ctx, cancel := f.bound(c)
	defer cancel()
	caller, err := f.caller(c)
	if err != nil {
		return err
	}
	ctx = asked(ctx, c)
	defer func() { err = cmp.Or(err, caller.close()) }()
	for _, call := range calls {
		a, err := caller.call(ctx, call.tool, call.input)
		if a != nil && call.pointed && (!f.noDaemon || f.rules.output != "") {
			a.Images = nil // the file stays for as long as the session, or longer
		}
		if err != nil || !call.silent {
			if err := f.print(c, a, err, call.picture); err != nil {
				return err
			}
		}
	}
	return nil
}

// print writes an answer in the form asked for, and gives the error on. A
// failure that shows what was done and what the page looks like says already
// what went wrong.
func (f *callFlags) print(c *cobra.Command, a *daemon.Answer, failed error, picture string) error {
	w := c.OutOrStdout()
	if a == nil {
		a = new(daemon.Answer)
	}
	saved, err := savePictures(a.Images, picture)
	if err != nil {
		return cmp.Or(failed, err)
	}
	switch {
	case f.json && len(a.Data) > 0:
		_, err = fmt.Fprintf(w, "%s\n", a.Data)
	case f.json && failed != nil:
		err = printJSON(w, tool.NewFailure(failed))
	case f.json:
		err = printJSON(w, map[string]any{"ok": true, "text": a.Text})
	case a.Text != "":
		text := strings.TrimRight(a.Text, "\n")
		if failed != nil && strings.HasPrefix(text, "failed wait ") {
			// Why goes where programs look for it; what the page looks like is the answer.
			var why string
			why, text, _ = strings.Cut(text, "\n")
			fmt.Fprintln(c.ErrOrStderr(), why)
		}
		if text != "" {
			_, err = fmt.Fprintln(w, text)
		}
	}
	if f.json {
		w = c.ErrOrStderr()
	}
	for _, name := range saved {
		fmt.Fprintln(w, "saved", name)
	}
	if failed != nil && (f.json || a.Text != "") {
		failed = &toldError{failed}
	}
	return cmp.Or(failed, err)
}

// savePictures writes pictures to files: the first to the one given, or all to
// new ones in the current directory.
func savePictures(images []tool.Image, name string) (saved []string, err error) {
	for i, img := range images {
		to := name
		if to == "" || i > 0 {
			f, err := os.CreateTemp(".", "rove-*."+strings.TrimPrefix(img.Type, "image/"))
			if err != nil {
				return saved, err
			}
			to = f.Name()
			if err := f.Close(); err != nil {
				return saved, err
			}
		}
		if err := os.WriteFile(to, img.Data, 0o600); err != nil {
			return saved, err
		}
		saved = append(saved, to)
	}
	return saved, nil
}

// readAll gives what an argument stands for: "-" is standard input, "" nothing.
func readAll(c *cobra.Command, arg string) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	text, err := io.ReadAll(io.LimitReader(c.InOrStdin(), inputLimit))
	if err != nil {
		return "", fmt.Errorf("standard input: %w", err)
	}
	return string(text), nil
}

const inputLimit = 8 << 20
