// Package api is a server for tests of HTTP features: it answers in every way
// that servers do, the good ones and the bad. It keeps users and counters in
// memory, and nothing else.
package api

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/coder/websocket"
)

// Handler is a new server, with nothing in its memory.
func Handler() http.Handler {
	s := &server{users: map[int]map[string]any{}, counters: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", s.echo)
	mux.HandleFunc("/echo/", s.echo)
	mux.HandleFunc("/status/{code}", func(w http.ResponseWriter, r *http.Request) {
		code, err := strconv.Atoi(r.PathValue("code"))
		if err != nil || code < 200 || code > 599 {
			code = http.StatusBadRequest
		}
		answer(w, code, map[string]any{"status": code})
	})
	mux.HandleFunc("/cookies/set", func(w http.ResponseWriter, r *http.Request) {
		for name, values := range r.URL.Query() {
			http.SetCookie(w, &http.Cookie{Name: name, Value: values[0], Path: "/", HttpOnly: true})
		}
		answer(w, 200, map[string]any{"set": len(r.URL.Query())})
	})
	mux.HandleFunc("/cookies/clear", func(w http.ResponseWriter, r *http.Request) {
		for _, c := range r.Cookies() {
			http.SetCookie(w, &http.Cookie{Name: c.Name, Value: "", Path: "/", MaxAge: -1})
		}
		answer(w, 200, map[string]any{})
	})
	mux.HandleFunc("/redirect/{n}", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.PathValue("n"))
		http.SetCookie(w, &http.Cookie{Name: "hop" + r.PathValue("n"), Value: "yes", Path: "/"})
		to := fmt.Sprintf("/redirect/%d", n-1)
		if n <= 1 {
			to = "/echo"
		}
		code, err := strconv.Atoi(r.URL.Query().Get("code"))
		if err != nil {
			code = http.StatusFound
		}
		w.Header().Set("Location", to)
		w.WriteHeader(code)
	})
	mux.HandleFunc("/circle", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/circle", http.StatusFound) })
	mux.HandleFunc("/basic", func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if user != "ann" || password != "secret" {
			w.Header().Set("WWW-Authenticate", `Basic realm="api"`)
			answer(w, 401, map[string]any{"error": "who are you"})
			return
		}
		answer(w, 200, map[string]any{"user": user})
	})
	mux.HandleFunc("/bearer", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer token-1" {
			answer(w, 401, map[string]any{"error": "who are you"})
			return
		}
		answer(w, 200, map[string]any{"user": "ann"})
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		id, secret, ok := r.BasicAuth()
		if !ok {
			id, secret = r.FormValue("client_id"), r.FormValue("client_secret")
		}
		if id != "client" || secret != "hush" || r.FormValue("grant_type") != "client_credentials" {
			answer(w, 401, map[string]any{"error": "invalid_client"})
			return
		}
		answer(w, 200, map[string]any{"access_token": "token-1", "token_type": "Bearer", "expires_in": 3600})
	})
	for path, page := range pages {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if page.contentType != "" {
				w.Header().Set("Content-Type", page.contentType)
			} else {
				w.Header()["Content-Type"] = nil
			}
			io.WriteString(w, page.body)
		})
	}
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		ms, _ := strconv.Atoi(r.URL.Query().Get("ms"))
		select {
		case <-time.After(time.Duration(min(ms, 10_000)) * time.Millisecond):
		case <-r.Context().Done():
			return
		}
		answer(w, 200, map[string]any{"waited": ms})
	})
	mux.HandleFunc("/big", func(w http.ResponseWriter, r *http.Request) {
		kb, _ := strconv.Atoi(r.URL.Query().Get("kb"))
		w.Header().Set("Content-Type", "text/plain")
		line := bytes.Repeat([]byte("0123456789abcdef"), 64)
		for range min(kb, 4<<20) {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/compressed/{how}", compressed)
	mux.HandleFunc("/closes", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/counter/{name}", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.counters[r.PathValue("name")]++
		n := s.counters[r.PathValue("name")]
		s.mu.Unlock()
		answer(w, 200, map[string]any{"count": n})
	})
	mux.HandleFunc("/users", s.usersList)
	mux.HandleFunc("/users/{id}", s.user)
	mux.HandleFunc("/graphql", func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Query     string
			Variables map[string]any
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			answer(w, 400, map[string]any{"errors": []any{map[string]any{"message": err.Error()}}})
			return
		}
		answer(w, 200, map[string]any{"data": map[string]any{"length": len(strings.Fields(q.Query)), "variables": q.Variables}})
	})
	mux.HandleFunc("/soap", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/xml; charset=utf-8")
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, `<?xml version="1.0"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><Did action="%s" bytes="%d"><Type>%s</Type></Did></soap:Body></soap:Envelope>`,
			strings.Trim(r.Header.Get("SOAPAction"), `"`), len(body), r.Header.Get("Content-Type"))
	})
	mux.HandleFunc("/events", events)
	mux.HandleFunc("/socket", socket)
	return mux
}

type server struct {
	mu       sync.Mutex
	users    map[int]map[string]any
	last     int
	counters map[string]int
}

// pages are answers that never change.
var pages = map[string]struct{ contentType, body string }{
	"/xml":      {"application/xml", `<?xml version="1.0"?><cat id="7"><name>Billie</name><kittens><kitten>Bob</kitten><kitten>Wild</kitten></kittens></cat>`},
	"/text":     {"text/plain; charset=utf-8", "hello world"},
	"/html":     {"text/html; charset=utf-8", "<!doctype html><html><body><p>Hello<br>world</body></html>"},
	"/latin1":   {"text/plain; charset=ISO-8859-1", "gr\xfc\xdfe"},
	"/bytes":    {"application/octet-stream", "\x00\x01\x02\xff"},
	"/untyped":  {"", `{"looks":"like JSON"}`},
	"/texted":   {"text/plain", `{"said":"text"}`},
	"/array":    {"application/json", `[{"id":1},{"id":2}]`},
	"/badjson":  {"application/json", `{"broken":`},
	"/badxml":   {"application/xml", `<broken><a></broken>`},
	"/empty":    {"application/json", ""},
	"/null":     {"application/json", "null"},
	"/number":   {"application/json", "42"},
	"/bigint":   {"application/json", `{"id":12345678901234567890,"price":1.10}`},
	"/csv":      {"text/csv", "name,age\nBob,10\nNyan,5\n"},
	"/yaml":     {"application/yaml", "name: Bob\nage: 10\n"},
	"/unicode":  {"application/json; charset=utf-8", `{"text":"žluťoučký 日本 🐈"}`},
	"/problem":  {"application/problem+json", `{"title":"no"}`},
	"/dates":    {"application/json", `{"created":"2026-11-16","time":"09:30:00","uuid":"7f9e270e-0000-4000-8000-000000000001"}`},
	"/nested":   {"application/json", `{"a":{"b":[{"c":1,"d":"x"},{"c":2,"d":"y"}]},"e":null,"f":[],"g":{}}`},
	"/sameline": {"application/json", "{\"a\":1}\n"},
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.Encode(v)
}

// echo tells a request back.
func (s *server) echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 16<<20))
	if err != nil {
		return
	}
	out := map[string]any{"method": r.Method, "path": r.URL.EscapedPath(), "query": r.URL.RawQuery, "params": r.URL.Query(), "body": string(body), "size": len(body)}
	headers := map[string]any{}
	for name, values := range r.Header {
		headers[strings.ToLower(name)] = values
	}
	out["headers"] = headers
	cookies := map[string]string{}
	for _, c := range r.Cookies() {
		cookies[c.Name] = c.Value
	}
	out["cookies"] = cookies
	var v any
	if json.Unmarshal(body, &v) == nil {
		out["json"] = v
	}
	t, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case t == "application/x-www-form-urlencoded":
		if form, err := url.ParseQuery(string(body)); err == nil {
			out["form"] = form
		}
	case strings.HasPrefix(t, "multipart/"):
		var parts []any
		m := multipart.NewReader(bytes.NewReader(body), params["boundary"])
		for {
			p, err := m.NextPart()
			if err != nil {
				break
			}
			data, _ := io.ReadAll(p)
			parts = append(parts, map[string]any{"name": p.FormName(), "filename": p.FileName(), "type": p.Header.Get("Content-Type"), "text": string(data), "size": len(data)})
		}
		out["parts"] = parts
	}
	answer(w, 200, out)
}

func compressed(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	how := r.PathValue("how")
	w.Header().Set("Content-Encoding", how)
	var z io.WriteCloser
	switch how {
	case "gzip":
		z = gzip.NewWriter(w)
	case "deflate":
		z = zlib.NewWriter(w)
	case "br":
		z = brotli.NewWriter(w)
	case "lying":
		w.Header().Set("Content-Encoding", "gzip")
		io.WriteString(w, `{"not":"compressed"}`)
		return
	default:
		w.Header().Del("Content-Encoding")
		answer(w, 404, map[string]any{})
		return
	}
	fmt.Fprintf(z, `{"compressed":%q}`, how)
	z.Close()
}

func (s *server) usersList(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.Method {
	case http.MethodGet:
		list := []any{}
		for id := 1; id <= s.last; id++ {
			if u, ok := s.users[id]; ok && (r.URL.Query().Get("name") == "" || u["name"] == r.URL.Query().Get("name")) {
				list = append(list, u)
			}
		}
		answer(w, 200, list)
	case http.MethodPost:
		var u map[string]any
		if err := json.NewDecoder(r.Body).Decode(&u); err != nil || u["name"] == nil {
			answer(w, 400, map[string]any{"error": "a user needs a name"})
			return
		}
		s.last++
		u["id"] = s.last
		s.users[s.last] = u
		w.Header().Set("Location", fmt.Sprintf("/users/%d", s.last))
		answer(w, 201, u)
	default:
		answer(w, 405, map[string]any{"error": "not allowed"})
	}
}

func (s *server) user(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, _ := strconv.Atoi(r.PathValue("id"))
	u, ok := s.users[id]
	if !ok {
		answer(w, 404, map[string]any{"error": "no such user"})
		return
	}
	switch r.Method {
	case http.MethodPut, http.MethodPatch:
		var change map[string]any
		if err := json.NewDecoder(r.Body).Decode(&change); err != nil {
			answer(w, 400, map[string]any{"error": err.Error()})
			return
		}
		for k, v := range change {
			u[k] = v
		}
		u["id"] = id
		answer(w, 200, u)
	case http.MethodDelete:
		delete(s.users, id)
		w.WriteHeader(http.StatusNoContent)
	default:
		answer(w, 200, u)
	}
}

func events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	for i := range 3 {
		fmt.Fprintf(w, "id: %d\nevent: tick\ndata: {\"n\":%d}\n\n", i, i)
		w.(http.Flusher).Flush()
	}
}

// socket says a message back, "bye" closes, and "many" is answered three times.
func socket(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer c.CloseNow()
	for {
		kind, data, err := c.Read(r.Context())
		if err != nil {
			return
		}
		n := 1
		switch string(data) {
		case "bye":
			c.Close(websocket.StatusNormalClosure, "")
			return
		case "many":
			n = 3
		}
		for range n {
			if c.Write(r.Context(), kind, append([]byte("echo: "), data...)) != nil {
				return
			}
		}
	}
}
