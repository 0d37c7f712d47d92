package feature_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// corpusServer answers the requests of the corpus: mostly with what it was asked.
func corpusServer() http.Handler {
	mux := http.NewServeMux()
	var mu sync.Mutex
	counts := map[string]int{}
	reply := func(w http.ResponseWriter, kind, body string) {
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, body)
	}
	echo := func(w http.ResponseWriter, r *http.Request) {
		answer := map[string]any{"method": r.Method, "path": r.URL.Path, "query": r.URL.Query(), "headers": r.Header}
		kind := r.Header.Get("Content-Type")
		if strings.Contains(kind, "form") {
			_ = r.ParseMultipartForm(1 << 20)
			answer["form"] = r.PostForm
			files := map[string]string{}
			if r.MultipartForm != nil {
				for name, f := range r.MultipartForm.File {
					files[name] = f[0].Filename
				}
				answer["form"] = r.MultipartForm.Value
			}
			answer["files"] = files
		} else {
			body, _ := io.ReadAll(r.Body)
			answer["body"] = string(body)
		}
		cookies := map[string]string{}
		for _, c := range r.Cookies() {
			cookies[c.Name] = c.Value
		}
		answer["cookies"] = cookies
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	}
	mux.HandleFunc("/echo", echo)
	mux.HandleFunc("/echo/", echo)
	mux.HandleFunc("/xml", func(w http.ResponseWriter, _ *http.Request) { reply(w, "application/xml", "<a><b>1</b></a>") })
	mux.HandleFunc("/text", func(w http.ResponseWriter, _ *http.Request) { reply(w, "text/plain", "plain text") })
	mux.HandleFunc("/list", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, "application/json", `[{"id":1,"n":"a"},{"id":2,"n":"b"}]`)
	})
	mux.HandleFunc("/nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/status/404", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	mux.HandleFunc("/status/500", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/echo", http.StatusFound) })
	mux.HandleFunc("/to/{code}", func(w http.ResponseWriter, r *http.Request) {
		code, _ := strconv.Atoi(r.PathValue("code"))
		w.Header().Set("Location", "/echo")
		w.WriteHeader(code)
	})
	mux.HandleFunc("/empty-zip", func(w http.ResponseWriter, _ *http.Request) { reply(w, "application/zip", "") })
	mux.HandleFunc("/cookie", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "yes", Path: "/"})
		reply(w, "text/plain", "set")
	})
	mux.HandleFunc("/cookie/domain", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "far=yes; Domain=.example.test")
		reply(w, "text/plain", "set")
	})
	mux.HandleFunc("/count/", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		counts[r.URL.Path]++
		n := counts[r.URL.Path]
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]int{"n": n})
	})
	return mux
}
