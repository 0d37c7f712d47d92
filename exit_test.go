package rove_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/testkit"
)

const leaked = `Kq7v-Tz9p"Lw2m&Xc4R(!)`

// spellings are ways in which a page gives a secret back. The rest of them is tried in
// internal/outlet, without a browser.
var spellings = map[string]string{
	"plain":      leaked,
	"blanks":     strings.Join(strings.Split(leaked, ""), " "),
	"zero width": strings.Join(strings.Split(leaked, ""), "\u200b"),
	"no-break":   "\u00a0" + strings.Join(strings.Split(leaked, ""), "\u00a0"),
	"percent":    url.QueryEscape(leaked),
	"entities":   html.EscapeString(html.EscapeString(leaked)),
	"base64":     base64.StdEncoding.EncodeToString([]byte("x" + leaked)),
	"hex":        hex.EncodeToString([]byte(leaked)),
	"upper":      strings.ToUpper(leaked),
	"cut":        leaked[:len(leaked)-1],
}

// TestEveryOutletMasks has a page that says a secret, in one spelling after another,
// wherever a page has a word, and collects what all verbs, logs and archives tell.
func TestEveryOutletMasks(t *testing.T) {
	testkit.ShellIsEnough(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said := r.URL.Query().Get("w")
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "http://name:pw-in-address@"+r.Host+"/?w="+url.QueryEscape(said), http.StatusFound)
		case "/file":
			w.Header().Set("Content-Disposition", "attachment; filename*=UTF-8''"+url.PathEscape("a "+said)+".txt")
			fmt.Fprint(w, said)
		case "/echo":
			w.Header().Set("X-Said", url.QueryEscape(said))
			fmt.Fprint(w, said)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, `<!doctype html><title></title><body><script>
const w = new URLSearchParams(location.search).get('w'); document.title = w;
const add = (tag, set) => { const e = document.createElement(tag); set(e); document.body.append(e); return e };
add('h1', e => e.textContent = w); add('p', e => e.textContent = w.repeat(3));
add('button', e => { e.id = 'b'; e.textContent = w; e.onclick = () => { console.error(w, {w}); fetch('/echo?w=' + encodeURIComponent(w), {method: 'POST', body: w, headers: {'X-W': encodeURIComponent(w)}}); add('p', e => { e.role = 'alert'; e.textContent = w }); history.pushState(0, '', '#' + encodeURIComponent(w)) } });
add('input', e => { e.id = 'v'; e.value = w; e.placeholder = w; e.setAttribute('aria-description', w) });
add('select', e => { e.id = 's'; e.append(new Option(w), new Option('b')) });
add('a', e => { e.id = 'f'; e.href = '/file?w=' + encodeURIComponent(w); e.textContent = 'file' });
add('a', e => { e.href = 'https://name:pw-in-address@host.example/'; e.textContent = 'login' });
add('form', e => { e.innerHTML = '<input id=r required><button id=send>Send</button>'; e.querySelector('#r').setCustomValidity(w) });
add('button', e => { e.id = 'd'; e.textContent = 'Ask'; e.onclick = () => prompt(w, w) });
add('button', e => { e.id = 'o'; e.textContent = 'Open'; e.onclick = () => open('/echo?w=' + encodeURIComponent(w)) });
</script>`)
		}
	}))
	defer server.Close()
	secrets, err := rove.ParseSecrets("PASS@*=" + leaked)
	if err != nil {
		t.Fatal(err)
	}
	ctx, s := strict(t, rove.Options{Secrets: secrets})
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
	stop := s.Events(func(e rove.Entry) { tell(e, nil) })
	defer stop()
	act := func(ref, op, value string) {
		t.Helper()
		r, err := s.Act(ctx, rove.Step{Ref: ref, Op: op, Value: value, Timeout: 2 * time.Second})
		tell(r, err)
	}
	for name, said := range spellings {
		told = nil
		at := server.URL + "/?w=" + url.QueryEscape(said)
		r, err := s.Go(ctx, at)
		if err != nil {
			t.Fatal(err)
		}
		tell(r, nil)
		for _, o := range []rove.LookOptions{{}, {Mode: rove.ModeText}, {Format: rove.FormatYAML}, {Budget: new(60)}} {
			r, err := s.Look(ctx, o)
			tell(r, err)
		}
		for _, js := range []string{"w", "({[w]: [w]})", "{ const e = new Error(w); e.name = w; throw e }", "throw w", "w.repeat(400)"} {
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
		act("#b", "click", "")
		act("#v", "text", "")
		act("#v", "attribute", "placeholder")
		act("#v", "assert", "value other")
		act("#s", "select", "none of them")
		act("#v", "input", "x")
		act("#send", "click", "")
		act("#f", "click", "")
		act("#d", "click", "")
		act("_page", "dialog", "accept")
		act("#o", "click", "")
		act("_page", "tab", "close")
		act("_page", "tab", "new name:pw-in-address@"+strings.TrimPrefix(server.URL, "http://")+"/echo?w=")
		act("_page", "tab", "close 2")
		w, err := s.Wait(ctx, "(() => { throw new Error(w) })()", 300*time.Millisecond)
		tell(w, err)
		g, err := s.Go(ctx, server.URL+"/file?w="+url.QueryEscape(said))
		tell(g, err)
		g, err = s.Go(ctx, server.URL+"/moved?w="+url.QueryEscape(said))
		tell(g, err)
		g, err = s.Go(ctx, "name:pw-in-address@nowhere.invalid/"+url.PathEscape(said))
		tell(g, err)
		act("_page", "history", "")
		tell(s.History(), nil)
		entries, err := s.Console().Entries(ctx, rove.ConsoleFilter{})
		tell(entries, err)
		requests, err := s.Network().Requests(rove.RequestFilter{})
		tell(requests, err)
		for _, q := range requests.Requests {
			told = append(told, q.Line())
			b, err := s.Network().Body(ctx, q.Number)
			tell(b, err)
			if b != nil {
				told = append(told, string(b.Data))
			}
		}
		var archive bytes.Buffer
		tell(nil, s.Network().HAR(ctx, &archive, rove.HAROptions{Bodies: true}))
		told = append(told, archive.String(), s.URL())
		files, err := s.Folder().Files()
		tell(nil, err)
		_ = files // by their names on disk, which are the files' own
		s.Network().Clear()
		s.Console().Clear()

		all := strings.Join(told, "\n")
		for _, text := range []string{
			said, url.QueryEscape(said), url.PathEscape(said), html.EscapeString(said), jsonText(said), jsonText(jsonText(said)), leaked, "Kq7v-Tz9p", "pw-in-address", "cHctaW4tYWRkcmVzcw",
			base64.StdEncoding.EncodeToString([]byte("name:pw-in-address")),
		} {
			if i := strings.Index(all, text); i >= 0 {
				t.Errorf("%s: %q came back: …%s…", name, text, all[max(0, i-200):min(len(all), i+100)])
			}
		}
		if !strings.Contains(all, "••••") {
			t.Errorf("%s: nothing was masked", name)
		}
	}
}

func jsonText(s string) string {
	b, _ := json.Marshal(s)
	return strings.Trim(string(b), `"`)
}
