package doctor

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"

	"rove/internal/proc"
)

// system is what a report of a fault should begin with.
func system(context.Context, *Doctor) Result {
	return Result{State: OK, Found: fmt.Sprintf("%s, %s/%s, %d processors", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())}
}

func (d *Doctor) home() (string, error) {
	if d.Home != "" {
		return d.Home, nil
	}
	return proc.Home()
}

// home is whether rove can write where it keeps its files.
func home(_ context.Context, d *Doctor) Result {
	dir, err := d.home()
	if err == nil {
		err = writable(dir)
	}
	if d.homeless = err != nil; d.homeless {
		return Result{State: Bad, Found: err.Error(), Mend: "set ROVE_HOME to a directory that you can write to"}
	}
	return Result{State: OK, Found: dir}
}

func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "doctor-*")
	if err != nil {
		return err
	}
	_ = f.Close()
	return os.Remove(f.Name())
}

const (
	leastDisk  = 200 << 20 // for a profile and its cache
	goodDisk   = 1 << 30   // for a browser to be fetched
	leastRoom  = 256 << 20 // memory of one page in a shell
	goodMemory = 1 << 30
)

// disk is the room for profiles, and for a browser.
func disk(_ context.Context, d *Doctor) Result {
	const mend = "free some space, or set ROVE_HOME to a directory on another disk"
	dir, err := d.home()
	if err != nil {
		return Result{State: Bad, Found: err.Error(), Mend: mend}
	}
	free, err := proc.FreeDisk(dir)
	if err != nil {
		return Result{State: Warn, Found: "not known: " + err.Error()}
	}
	return grade(free, leastDisk, goodDisk, "free for "+dir, mend)
}

// memory is what browsers can have, of the machine and of this container.
func memory(context.Context, *Doctor) Result {
	free, where, err := freeMemory()
	if err != nil {
		return Result{State: OK, Found: "not known on this system"}
	}
	return grade(free, leastRoom, goodMemory, "available "+where, "end other programs, or give the machine or container more memory")
}

func grade(free, least, good uint64, what, mend string) Result {
	r := Result{State: OK, Found: size(free) + " " + what}
	switch {
	case free < least:
		r.State, r.Mend = Bad, mend
	case free < good:
		r.State, r.Mend = Warn, mend
	}
	return r
}

// leftovers ends and removes what runs that were killed have left, as every
// start of a browser does.
func leftovers(_ context.Context, d *Doctor) Result {
	if d.homeless {
		return Result{State: OK, Found: "none: nothing could be kept"}
	}
	swept, err := proc.Sweep(d.Home)
	if err != nil {
		dir, _ := d.home()
		return Result{State: Warn, Found: err.Error(), Mend: "remove what is in " + filepath.Join(dir, "run") + " when no rove is running"}
	}
	if swept.Dirs == 0 && swept.Processes == 0 {
		return Result{State: OK, Found: "none of earlier runs"}
	}
	return Result{
		State: OK, Found: "an earlier run was killed",
		Fixed: fmt.Sprintf("ended %d processes and removed %d directories", swept.Processes, swept.Dirs),
	}
}

// loopback is whether local servers can be had: the demo's, rove serve, tests.
func loopback(ctx context.Context, _ *Doctor) Result {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return Result{State: Bad, Found: err.Error(), Mend: "permit programs to listen on 127.0.0.1"}
	}
	defer l.Close()
	var dial net.Dialer
	conn, err := dial.DialContext(ctx, "tcp", l.Addr().String())
	if err != nil {
		return Result{State: Bad, Found: err.Error(), Mend: "permit connections to 127.0.0.1"}
	}
	return Result{State: OK, Found: "servers on this machine can be reached"}.after(conn.Close)
}

// after turns a success that can't be finished into a warning.
func (r Result) after(finish func() error) Result {
	if err := finish(); err != nil {
		r.State, r.Found = Warn, err.Error()
	}
	return r
}
