package rove_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/testkit"
)

func TestParseSecrets(t *testing.T) {
	s, err := rove.ParseSecrets("# comment\n\nA@https://a.example=one=two \r\nB@*.b.example,localhost:*=three\nC@*=4444\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.Names(), " "); got != "A B C" {
		t.Errorf("names %q", got)
	}
	for _, text := range []string{
		"A=hunter22", "A@=hunter22", "A@https://x.example=abc", "hunter22", "A@https://x.example/path=hunter22", "A@*=hunter22\nA@*=hunter23",
		"1A@*=hunter22", "A@*=hunter\x0022", "A@ftp://x=hunter22",
	} {
		_, err := rove.ParseSecrets(text)
		if err == nil {
			t.Errorf("%q was taken", text)
		} else if strings.Contains(err.Error(), "hunter") {
			t.Errorf("the value is told: %v", err)
		}
	}
}

func TestReadSecrets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secrets")
	if err := os.WriteFile(path, []byte("A@*=hunter22\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := rove.ReadSecrets(path); err != nil {
		t.Error(err)
	}
	for _, mode := range []os.FileMode{0o640, 0o604, 0o644} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := rove.ReadSecrets(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("%o: %v", mode, err)
		}
	}
	if _, err := rove.ReadSecrets(t.TempDir()); err == nil {
		t.Error("a folder was taken")
	}
}

// strict opens a session of its own kind.
func strict(t *testing.T, opts rove.Options) (context.Context, *rove.Session) {
	t.Helper()
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	ctx := testkit.Context(t)
	s, err := rove.Open(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return ctx, s
}

// TestSecrets types a secret into a page that does its best to give it back.
func TestSecrets(t *testing.T) {
	const value = `pass"word <7> & more, long enough to be cut off`
	got := make(chan string, 10)
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/send" {
			got <- r.FormValue("v")
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<title>Form</title><input id=v aria-label=Field><p id=p>nothing</p><input type=number id=n aria-label=Number><button id=b>Echo</button><button id=d>Ask</button>
<script>b.onclick = () => {
  p.textContent = 'You typed ' + v.value; document.title = v.value; b.textContent = 'Echo ' + v.value; location.hash = encodeURIComponent(v.value);
  console.error('oh ' + v.value); fetch('/send?v=' + encodeURIComponent(v.value));
}; d.onclick = () => prompt(v.value, v.value)</script>`)
	})
	here, there := httptest.NewServer(page), httptest.NewServer(page)
	defer here.Close()
	defer there.Close()
	secrets, err := rove.ParseSecrets("PASS@" + here.URL + "=" + value)
	if err != nil {
		t.Fatal(err)
	}
	ctx, s := strict(t, rove.Options{Secrets: secrets})
	var events []rove.Entry
	stop := s.Events(func(e rove.Entry) { events = append(events, e) })
	defer stop()

	var told []string
	tell := func(result any, err error) {
		t.Helper()
		if err != nil {
			told = append(told, err.Error())
		}
		if v := reflect.ValueOf(result); v.Kind() == reflect.Pointer && v.IsNil() {
			return
		}
		if r, ok := result.(interface{ Text() string }); ok {
			told = append(told, r.Text())
		}
		data, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, string(data))
	}
	act := func(ref, op, value string) *rove.ActResult {
		t.Helper()
		r, err := s.Act(ctx, rove.Step{Ref: ref, Op: op, Value: value})
		tell(r, err)
		return r
	}
	if _, err := s.Go(ctx, here.URL); err != nil {
		t.Fatal(err)
	}
	if r := act("#v", "input", "{{secret:PASS}}"); !r.OK {
		t.Fatal(r.Text())
	}
	act("#b", "click", "")
	select {
	case v := <-got:
		if v != value {
			t.Errorf("the page got %q", v)
		}
	case <-time.After(10 * time.Second):
		t.Error("the page got nothing")
	}
	for _, o := range []rove.LookOptions{{}, {Mode: rove.ModeText}, {Format: rove.FormatYAML}, {Find: "typed"}, {Budget: new(40)}} {
		r, err := s.Look(ctx, o)
		tell(r, err)
	}
	for _, js := range []string{"v.value", "[v.value, {a: v.value}]", "location.href", "throw new Error(v.value)", "v.value.repeat(200)", "encodeURIComponent(v.value)", "btoa(v.value)"} {
		r, err := s.Eval(ctx, js)
		tell(r, err)
		if err == nil && r.File != "" {
			text, err := os.ReadFile(r.File)
			if err != nil {
				t.Fatal(err)
			}
			told = append(told, string(text))
		}
	}
	act("#v", "attribute", "value")
	act("#p", "text", "")
	act("#p", "assert", "text nowhere")
	act("#v", "assert", "value nothing")
	act("#d", "click", "")
	r, err := s.Look(ctx, rove.LookOptions{})
	tell(r, err)
	act("_page", "dialog", "dismiss")
	w, err := s.Wait(ctx, "text:nowhere", 50*time.Millisecond)
	tell(w, err)
	act("#v", "input", "x")
	act("_page", "undo", "")
	act("_page", "history", "")
	tell(s.History(), nil)
	tell(events, nil)
	for _, text := range told {
		for _, part := range []string{"word <7>", `word \u003c7\u003e`, "long enough", "word%20", "word+%3C", "cGFzcyJ3b3Jk"} {
			if i := strings.Index(text, part); i >= 0 {
				t.Errorf("%q came back: …%s…", part, text[max(0, i-80):min(len(text), i+80)])
			}
		}
	}

	// What stands beside it in a value may be the rest of a password.
	for _, st := range []rove.Step{{Ref: "#n", Op: "set"}, {Ref: "#none", Op: "input", Timeout: 50 * time.Millisecond}, {Ref: "#b", Op: "type"}, {Ref: "#v", Op: "input"}} {
		st.Value = "{{secret:PASS}}9k8"
		r, err := s.Act(ctx, st)
		data, _ := json.Marshal(r)
		if err == nil {
			read, err := s.Eval(ctx, "v.value")
			if err != nil || read.Result != `"••••"` {
				t.Errorf("%v: the page says %v, %v", st, read, err)
			}
		} else {
			hasNot(t, err.Error()+r.Text()+string(data), "9k8")
		}
	}

	// Where it does not belong, it is not typed.
	if _, err := s.Go(ctx, there.URL); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ ref, op, value string }{
		{"#v", "input", "{{secret:PASS}}"}, {"#v", "type", "x{{ secret:PASS }}"}, {"#v", "input", "{{secret:OTHER}}"}, {"#p", "attribute", "{{secret:PASS}}"}, {"_page", "press", "{{secret:PASS}}"},
	} {
		r, err := s.Act(ctx, rove.Step{Ref: c.ref, Op: c.op, Value: c.value})
		if code(err) != rove.CodePolicy {
			t.Errorf("%v: %v", c, err)
		}
		hasNot(t, r.Text(), "word <7>")
	}
	if v, err := s.Eval(ctx, "v.value"); err != nil || v.Result != `""` {
		t.Errorf("the field holds %v, %v", v, err)
	}
}

// TestPolicyAtTheVerbs: what is out of bounds is told with a code, a sentence and
// what is allowed, and the page stays.
func TestPolicyAtTheVerbs(t *testing.T) {
	testkit.OnEveryBrowser(t)
	out := serve(t, "<title>Out</title>")
	in := serve(t, fmt.Sprintf(`<title>In</title><a id=a href="%s/">leave</a><a id=b href="%s/" target=_blank>popup</a><input type=file id=f>`, out, out))
	allowed, outside := t.TempDir(), filepath.Join(t.TempDir(), "out.txt")
	inside := filepath.Join(allowed, "in.txt")
	for _, path := range []string{inside, outside} {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(allowed, "link.txt")
	if err := os.Symlink(outside, link); err != nil {
		t.Skip("links cannot be made here")
	}
	ctx, s := strict(t, rove.Options{Allow: []string{in}, Uploads: []string{allowed}})
	if _, err := s.Go(ctx, in); err != nil {
		t.Fatal(err)
	}
	refused := func(err error) {
		t.Helper()
		if code(err) != rove.CodePolicy || !strings.Contains(err.Error(), "allowed") {
			t.Errorf("%v", err)
		}
		if url := s.Driver().Tab().URL(); url != in+"/" {
			t.Errorf("the page is %s", url)
		}
	}
	for _, url := range []string{out, "file:///etc/passwd", "view-source:" + in, "chrome://version", strings.Replace(out, "127.0.0.1", "2130706433", 1), strings.Replace(out, "127.0.0.1", "[::ffff:7f00:1]", 1)} {
		_, err := s.Go(ctx, url)
		refused(err)
	}
	for _, ref := range []string{"#a", "#b"} {
		r, err := s.Act(ctx, rove.Step{Ref: ref, Op: "click"})
		refused(err)
		has(t, r.Text(), "[policy]", "allowed: "+in)
	}
	_, err := s.Act(ctx, rove.Step{Ref: "_page", Op: "tab", Value: "new " + out})
	if code(err) != rove.CodePolicy {
		t.Errorf("a tab: %v", err)
	}
	if _, err := s.Act(ctx, rove.Step{Ref: "_page", Op: "tab", Value: "close"}); err != nil {
		t.Error(err)
	}
	for _, path := range []string{outside, link, allowed + "/../" + filepath.Base(filepath.Dir(outside)) + "/out.txt", "/etc/passwd", "/no/such/file"} {
		_, err := s.Act(ctx, rove.Step{Ref: "#f", Op: "upload", Value: path})
		refused(err)
	}
	if r, err := s.Act(ctx, rove.Step{Ref: "#f", Op: "upload", Value: inside}); err != nil || !strings.Contains(r.Text(), `="`+filepath.Base(inside)+`"`) {
		t.Errorf("%v\n%s", err, r.Text())
	}
	if _, err := rove.Launch(ctx, rove.Options{Allow: []string{"https://x.example/path"}}); code(err) != rove.CodeInvalid {
		t.Errorf("a wrong pattern: %v", err)
	}
}

// TestPolicyHoldsForDatagrams: what is neither a request nor a socket finds no way
// out either.
func TestPolicyHoldsForDatagrams(t *testing.T) {
	testkit.OnEveryBrowser(t)
	in := serve(t, "<title>In</title>")
	ctx, s := strict(t, rove.Options{Allow: []string{in}})
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	tcp, err := net.Listen("tcp", udp.LocalAddr().String())
	if err != nil {
		t.Skip(err)
	}
	defer tcp.Close()
	arrived := make(chan string, 10)
	go func() {
		b := make([]byte, 2000)
		for {
			n, _, err := udp.ReadFrom(b)
			if err != nil {
				return
			}
			arrived <- fmt.Sprintf("a datagram of %d bytes", n)
		}
	}()
	go func() {
		for {
			c, err := tcp.Accept()
			if err != nil {
				return
			}
			_ = c.Close()
			arrived <- "a connection"
		}
	}()
	if _, err := s.Go(ctx, in); err != nil {
		t.Fatal(err)
	}
	_, err = s.Eval(ctx, strings.ReplaceAll(`
const late = new Promise(r => setTimeout(r, 2500));
const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:ADDR'}, {urls: ['turn:ADDR', 'turn:ADDR?transport=tcp', 'turns:ADDR?transport=tcp'], username: 'a', credential: 'b'}]});
peer.createDataChannel('x');
await peer.setLocalDescription(await peer.createOffer());
let transport = 'none';
if (typeof WebTransport !== 'undefined') { try { const w = new WebTransport('https://ADDR/'); transport = await Promise.race([w.ready.then(() => 'open'), late.then(() => 'late')]) } catch { transport = 'refused' } }
await late;
return transport`, "ADDR", udp.LocalAddr().String()))
	if err != nil {
		t.Error(err)
	}
	select {
	case what := <-arrived:
		t.Errorf("%s arrived out of bounds", what)
	default:
	}
}
