package perceive

import (
	"strings"
	"testing"

	"rove/driver"
)

// FuzzParseWait: a condition is read as it is written, or refused in words.
func FuzzParseWait(f *testing.F) {
	for _, s := range []string{
		"page_loaded", "url_changed", "a11y_contains_text:Hi: there", "element_with_name:Save@button", "element_with_name:ann@example.com",
		"element_with_name:a@b@", "element_with_name:@link", "element_with_name:", "x:", ":", "page_loaded:",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseWait(s)
		if err != nil {
			if driver.CodeOf(err) != driver.CodeInvalid || !strings.Contains(err.Error(), "page_loaded") {
				t.Errorf("%q: %v", s, err)
			}
			return
		}
		again, err := ParseWait(c.String())
		if err != nil || again != c {
			t.Errorf("%q is %+v, which is written %q and read as %+v, %v", s, c, c.String(), again, err)
		}
	})
}

// FuzzResolve: an id stands for an element of the map, goes through as it is, or
// is refused; it is never somebody else's.
func FuzzResolve(f *testing.F) {
	for _, s := range []string{"el_0", "el_3", "el_4", "el_1@obs_1", "el_1@obs_2", "el_1@", "ax_submit", "el_00", "el_-1", "el_+1", "el_99999999999", "", "@", "el_1@obs_1@obs_1"} {
		f.Add(s)
	}
	v := NewVisitor(NewMock(), nil)
	v.Save = func([]byte) (string, error) { return "", nil }
	if _, err := v.Observe(f.Context(), ObserveOptions{}); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, id string) {
		got, err := v.resolve("click", id)
		element, observation := SplitID(id)
		e := v.last.Element(element)
		switch {
		case err != nil && driver.CodeOf(err) != driver.CodeStale:
			t.Errorf("%q: %v", id, err)
		case err == nil && e != nil && got != e.AXRef:
			t.Errorf("%q is %s, want %s", id, got, e.AXRef)
		case err == nil && e == nil && got != id:
			t.Errorf("%q became %q", id, got)
		case err == nil && e != nil && observation != "" && observation != "obs_1":
			t.Errorf("%q was taken for an id of obs_1", id)
		}
	})
}

// FuzzTSV: whatever tesseract says, it is words or an error.
func FuzzTSV(f *testing.F) {
	head := "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
	f.Add(head + "5\t1\t1\t1\t1\t1\t36\t92\t60\t24\t96.5\tHello\n")
	f.Add(head + "5\t1\t1\t1\t1\t1\tNaN\t92\t60\t24\tInf\tx\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, table string) {
		list, err := parseTSV(table)
		for _, w := range list {
			if err != nil || w.Text == "" || w.Confidence < 0 || w.Confidence > 1 || w.Bounds.X != w.Bounds.X {
				t.Errorf("%+v, %v", w, err)
			}
		}
	})
}
