package feature

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rove/report"
)

// picture writes the picture of a failure to a file, so that people can open it
// while the suite still runs. It gives the file, or "" where there is none.
func (su *suite) picture(r *report.Scenario) string {
	if su.opts.Output == "-" || r.Status != report.Failed {
		return ""
	}
	e := failurePicture(r.Steps)
	if e == nil {
		return ""
	}
	ext := ".png"
	if strings.Contains(e.Type, "jpeg") {
		ext = ".jpg"
	}
	dir := filepath.Join(su.outputDir(), "failures")
	file := filepath.Join(dir, fmt.Sprintf("%s-%d", report.QualifiedName(r.Feature.Path), r.Line))
	if r.Example > 0 {
		file += fmt.Sprintf("-%d", r.Example)
	}
	if os.MkdirAll(dir, 0o755) != nil || os.WriteFile(file+ext, e.Data, 0o644) != nil {
		return "" // reports tell the trouble with the folder
	}
	return file + ext
}

// failurePicture is the last picture of the innermost step that failed.
func failurePicture(steps []*report.Step) *report.Embed {
	for _, st := range steps {
		if st.Status != report.Failed {
			continue
		}
		for _, c := range st.Calls {
			for _, inner := range c.Scenarios {
				if e := failurePicture(inner.Steps); e != nil {
					return e
				}
			}
		}
		for i := len(st.Embeds) - 1; i >= 0; i-- {
			if strings.HasPrefix(st.Embeds[i].Type, "image/") {
				return &st.Embeds[i]
			}
		}
	}
	return nil
}
