package derive

import (
	_ "embed"
	"fmt"
	"go/format"
	"strconv"
	"strings"
	"unicode"

	"rove/recording"
)

func goValue(s string) string { return expression(s, strconv.Quote, same) }

func goAddress(to string) string {
	if strings.HasPrefix(to, "/") {
		return "baseURL + " + goValue(to)
	}
	return goValue(to)
}

// goName is a name for a test.
func goName(s string) string {
	var b strings.Builder
	up := true
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			up = true
			continue
		}
		if up {
			r = unicode.ToUpper(r)
		}
		up = false
		b.WriteRune(r)
	}
	return b.String()
}

// goTail are the functions that every test ends with.
//
//go:embed golang_tail.txt
var goTail string

// goHeld is there where a flow has fields that must hold something.
var goHeld = `
// held is a script that gives what the field holds that a query leads to.
func held(query string) string {
	return ` + strconv.Quote(recording.HeldFunction+"(") + ` + strconv.Quote(query) + ")"
}
`

// goKept is there where the application is asked what it keeps.
func goKept(kind string) string {
	before, after := recording.KeptFunction(kind)
	return `
// ` + kind + ` is a script that says whether the application answers with` + map[bool]string{true: "out"}[kind == "unkept"] + ` a text.
func ` + kind + `(path, text string) string {
	return ` + strconv.Quote(before) + ` + strconv.Quote(path) + "," + strconv.Quote(text) + ` + strconv.Quote(after) + `
}
`
}

func writeGo(f *recording.Flow) (string, error) {
	var b, body strings.Builder
	w := &goWriter{b: &body}
	for i := range f.Steps {
		w.lacks.step = i + 1
		w.step(&f.Steps[i])
	}
	if err := w.lacks.err("package driver"); err != nil {
		return "", err
	}
	b.WriteString(head(f, "//"))
	imports := []string{"context", "os", "strconv", "testing"}
	fresh := ""
	for _, p := range f.Params {
		switch p.Kind {
		case recording.Fresh:
			before, after := freshParts(p)
			fresh += fmt.Sprintf("\t%s := %s + strconv.FormatInt(time.Now().UnixMilli(), 10) + %s\n", p.Name, strconv.Quote(before), strconv.Quote(after))
		case recording.Today:
			fresh += fmt.Sprintf("\t%s := time.Now().Format(time.DateOnly)\n", p.Name)
		default:
			fresh += fmt.Sprintf("\t%s := env(%s, \"\")\n", p.Name, strconv.Quote(p.Env))
		}
	}
	if strings.Contains(fresh, "time.Now") {
		imports = append(imports, "time")
	}
	b.WriteString("package flows\n\nimport (\n")
	for _, i := range imports {
		fmt.Fprintf(&b, "\t%q\n", i)
	}
	b.WriteString("\n\t\"rove\"\n\t\"rove/driver\"\n)\n\n")
	fmt.Fprintf(&b, "func Test%s(t *testing.T) {\n\tctx := t.Context()\n", goName(title(f)))
	b.WriteString("\td, err := rove.Drive(ctx, rove.Options{}, driver.Options{})\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tdefer d.Quit(context.WithoutCancel(ctx))\n\tf := flow{d, t, ctx}\n")
	fmt.Fprintf(&b, "\tbaseURL := env(\"BASE_URL\", %s)\n%s\n%s}\n\n%s", strconv.Quote(f.Base), fresh, body.String(), goTail)
	if uses(f, "value") {
		b.WriteString(goHeld)
	}
	for _, kind := range []string{"kept", "unkept"} {
		if uses(f, kind) {
			b.WriteString(goKept(kind))
		}
	}
	out, err := format.Source([]byte(b.String()))
	return string(out), err
}

type goWriter struct {
	b     *strings.Builder
	lacks lacks
	frame []recording.Frame
}

func (w *goWriter) line(format string, args ...any) { fmt.Fprintf(w.b, "\t"+format+"\n", args...) }

func (w *goWriter) inside(frame []recording.Frame) {
	if sameFrame(w.frame, frame) {
		return
	}
	if len(w.frame) > 0 {
		w.line(`f.ok(f.SwitchFrame(ctx, ""))`)
	}
	for _, at := range frame {
		if at.Name != "" {
			w.line("f.ok(f.SwitchFrame(ctx, %s))", strconv.Quote("iframe[name="+jsonText(at.Name)+"]"))
		} else {
			w.line("f.ok(f.SwitchFrameAt(ctx, %d))", at.Index)
		}
	}
	w.frame = frame
}

func (w *goWriter) step(do *recording.Do) {
	if do.Op != "dialog" {
		w.inside(frameOf(do))
	}
	if q := query(do.Who); do.Who != nil && q == "" || answersChooser(do) {
		w.lacks.add(do)
		return
	}
	w.operate(do, goValue(query(do.Who)))
	for _, c := range do.Checks {
		switch {
		case c.Kind == "dialog":
		case c.Frame:
			w.inside(frameOf(do))
		default:
			w.inside(nil)
		}
		switch c.Kind {
		case "url":
			w.line("f.until(\"location.href == \" + strconv.Quote(%s))", goAddress(c.Text))
		case "title":
			w.line("f.until(\"document.title == \" + strconv.Quote(%s))", goValue(c.Text))
		case "text":
			w.line("f.until(seen(%s))", goValue(c.Query))
		case "gone":
			if c.With != "" {
				w.line("f.until(seen(%s) + \" && !\" + seen(%s))", goValue(c.With), goValue(c.Query))
				continue
			}
			w.line("f.until(\"!\" + seen(%s))", goValue(c.Query))
		case "value":
			w.line("f.until(held(%s) + \" == \" + strconv.Quote(%s))", goValue(c.Query), goValue(c.Text))
		case "kept", "unkept":
			w.line("f.until(%s(%s, %s))", c.Kind, goValue(c.Query), goValue(c.Text))
		case "dialog":
			w.line("if said, _ := f.DialogText(); said != %s {\n\t\tt.Fatalf(\"the dialog says %%q\", said)\n\t}", goValue(c.Text))
		default:
			w.line("// %s: seen by rove replay", strings.ReplaceAll(c.String(), "\n", " "))
		}
	}
}

func (w *goWriter) operate(do *recording.Do, q string) {
	v := goValue(do.Value)
	method := map[string]string{
		"click": "Click", "dblclick": "DoubleClick", "rightclick": "RightClick", "check": "Check", "uncheck": "Uncheck", "hover": "Hover", "clear": "Clear", "focus": "Focus", "scroll": "Scroll",
	}[do.Op]
	switch {
	case do.Op == "go":
		w.line("f.ok(f.SetURL(ctx, %s))", goAddress(do.Value))
	case method != "" && do.Who != nil:
		w.line("f.ok(f.at(%s).%s(ctx))", q, method)
	case do.Op == "input" || do.Op == "type":
		if do.Op == "input" && !do.Empty && !unseated[do.Who.Type] {
			w.line("f.ok(f.at(%s).Clear(ctx))", q)
		}
		if do.Value != "" {
			if do.Op == "type" && !do.Empty { // behind what it holds
				v = "driver.KeyEnd, " + v
			}
			w.line("f.ok(f.at(%s).Input(ctx, %s))", q, v)
		}
	case do.Op == "set":
		w.line("f.ok(f.at(%s).SetValue(ctx, %s))", q, v)
	case do.Op == "select":
		w.line("f.ok(f.at(%s).Select(ctx, %s))", q, v)
	case do.Op == "press" && do.Who != nil:
		w.line("f.ok(f.at(%s).Press(ctx, %s))", q, v)
	case do.Op == "press":
		w.line("f.ok(f.at(\"body\").Press(ctx, %s))", v)
	case do.Op == "drag":
		switch d, ok := dropOf(do.Value); {
		case !ok || !d.plainly() && len(frameOf(do)) > 0:
			w.lacks.add(do)
		case d.plainly():
			w.line("f.ok(f.at(%s).DragTo(ctx, f.at(%s)))", q, v)
		default:
			w.line("_, err = f.Tab().Do(ctx, driver.On(f.at(%s)), driver.Op{Name: \"drag\", Value: %s})", q, v)
			w.line("f.ok(err)")
		}
	case do.Op == "upload":
		w.line("f.ok(f.at(%s).InputFile(ctx, %s))", q, each(do.Value, goValue))
	case do.Op == "back" || do.Op == "forward" || do.Op == "refresh":
		w.line("f.ok(f.%s(ctx))", strings.ToUpper(do.Op[:1])+do.Op[1:])
	case do.Op == "dialog":
		accept, text := answers(do.Value)
		w.line("f.ok(f.Dialog(ctx, %v, %s))", accept, goValue(text))
	case do.Op == "tab":
		switch n, which := tabOf(do.Value); {
		case n > 0:
			w.line("f.ok(f.SwitchPageAt(ctx, %d))", n-1)
		case which != "":
			w.line("f.ok(f.SwitchPage(ctx, %s))", goValue(which))
		default:
			w.lacks.add(do)
		}
	case do.Op == "script":
		w.line("_, err = f.Script(ctx, %s)", v)
		w.line("f.ok(err)")
	default:
		w.lacks.add(do)
	}
}
