//go:build linux

// Command karate measures rove beside real Karate on the same features, turn by
// turn, so that a busy moment of the machine is everybody's:
//
//	go run ./karate [-n 5] [-steps 10000]
//
// It needs Java and Maven. What is measured: an empty run from the command to its
// exit, as many match steps in one file, and the most memory each had meanwhile.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	n := flag.Int("n", 5, "how often each is run; the middle one counts")
	steps := flag.Int("steps", 10_000, "how many match steps")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *n, *steps); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// row is one thing that is measured, with what rove may need of Karate's.
type row struct {
	name    string
	feature string
	part    float64 // of the time
	memory  float64 // of the memory
}

func run(ctx context.Context, n, steps int) error {
	dir, err := os.MkdirTemp("", "bench-karate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	rove := filepath.Join(dir, "rove")
	if err := build(ctx, rove); err != nil {
		return err
	}
	library, err := exec.CommandContext(ctx, filepath.Join("..", "scripts", "fetch-karate.sh")).Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			return errors.New(strings.TrimSpace(string(failed.Stderr)))
		}
		return err
	}
	karate := []string{"java", "-cp", strings.TrimSpace(string(library)), "com.intuit.karate.Main", "-f", "~html"}
	fmt.Printf("%-24s %12s %12s %8s %10s %10s %8s\n", "", "rove", "Karate", "part", "rove", "Karate", "part")
	missed := 0
	for _, r := range rows(steps) {
		file := filepath.Join(dir, "x.feature")
		if err := os.WriteFile(file, []byte(r.feature), 0o644); err != nil {
			return err
		}
		var ours, theirs []measure
		for range n {
			a, err := timed(ctx, dir, rove, "run", "--format", "junit,~html", "-T", "1", file)
			if err != nil {
				return fmt.Errorf("rove: %w", err)
			}
			b, err := timed(ctx, dir, karate[0], append(karate[1:], file)...)
			if err != nil {
				return fmt.Errorf("Karate: %w", err)
			}
			ours, theirs = append(ours, a), append(theirs, b)
		}
		a, b := middle(ours), middle(theirs)
		part, memory := float64(a.time)/float64(b.time), float64(a.memory)/float64(b.memory)
		verdict := ""
		if part > r.part || memory > r.memory {
			missed++
			verdict = fmt.Sprintf("  more than 1/%.0f of the time or 1/%.0f of the memory", 1/r.part, 1/r.memory)
		}
		fmt.Printf("%-24s %12s %12s %8s %6d MiB %6d MiB %8s%s\n", r.name, a.time.Round(time.Millisecond), b.time.Round(time.Millisecond),
			fmt.Sprintf("1/%.0f", 1/part), a.memory>>20, b.memory>>20, fmt.Sprintf("1/%.0f", 1/memory), verdict)
	}
	if missed > 0 {
		return fmt.Errorf("%d of them take more than they may", missed)
	}
	return nil
}

func rows(steps int) []row {
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
		{"an empty run", "Feature: empty\n\nScenario: one\n* def a = 1\n", 1. / 20, 1. / 4},
		{fmt.Sprintf("%d match steps", steps), many.String(), 1. / 3, 1. / 4},
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
	memory int64 // the most that was resident
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
	return measure{took, usage.Maxrss << 10}, nil
}

func middle(all []measure) measure {
	times, memory := []time.Duration{}, []int64{}
	for _, m := range all {
		times, memory = append(times, m.time), append(memory, m.memory)
	}
	slices.Sort(times)
	slices.Sort(memory)
	return measure{times[len(times)/2], memory[len(memory)/2]}
}
