package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"rove/feature"
)

// lines writes whole lines for several goroutines.
type lines struct {
	mu  sync.Mutex
	out io.Writer
}

func (l *lines) print(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.out, format+"\n", args...)
}

func newMockCommand() *cobra.Command {
	var opts feature.MockOptions
	var port int
	var host string
	var defines []string
	var quiet bool
	c := &cobra.Command{
		Use:   "mock -m FILE.feature",
		Short: "Serve a feature as a mock of an API",
		Long: `Serves features whose scenarios answer requests. The name of a scenario is the
condition, such as pathMatches('/cats/{id}') && methodIs('get'); what it sets as
response, responseStatus and responseHeaders is the answer. Of several features
the first that has a scenario for a request answers it.

It runs until Ctrl-C, and listens for this machine alone unless --host says more.`,
		Example: "  rove mock -m cats.feature -p 8080\n  rove mock -m cats.feature -m rest.feature --prefix /api --watch\n  rove mock -m cats.feature --ssl -D start=7",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return &usageError{fmt.Errorf("mock takes features with -m: rove mock -m %s", args[0])}
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			if len(opts.Features) == 0 {
				return &usageError{errors.New("name a feature to play: rove mock -m FILE.feature")}
			}
			if port < 0 || port > 65535 {
				return &usageError{fmt.Errorf("%d is no port", port)}
			}
			given, err := readDefines(defines)
			if err != nil {
				return &usageError{err}
			}
			opts.Variables = map[string]any{}
			for name, value := range given {
				opts.Variables[name] = value
			}
			opts.Address = net.JoinHostPort(host, strconv.Itoa(port))
			out := &lines{out: c.OutOrStdout()}
			told := &lines{out: c.ErrOrStderr()}
			opts.Log = func(text string) { told.print("%s", text) }
			if !quiet {
				opts.Served = func(a feature.MockAnswer) {
					out.print("%s %s %d %d ms", a.Method, printable(a.Path), a.Status, a.Time.Milliseconds())
				}
			}
			m, err := feature.StartMock(c.Context(), opts)
			if err != nil {
				return err
			}
			out.print("the mock listens at %s", m.URL())
			<-c.Context().Done()
			ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Context()), time.Second)
			defer cancel()
			m.Stop(ctx)
			return nil
		},
	}
	f := c.Flags()
	f.StringArrayVarP(&opts.Features, "mock", "m", nil, "a feature to play; several are asked one after the other")
	f.IntVarP(&port, "port", "p", 0, "the port (default: a free one)")
	f.StringVar(&host, "host", "127.0.0.1", "the address to listen at; 0.0.0.0 lets other machines in")
	f.BoolVar(&opts.TLS, "ssl", false, "serve HTTPS, with a certificate made on the spot")
	f.StringVar(&opts.Certificate, "cert", "", "file of the certificate (PEM), for HTTPS")
	f.StringVar(&opts.Key, "key", "", "file of the certificate's key (PEM)")
	f.StringVar(&opts.Prefix, "prefix", "", "taken away from paths, such as /api")
	f.BoolVar(&opts.Watch, "watch", false, "play a feature anew when a file changes")
	f.StringArrayVarP(&defines, "define", "D", nil, "a variable, name=value, for the background")
	f.StringArrayVar(&opts.Classpath, "classpath", nil, "a folder that classpath: means")
	f.BoolVarP(&quiet, "quiet", "q", false, "print no line for each request")
	return c
}

// printable keeps what a stranger sent from moving the cursor.
func printable(path string) string {
	quoted := strconv.Quote(path)
	return quoted[1 : len(quoted)-1]
}
