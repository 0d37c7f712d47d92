package driver

import (
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
)

//go:embed trace.html
var traceReport string

var traceTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("trace").Funcs(template.FuncMap{
		"clock": func(t time.Time) string { return t.Format("15:04:05.000") },
	}).Parse(traceReport))
})

// WriteTraceReport writes a trace as one HTML page that needs nothing else: the
// steps, and for each the tree and the picture.
func WriteTraceReport(w io.Writer, folder string) error {
	list, err := ReadTrace(folder)
	if err != nil {
		return err
	}
	type shown struct {
		TraceStep
		Image template.URL
	}
	var all []shown
	failures := 0
	for _, s := range list {
		one := shown{TraceStep: s}
		if s.Error != "" {
			failures++
		}
		// A name in the folder, whatever the trace says.
		if name := filepath.Base(s.Picture); s.Picture != "" {
			if data, err := os.ReadFile(filepath.Join(folder, name)); err == nil {
				one.Image = template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(data))
			}
		}
		all = append(all, one)
	}
	if err := traceTemplate().Execute(w, map[string]any{"Steps": all, "Failures": failures}); err != nil {
		return Explain("trace", err)
	}
	return nil
}
