//go:build linux

// Command karate measures rove beside real Karate on the same features, turn by
// turn, so that a busy moment of the machine is everybody's:
//
//	go run ./karate [-n 5] [-steps 10000] [-api 1000,10000] [-threads 1,8,32] [-ui 200] [-alone]
//
// It needs Java and Maven, and Chromium on the PATH for -ui. What is measured: an
// empty run from the command to its exit, as many match steps in one file, scenarios
// that ask a server on loopback, scenarios in a browser, and the most memory each had
// meanwhile. Beside the API scenarios stands a plain Go client (client.go) that asks as
// often and does with an answer what the scenario does. All are processes of their own,
// measured from the command to its exit; the server is this program, on the same
// processors, and its part is in everybody's time.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	n := flag.Int("n", 5, "how often each is run; the middle one counts")
	var size sizes
	flag.IntVar(&size.steps, "steps", 10_000, "how many match steps")
	flag.Func("api", "how many scenarios that ask a server, such as 1000,10000; 0 is none", numbers(&size.api))
	flag.Func("threads", "how many of them at a time, such as 1,8,32", numbers(&size.threads))
	flag.BoolVar(&size.alone, "alone", false, "without Karate: rove beside the plain client")
	asked := flag.String("client", "", "be the plain client, of the server at this address")
	flag.IntVar(&size.ui, "ui", 200, "how many scenarios in a browser, run once each; 0 is none")
	size.api, size.threads = []int{1000}, []int{8}
	flag.Parse()
	if *asked != "" {
		if err := plain(*asked, size.api[0], size.threads[0]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *n, size); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// sizes say how much is measured.
type sizes struct {
	steps, ui    int
	api, threads []int
	alone        bool
}

// numbers reads a list of them.
func numbers(to *[]int) func(string) error {
	return func(text string) error {
		*to = nil
		for part := range strings.SplitSeq(text, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(part))
			if err != nil || n < 0 {
				return fmt.Errorf("%q is no number", part)
			}
			*to = append(*to, n)
		}
		return nil
	}
}

// row is one thing that is measured, with what rove may need of Karate's.
type row struct {
	name    string
	feature string
	part    float64 // of the time
	memory  float64 // of the memory
	threads int
	once    bool // too long for more
	// floor are the arguments of the plain client that asks as often; nil where there
	// is none.
	floor []string
}

func run(ctx context.Context, n int, size sizes) error {
	dir, err := os.MkdirTemp("", "bench-karate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	rove := filepath.Join(dir, "rove")
	if err := build(ctx, rove); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var karate []string
	if !size.alone {
		if karate, err = fetchKarate(ctx); err != nil {
			return err
		}
	}
	fmt.Printf("%-32s %12s %12s %8s %10s %10s %8s\n", "", "rove", "Karate", "part", "rove", "Karate", "part")
	missed := 0
	server := httptest.NewServer(http.HandlerFunc(site))
	defer server.Close()
	for _, r := range rows(size, server.URL) {
		file := filepath.Join(dir, "x.feature")
		if err := os.WriteFile(file, []byte(r.feature), 0o644); err != nil {
			return err
		}
		var ours, theirs, floor []measure
		times := n
		if r.once {
			times = 1
		}
		threads := fmt.Sprint(max(1, r.threads))
		for range times {
			if r.floor != nil {
				f, err := timed(ctx, dir, self, r.floor...)
				if err != nil {
					return fmt.Errorf("the plain client: %w", err)
				}
				floor = append(floor, f)
			}
			a, err := timed(ctx, dir, rove, "run", "--format", "junit,~html", "-T", threads, file)
			if err != nil {
				return fmt.Errorf("rove: %w", err)
			}
			ours = append(ours, a)
			if size.alone {
				continue
			}
			b, err := timed(ctx, dir, karate[0], append(slices.Clone(karate[1:]), "-T", threads, file)...)
			if err != nil {
				return fmt.Errorf("Karate: %w", err)
			}
			theirs = append(theirs, b)
		}
		a := middle(ours)
		if size.alone {
			fmt.Printf("%-32s %12s %12s %8s %6d MiB\n", r.name, a.time.Round(time.Millisecond), "", "", a.memory>>20)
		} else if b := middle(theirs); !r.beside(a, b) {
			missed++
		}
		if floor != nil && !beyond(a, middle(floor)) {
			missed++
		}
	}
	if missed > 0 {
		return fmt.Errorf("%d of them take more than they may", missed)
	}
	return nil
}

// beside prints a row, and says whether rove needs no more than it may.
func (r row) beside(a, b measure) bool {
	part, memory := float64(a.time)/float64(b.time), float64(a.memory)/float64(b.memory)
	verdict := ""
	if part > r.part || memory > r.memory {
		verdict = fmt.Sprintf("  more than 1/%.0f of the time or 1/%.0f of the memory", 1/r.part, 1/r.memory)
	}
	fmt.Printf("%-32s %12s %12s %8s %6d MiB %6d MiB %8s%s\n", r.name, a.time.Round(time.Millisecond), b.time.Round(time.Millisecond),
		fmt.Sprintf("1/%.0f", 1/part), a.memory>>20, b.memory>>20, fmt.Sprintf("1/%.0f", 1/memory), verdict)
	return verdict == ""
}

// beyond prints the floor below a row, and says whether rove is near enough. Processor
// time stands beside it: on a busy machine it tells more than the clock.
func beyond(a, f measure) bool {
	over, verdict := float64(a.time)/float64(f.time), ""
	if over > mostOver {
		verdict = fmt.Sprintf("  more than %.1f times", mostOver)
	}
	fmt.Printf("%-32s %12s   rove: %.2f times; processor time %s to %s%s\n", "  a plain Go client", f.time.Round(time.Millisecond), over,
		a.work.Round(time.Millisecond), f.work.Round(time.Millisecond), verdict)
	return verdict == ""
}

// fetchKarate is the command of real Karate.
func fetchKarate(ctx context.Context) ([]string, error) {
	library, err := exec.CommandContext(ctx, filepath.Join("..", "scripts", "fetch-karate.sh")).Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			return nil, errors.New(strings.TrimSpace(string(failed.Stderr)))
		}
		return nil, err
	}
	return []string{"java", "-cp", strings.TrimSpace(string(library)), "com.intuit.karate.Main", "-f", "~html"}, nil
}

// mostOver is how much more than a plain client rove may need.
const mostOver = 1.5

// site is what scenarios ask, and a page for those in a browser.
func site(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/page" {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<!doctype html><title>Page</title><h1>Hello</h1><input id=name><button onclick="h.textContent = document.querySelector('#name').value">Go</button><p id=h></p>`)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"id":%q,"name":"Ann","tags":["a","b"]}`, strings.TrimPrefix(r.URL.Path, "/users/"))
}

func rows(size sizes, address string) []row {
	all := matchRows(size.steps)
	for _, count := range size.api {
		if count == 0 {
			continue
		}
		var api strings.Builder
		fmt.Fprintf(&api, "Feature: api\n\nBackground:\n* url '%s'\n", address)
		for i := range count {
			fmt.Fprintf(&api, "\nScenario: user %d\n* path 'users', %d\n* method get\n* status 200\n* match response == { id: '%d', name: '#string', tags: '#[2]' }\n", i, i, i)
		}
		for _, threads := range size.threads {
			all = append(all, row{
				name: fmt.Sprintf("%d API scenarios, %d at a time", count, threads), feature: api.String(), part: 1. / 5, memory: 1. / 4, threads: threads,
				floor: []string{"-client", address, "-api", fmt.Sprint(count), "-threads", fmt.Sprint(threads)},
			})
		}
	}
	if chrome, err := exec.LookPath("chromium"); err == nil && size.ui > 0 {
		var ui strings.Builder
		fmt.Fprintf(&ui, "Feature: ui\n\nBackground:\n* configure driver = { type: 'chrome', headless: true, executable: '%s', addOptions: ['--no-sandbox'] }\n* driver '%s/page'\n", chrome, address)
		for i := range size.ui {
			fmt.Fprintf(&ui, "\nScenario: page %d\n* input('#name', 'name %d')\n* click('button')\n* waitForText('#h', 'name %d')\n* match driver.title == 'Page'\n", i, i, i)
		}
		// The largest process is the browser's, in both.
		all = append(all, row{name: fmt.Sprintf("%d UI scenarios", size.ui), feature: ui.String(), part: 1. / 2, memory: 1, once: true})
	}
	return all
}

func matchRows(steps int) []row {
	var many strings.Builder
	many.WriteString("Feature: many\n")
	const each = 100
	for i := 0; i < steps; i += each {
		fmt.Fprintf(&many, "\nScenario: from %d\n* def foo = { a: %d, list: [1, 2, { b: 'x' }], text: 'hello' }\n", i, i)
		for j := range each {
			switch j % 5 {
			case 0:
				fmt.Fprintf(&many, "* match foo.a == %d\n", i)
			case 1:
				many.WriteString("* match foo == { a: '#number', list: '#[3]', text: '#string' }\n")
			case 2:
				many.WriteString("* match foo.list contains { b: '#regex x+' }\n")
			case 3:
				many.WriteString("* match foo contains deep { list: [2] }\n")
			default:
				many.WriteString("* match foo.list[2].b == '#? _.length == 1'\n")
			}
		}
	}
	return []row{
		{name: "an empty run", feature: "Feature: empty\n\nScenario: one\n* def a = 1\n", part: 1. / 20, memory: 1. / 4},
		{name: fmt.Sprintf("%d match steps", steps), feature: many.String(), part: 1. / 3, memory: 1. / 4},
	}
}

func build(ctx context.Context, to string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", to, "./cmd/rove")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("rove does not build: %w\n%s", err, out)
	}
	return nil
}

type measure struct {
	time   time.Duration
	memory int64         // the most that was resident
	work   time.Duration // of processors
}

// timed runs a command to its end.
func timed(ctx context.Context, dir, name string, args ...string) (measure, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	start := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(start)
	if err != nil {
		return measure{}, fmt.Errorf("%w\n%s", err, out)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return measure{}, errors.New("the memory of a process cannot be read here")
	}
	return measure{took, usage.Maxrss << 10, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}, nil
}

func middle(all []measure) measure {
	times, memory, work := []time.Duration{}, []int64{}, []time.Duration{}
	for _, m := range all {
		times, memory, work = append(times, m.time), append(memory, m.memory), append(work, m.work)
	}
	slices.Sort(times)
	slices.Sort(memory)
	slices.Sort(work)
	return measure{times[len(times)/2], memory[len(memory)/2], work[len(work)/2]}
}
