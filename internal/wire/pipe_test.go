package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"testing"
	"testing/iotest"
)

// ends makes a transport whose other side is r and w.
func ends(t *testing.T) (tr Transport, r, w *os.File) {
	t.Helper()
	r1, w1, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r2, w2, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	tr = NewPipe(r1, w2)
	t.Cleanup(func() {
		tr.Close()
		r2.Close()
		w1.Close()
	})
	return tr, r2, w1
}

// Messages of every size must come out whole and be the reader's to keep.
func TestPipeSizes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	sizes := []int{0, 1, keepBelow - 1, keepBelow, keepBelow + 1, readChunk - 1, readChunk, readChunk + 1, 3*readChunk + 7, 5 << 20, 2}
	for range 400 {
		sizes = append(sizes, rnd.IntN(2000))
	}
	for range 40 {
		sizes = append(sizes, rnd.IntN(4*readChunk), rnd.IntN(50))
	}
	want := make([][]byte, len(sizes))
	var stream []byte
	for i, n := range sizes {
		want[i] = bytes.Repeat([]byte{byte('a' + i%26)}, n)
		stream = append(append(stream, want[i]...), 0)
	}
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"whole":     func(r io.Reader) io.Reader { return r },
		"halves":    iotest.HalfReader,
		"data+err":  iotest.DataErrReader,
		"odd sizes": func(r io.Reader) io.Reader { return &oddReader{r, rnd} },
	} {
		t.Run(name, func(t *testing.T) {
			p := NewPipe(io.NopCloser(wrap(bytes.NewReader(stream))), nil)
			var got [][]byte
			for {
				m, err := p.Read()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, m)
			}
			if len(got) != len(want) {
				t.Fatalf("%d messages, want %d", len(got), len(want))
			}
			for i := range want {
				if !bytes.Equal(got[i], want[i]) {
					t.Fatalf("message %d of %d bytes came out wrong", i, len(want[i]))
				}
			}
		})
	}
}

type oddReader struct {
	r   io.Reader
	rnd *rand.Rand
}

func (o *oddReader) Read(b []byte) (int, error) {
	return o.r.Read(b[:min(len(b), 1+o.rnd.IntN(100_000))])
}

func TestPipeEnds(t *testing.T) {
	t.Run("between messages", func(t *testing.T) {
		p := NewPipe(io.NopCloser(bytes.NewReader([]byte("a\x00"))), nil)
		if m, err := p.Read(); string(m) != "a" || err != nil {
			t.Fatal(m, err)
		}
		if _, err := p.Read(); err != io.EOF {
			t.Fatal(err)
		}
	})
	t.Run("inside a message", func(t *testing.T) {
		p := NewPipe(io.NopCloser(bytes.NewReader([]byte("a\x00b"))), nil)
		p.Read()
		for range 2 {
			if _, err := p.Read(); err != io.ErrUnexpectedEOF {
				t.Fatal(err)
			}
		}
	})
	t.Run("with an error", func(t *testing.T) {
		want := errors.New("broken")
		p := NewPipe(io.NopCloser(io.MultiReader(bytes.NewReader([]byte("a\x00b")), iotest.ErrReader(want))), nil)
		p.Read()
		if _, err := p.Read(); err != want {
			t.Fatal(err)
		}
	})
}

type countingWriter struct {
	bytes.Buffer
	writes int
}

func (c *countingWriter) Write(b []byte) (int, error) { c.writes++; return c.Buffer.Write(b) }
func (c *countingWriter) Close() error                { return nil }

func TestPipeWritesOnce(t *testing.T) {
	var w countingWriter
	p := NewPipe(io.NopCloser(&bytes.Buffer{}), &w)
	big := bytes.Repeat([]byte("x"), 2*keepWrite)
	if err := p.Write([][]byte{[]byte("a"), big, []byte("b")}); err != nil {
		t.Fatal(err)
	}
	if want := "a\x00" + string(big) + "\x00b\x00"; w.String() != want || w.writes != 1 {
		t.Errorf("%d writes, %d bytes", w.writes, w.Len())
	}
	w.Reset()
	if err := p.Write([][]byte{[]byte("c")}); err != nil || w.String() != "c\x00" {
		t.Errorf("%q, %v", w.String(), err)
	}
}

// Close must end a Read and a Write that wait on a silent peer.
func TestPipeCloseUnblocks(t *testing.T) {
	tr, _, _ := ends(t)
	errs := make(chan error, 2)
	go func() {
		_, err := tr.Read()
		errs <- err
	}()
	go func() { errs <- tr.Write([][]byte{make([]byte, 4<<20)}) }() // more than the pipe holds
	for range 3 {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}
	for range 2 {
		if err := <-errs; err == nil {
			t.Error("no error after Close")
		}
	}
}

func TestPipeBothWays(t *testing.T) {
	tr, r, w := ends(t)
	peer := NewPipe(r, w)
	go func() {
		for {
			m, err := peer.Read()
			if err != nil {
				return
			}
			if peer.Write([][]byte{m, []byte("ok")}) != nil {
				return
			}
		}
	}()
	for i := range 100 {
		msg := fmt.Appendf(nil, "%d %s", i, bytes.Repeat([]byte("y"), i*1000))
		if err := tr.Write([][]byte{msg}); err != nil {
			t.Fatal(err)
		}
		for _, want := range [][]byte{msg, []byte("ok")} {
			if got, err := tr.Read(); err != nil || !bytes.Equal(got, want) {
				t.Fatal(i, len(got), err)
			}
		}
	}
}

func BenchmarkPipeRead5M(b *testing.B) {
	r, w, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	msg := append(bytes.Repeat([]byte("x"), 5<<20), 0)
	go func() {
		for {
			if _, err := w.Write(msg); err != nil {
				return
			}
		}
	}()
	p := NewPipe(r, w)
	defer p.Close()
	b.SetBytes(int64(len(msg)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Read(); err != nil {
			b.Fatal(err)
		}
	}
}

// TestPipeOfOneConnection: both ends may be one, which is closed once.
func TestPipeOfOneConnection(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if err := NewPipe(conn, conn).Close(); err != nil {
		t.Error(err)
	}
}
