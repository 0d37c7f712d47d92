package tool

import (
	"bytes"
	stdimage "image"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/image"
	"rove/internal/session"
)

func testEvaluate(u user) {
	u.at(`<p id=p>text</p>`)
	tests := []struct{ js, text, kind string }{
		{`6 * 7`, `42`, "number"},
		{`({a: [1, 'two'], b: null})`, `{"a":[1,"two"],"b":null}`, "object"},
		{`undefined`, `undefined`, "undefined"},
		{`NaN`, `NaN`, "number"},
		{`-0`, `-0`, "number"},
		{`10n`, `10n`, "bigint"},
		{`Symbol('x')`, `Symbol(x)`, "symbol"},
		{`new Map([['a', 1]])`, `Map {"a" => 1}`, "map"},
		{`new Set([1])`, `Set {1}`, "set"},
		{`p`, `<p id="p"></p>`, "element"},
		{`window.o = {}; o.o = o; o`, `{"o":[circular]}`, "object"},
		{`Promise.resolve(5)`, `5`, "number"},
		{`await Promise.resolve([1])`, `[1]`, "array"},
		{`const n = 2; n + n`, `4`, "number"},
		{`function twice(n) { return 2 * n }; twice`, "[function twice]\nit was not called: write (function twice(n) { return 2 * n }; twice)() to call it", "function"},
		{`() => 1`, "[function anonymous]\nit was not called: write (() => 1)() to call it", "function"},
	}
	for _, tt := range tests {
		out := u.says("browser_eval", in{"expression": tt.js})
		if r := out.Data.(*rove.EvalResult); out.Text != tt.text || r.Type != tt.kind {
			u.Errorf("%s: %s %q, want %s %q", tt.js, r.Type, out.Text, tt.kind, tt.text)
		}
	}
	u.says("browser_eval", in{"expression": "Promise.resolve(5)", "await": false}, "[Promise]\nit was not awaited")
	u.says("browser_eval", in{"expression": "Promise.resolve(5)", "await": true, "timeout": 5000}, "5")
	u.fails("browser_eval", in{"expression": "1 +\n  missing.x"}, rove.CodeInvalid, `"ReferenceError: missing is not defined" (line 2)`, "at script:2:")
	u.fails("browser_eval", in{"expression": "throw {code: 7}"}, rove.CodeInvalid, `"thrown: {\"code\":7}"`)
	u.fails("browser_eval", in{"expression": "Promise.reject(new TypeError('later'))"}, rove.CodeInvalid, "TypeError: later")
	u.fails("browser_eval", in{"expression": "if ("}, rove.CodeInvalid, "SyntaxError")
	u.fails("browser_eval", in{"expression": " "}, rove.CodeInvalid, "there is no script")
	start := time.Now()
	u.fails("browser_eval", in{"expression": "while (true) {}", "timeout": "1s"}, rove.CodeTimeout, "it was stopped")
	u.fails("browser_eval", in{"expression": "new Promise(() => {})", "timeout": 2000}, rove.CodeTimeout, "the script's promise to settle")
	if took := time.Since(start); took > 20*time.Second {
		u.Errorf("scripts without end took %v", took)
	}
	u.says("browser_eval", in{"expression": "p.textContent"}, `"text"`)
}

func testEvaluateLarge(u user) {
	u.at(``)
	if out := u.says("browser_eval", in{"expression": `"x".repeat(4094)`}); len(out.Text) != 4096 {
		u.Errorf("%d bytes are not shown whole", len(out.Text))
	}
	out := u.says("browser_eval", in{"expression": `"é".repeat(4000)`}, "(8002 bytes)")
	r := out.Data.(*rove.EvalResult)
	saved, err := os.ReadFile(r.File)
	if err != nil || string(saved) != `"`+strings.Repeat("é", 4000)+`"` || r.Size != 8002 {
		u.Errorf("the file: %d bytes, %v", len(saved), err)
	}
	if !strings.Contains(out.Text, r.File) || !strings.HasPrefix(out.Text, `"éééé`) || len(out.Text) > 2000 {
		u.Errorf("the preview: %.100s", out.Text)
	}
}

// pixels gives the size of the picture that a model is shown.
func pixels(t *testing.T, out Output) (w, h int, format string) {
	t.Helper()
	if len(out.Images) != 1 {
		t.Fatalf("%d pictures: %s", len(out.Images), out.Text)
	}
	if out.Images[0].Type == "image/webp" {
		w, h, err := image.Size(out.Images[0].Data)
		if err != nil {
			t.Fatal(err)
		}
		return w, h, "webp"
	}
	c, format, err := stdimage.DecodeConfig(bytes.NewReader(out.Images[0].Data))
	if err != nil {
		t.Fatal(err)
	}
	return c.Width, c.Height, format
}

func testTakeScreenshot(u user) {
	u.at(`<body style="margin:0"><div id=box style="width:300px;height:100px;background:red"></div><div style="height:4000px"></div><p id=none style="display:none">x</p>`)
	tests := []struct {
		input        in
		file, format string
		shown        [2]int
	}{
		{in{}, "(1280×720 px", "png", [2]int{1280, 720}},
		{in{"full_page": true, "timeout": 20000}, "(1280×4100 px", "png", [2]int{490, 1568}},
		{in{"selector": "#box"}, "(300×100 px", "png", [2]int{300, 100}},
		{in{"format": "jpeg"}, "screenshot.jpg (1280×720 px", "jpeg", [2]int{1280, 720}},
		{in{"selector": "div", "format": "webp"}, "screenshot.webp (300×100 px", "webp", [2]int{300, 100}},
	}
	for _, tt := range tests {
		out := u.says("browser_take_screenshot", tt.input, tt.file)
		d := out.Data.(pictured)
		if w, h, format := pixels(u.T, out); [2]int{w, h} != tt.shown || format != tt.format {
			u.Errorf("%v: %d×%d %s", tt.input, w, h, format)
		}
		saved, err := image.Read(d.Path)
		if err != nil {
			u.Error(err)
		}
		if w, h, err := image.Size(saved); err != nil || w != d.Width || h != d.Height || int64(len(saved)) != d.Size {
			u.Errorf("%v: the file is %d×%d, %v; the data %+v", tt.input, w, h, err, d)
		}
		// The saved path can be looked at again.
		if again := u.says("read_image", in{"path": d.Path}, tt.file); !bytes.Equal(again.Images[0].Data, out.Images[0].Data) {
			u.Errorf("%v: read_image shows another picture", tt.input)
		}
	}
	u.fails("browser_take_screenshot", in{"selector": "#nope"}, rove.CodeNotFound, "element not found: #nope")
	u.fails("browser_take_screenshot", in{"selector": "#none"}, rove.CodeHidden, "no size")
	u.fails("browser_take_screenshot", in{"selector": "#box", "full_page": true}, rove.CodeInvalid, "not both")
	u.fails("browser_take_screenshot", in{"format": "tiff"}, rove.CodeInvalid, "format takes one of png, jpeg, webp")
}

func testReadImage(u user) {
	dir := u.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			u.Fatal(err)
		}
		return path
	}
	fixture := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("..", "image", "testdata", name))
		if err != nil {
			u.Fatal(err)
		}
		return data
	}
	for _, name := range []string{"lossy.webp", "animated.gif", "progressive.jpg"} {
		out := u.says("read_image", in{"path": write("named-wrongly-"+name+".txt", fixture(name))}, "(30×20 px")
		if w, h, _ := pixels(u.T, out); w != 30 || h != 20 {
			u.Errorf("%s is shown at %d×%d", name, w, h)
		}
	}
	u.fails("read_image", in{"path": filepath.Join(dir, "nope.png")}, rove.CodeNotFound, "there is no file")
	u.fails("read_image", in{"path": dir}, rove.CodeInvalid, "is a directory")
	u.fails("read_image", in{"path": write("text.png", []byte("hello"))}, rove.CodeInvalid, "no picture, but text/plain; PNG, JPEG, GIF and WebP are read")
	u.fails("read_image", in{"path": write("half.webp", fixture("lossy.webp")[:60])}, rove.CodeInvalid, "a broken WebP")
	if len(u.talk.Sessions()) > 0 {
		u.Error("a browser was started to read a file")
	}
	here, err := os.Getwd()
	if err != nil {
		u.Fatal(err)
	}
	relative, err := filepath.Rel(here, filepath.Join(dir, "text.png"))
	if err != nil {
		u.Fatal(err)
	}
	u.fails("read_image", in{"path": relative}, rove.CodeInvalid, "no picture")
	u.says("browser_take_screenshot", in{})
	u.says("read_image", in{"path": "1-screenshot.png"}, "1280×720")
	u.fails("read_image", in{"path": "2-screenshot.png"}, rove.CodeNotFound, "there is no file")
	u.says("read_image", in{"path": filepath.Join(dir, "named-wrongly-lossy.webp.txt"), "session": "other"})

	// Where there are rules for files, they count.
	m := session.NewManager(session.Options{Browser: rove.Options{Uploads: []string{filepath.Join(dir, "allowed")}}})
	defer m.Close()
	if err := os.Mkdir(filepath.Join(dir, "allowed"), 0o700); err != nil {
		u.Fatal(err)
	}
	u.talk = m.Conversation("")
	inside := write("allowed/in.webp", fixture("lossy.webp"))
	u.says("read_image", in{"path": inside}, "30×20")
	u.fails("read_image", in{"path": filepath.Join(dir, "text.png")}, rove.CodePolicy, "may not be taken from")
	if err := os.Symlink(filepath.Join(dir, "text.png"), filepath.Join(dir, "allowed", "link.png")); err == nil {
		u.fails("read_image", in{"path": filepath.Join(dir, "allowed", "link.png")}, rove.CodePolicy, "may not be taken from")
	}
	out := u.says("browser_take_screenshot", in{})
	u.says("read_image", in{"path": out.Data.(pictured).Path})
}

func testGetText(u user) {
	u.at(`<h1>Prices</h1><ul><li id=a>Tea <b>3</b></li><li>Milk 1</li></ul><p style="display:none">hidden</p><div id=long></div>
		<script>long.innerText = Array.from({length: 900}, (_, i) => 'line ' + i).join('\n')</script>`)
	out := u.says("browser_get_text", in{}, "bytes in ")
	d := out.Data.(texted)
	whole, err := os.ReadFile(d.File)
	if err != nil || !strings.Contains(string(whole), "line 899") || !strings.Contains(string(whole), "# Prices") || strings.Contains(string(whole), "hidden") {
		u.Errorf("the file: %.200s, %v", whole, err)
	}
	// Between lines that no page can forge.
	fenced := regexp.MustCompile(`^<page ([0-9a-f]{6})>\nTea 3\n</page ([0-9a-f]{6})>$`)
	if out := u.says("browser_get_text", in{"selector": "#a"}); !fenced.MatchString(out.Text) {
		u.Errorf("an element's text: %q", out.Text)
	}
	u.fails("browser_get_text", in{"selector": "#nope"}, rove.CodeNotFound, "element not found: #nope")
}
