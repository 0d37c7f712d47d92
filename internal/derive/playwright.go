package derive

import (
	"fmt"
	"regexp"
	"strings"

	"rove/recording"
)

// pwRoles are the roles that Playwright finds by name as rove does.
var pwRoles = map[string]bool{
	"button": true, "link": true, "textbox": true, "checkbox": true, "radio": true, "combobox": true, "searchbox": true, "tab": true,
	"menuitem": true, "switch": true, "spinbutton": true, "slider": true, "listbox": true, "option": true,
}

// plainPath is one that stands in an address as it is.
var plainPath = pattern(`^[\w/.~*-]*$`)

// tsQuote is a text as TypeScript has it, with the parameters in it.
func tsValue(s string) string { return expression(s, jsQuote, same) }

func pwFrame(frame []recording.Frame) string {
	at := "page"
	for _, f := range frame {
		if f.Name != "" {
			at += ".frameLocator(" + jsQuote("iframe[name="+jsonText(f.Name)+"]") + ")"
		} else {
			at += fmt.Sprintf(".locator('iframe').nth(%d).contentFrame()", f.Index)
		}
	}
	return at
}

func pwLocator(who *recording.Identity) string {
	at := pwFrame(who.Frame)
	for _, w := range who.Ways {
		tag, text, named := wildcardParts(w.Query)
		switch {
		case named: // as it is written, whatever signs a style draws beside it, which Playwright reads with it
			return fmt.Sprintf("%s.locator(%s)", at, tsValue("//"+tag+"[normalize-space(text())="+xpathText(text)+"]"))
		case w.Query != "":
			return fmt.Sprintf("%s.locator(%s)", at, tsValue(w.Query))
		case w.By == "role" && pwRoles[who.Role] && !who.Secret && who.Name != "":
			return fmt.Sprintf("%s.getByRole('%s', { name: %s, exact: true })", at, who.Role, tsValue(who.Name))
		}
	}
	return fmt.Sprintf("%s.getByText(%s, { exact: true })", at, tsValue(who.Name))
}

func writePlaywright(f *recording.Flow) (string, error) {
	var b strings.Builder
	b.WriteString(head(f, "//"))
	b.WriteString("import { test, expect } from '@playwright/test';\n\n")
	fmt.Fprintf(&b, "const baseUrl = process.env.BASE_URL ?? %s;\n", jsQuote(f.Base))
	for _, p := range f.Params {
		switch p.Kind {
		case recording.Fresh:
			before, after := freshParts(p)
			fmt.Fprintf(&b, "const %s = %s + Date.now() + %s;\n", p.Name, jsQuote(before), jsQuote(after))
		case recording.Today:
			fmt.Fprintf(&b, "const %s = new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().substring(0, 10);\n", p.Name)
		default:
			fmt.Fprintf(&b, "const %s = process.env.%s ?? '';\n", p.Name, p.Env)
		}
	}
	if z := f.Size; z != nil && *z != (recording.Size{Width: 1280, Height: 720}) {
		fmt.Fprintf(&b, "\ntest.use({ viewport: { width: %d, height: %d } });\n", z.Width, z.Height)
	}
	fmt.Fprintf(&b, "\ntest(%s, async ({ page }) => {\n", jsQuote(title(f)))
	w := &pwWriter{b: &b}
	for i := 0; i < len(f.Steps); i++ {
		do := &f.Steps[i]
		w.lacks.step = i + 1
		var answer *recording.Do
		if do.Asks && i+1 < len(f.Steps) && f.Steps[i+1].Op == "dialog" {
			answer = &f.Steps[i+1]
			i++
		}
		w.step(do, answer)
	}
	b.WriteString("});\n")
	return b.String(), w.lacks.err("Playwright")
}

type pwWriter struct {
	b     *strings.Builder
	n     int // of names given
	lacks lacks
}

func (w *pwWriter) line(format string, args ...any) { fmt.Fprintf(w.b, "  "+format+"\n", args...) }

func (w *pwWriter) step(do, answer *recording.Do) {
	checks := do.Checks
	if answer != nil {
		checks = append(checks[:len(checks):len(checks)], answer.Checks...)
	}
	w.n++
	for i, c := range checks {
		switch c.Kind {
		case "status":
			method, path, _ := strings.Cut(c.Text, " ")
			pattern := "/^" + strings.ReplaceAll(strings.ReplaceAll(regexp.QuoteMeta(path), `\*`, `[^/]+`), "/", `\/`) + "$/"
			asks := ""
			for word := range strings.FieldsSeq(c.Asks) {
				asks += " && (r.request().postData() ?? '').includes(" + jsQuote(word) + ")"
			}
			at := "new URL(r.url()).pathname"
			if !plainPath().MatchString(path) { // what a browser asks for by %20 and the like
				at = "decodeURIComponent(" + at + ")"
			}
			w.line("const answer%d_%d = page.waitForResponse((r) => r.request().method() === '%s' && %s.test(%s)%s);", w.n, i, method, pattern, at, asks)
		case "download":
			w.line("const download%d_%d = page.waitForEvent('download');", w.n, i)
		}
	}
	if answer != nil {
		accept, text := answers(answer.Value)
		how := "dismiss()"
		if accept {
			how = "accept(" + strings.Trim(tsValue(text), "'") + ")"
			if text != "" {
				how = "accept(" + tsValue(text) + ")"
			}
		}
		w.line("let said%d = '';", w.n)
		w.line("page.once('dialog', async (dialog) => { said%d = dialog.message(); await dialog.%s; });", w.n, how)
	}
	w.operate(do)
	for i, c := range checks {
		at := "page"
		if c.Frame {
			at = pwFrame(frameOf(do))
		}
		switch c.Kind {
		case "url":
			w.line("await expect(page).toHaveURL(%s);", address(c.Text))
		case "title":
			w.line("await expect(page).toHaveTitle(%s);", tsValue(c.Text))
		case "text":
			w.line("await expect(%s.locator(%s).filter({ visible: true }).first()).toBeVisible();", at, tsValue(c.Query))
		case "value":
			field := fmt.Sprintf("%s.locator(%s).first()", at, tsValue(c.Query))
			switch {
			case c.Role == "checkbox":
				w.line("await expect(%s).toBeChecked({ checked: %s });", field, c.Text)
			case c.Role == "select":
				w.line("await expect(%s.locator('option:checked')).toHaveText(%s);", field, tsValue(c.Text))
			case c.Role != "input" && c.Role != "textarea":
				w.line("await expect(%s).toHaveText(%s);", field, tsValue(c.Text))
			default:
				w.line("await expect(%s).toHaveValue(%s);", field, tsValue(c.Text))
			}
		case "kept", "unkept":
			before, after := recording.KeptFunction(c.Kind)
			w.line("await page.waitForFunction(%s + JSON.stringify(%s) + ',' + JSON.stringify(%s) + %s, null, { polling: 100 });", jsQuote(before), tsValue(c.Query), tsValue(c.Text), jsQuote(after))
		case "gone":
			if c.With != "" {
				w.line("await expect(%s.locator(%s).filter({ visible: true }).first()).toBeVisible();", at, tsValue(c.With))
			}
			w.line("await expect(%s.locator(%s).filter({ visible: true })).toHaveCount(0);", at, tsValue(c.Query))
		case "dialog":
			w.line("expect(said%d).toBe(%s);", w.n, tsValue(c.Text))
		case "status":
			w.line("expect((await answer%d_%d).status()).toBeLessThan(400);", w.n, i)
			if c.Redirects { // a form that is shown again saved nothing
				w.line("expect((await answer%d_%d).status()).toBeGreaterThanOrEqual(300);", w.n, i)
			}
		case "download":
			w.line("expect((await download%d_%d).suggestedFilename()).toBe(%s);", w.n, i, tsValue(c.Text))
		}
	}
	if do.Leads && do.Op != "go" || answer != nil && answer.Leads { // scripts that come late change what a press does
		w.line("await page.waitForLoadState();")
	}
}

// lines are the types of fields that hold a line of text.
var lines = map[string]bool{"": true, "text": true, "search": true, "email": true, "url": true, "tel": true, "password": true, "number": true}

// mostKeys is how long a text may be that is typed key by key.
const mostKeys = 200

// byKeys says that a text is typed as it was, key by key: what is filled in at once tells
// the page of no key, and some take up a text only then. Texts of several lines are filled
// in, because editors add to a line that is begun.
func byKeys(do *recording.Do) bool {
	return do.Op == "input" && do.Value != "" && len(do.Value) <= mostKeys && !strings.Contains(do.Value, "\n") &&
		(do.Who.Tag == "textarea" || do.Who.Tag == "input" && lines[do.Who.Type])
}

// caretAtEnd has what is typed stand behind what a field holds; not all fields let their
// caret be set.
const caretAtEnd = "(e: any) => { e.focus(); try { e.setSelectionRange(e.value.length, e.value.length); } catch { if (e.select) e.select(); else getSelection()!.selectAllChildren(e); getSelection()!.collapseToEnd(); } }"

func (w *pwWriter) operate(do *recording.Do) {
	at := "page"
	if do.Who != nil {
		at = pwLocator(do.Who)
	}
	v := tsValue(do.Value)
	switch do.Op {
	case "go":
		w.line("await page.goto(%s);", address(do.Value))
	case "click", "dblclick", "check", "uncheck", "hover", "clear", "focus":
		w.line("await %s.%s();", at, do.Op)
	case "rightclick":
		w.line("await %s.click({ button: 'right' });", at)
	case "input", "set":
		if byKeys(do) {
			if !do.Empty {
				w.line("await %s.clear();", at)
			}
			w.line("await %s.pressSequentially(%s);", at, v)
			return
		}
		w.line("await %s.fill(%s);", at, v)
	case "type":
		if !do.Empty {
			w.line("await %s.evaluate(%s);", at, caretAtEnd)
		}
		w.line("await %s.pressSequentially(%s);", at, v)
	case "press":
		if do.Who == nil {
			at = "page.keyboard"
		}
		for chord := range strings.FieldsSeq(do.Value) {
			w.line("await %s.press(%s);", at, jsQuote(chord))
		}
	case "select":
		if do.Who.Tag == "select" {
			w.line("await %s.selectOption({ label: %s });", at, v)
			return
		}
		w.line("await %s.click();", at)
		w.line("await page.getByRole('option', { name: %s, exact: true }).click();", v)
	case "upload":
		files := each(do.Value, tsValue)
		switch {
		case answersChooser(do) || do.Drops:
			w.lacks.add(do)
		case do.Who.TakesFiles():
			w.line("await %s.setInputFiles([%s]);", at, files)
		default:
			w.line("const chooser%d = page.waitForEvent('filechooser');", w.n)
			w.line("await %s.click();", at)
			w.line("await (await chooser%d).setFiles([%s]);", w.n, files)
		}
	case "tab":
		n, which := tabOf(do.Value)
		find := fmt.Sprintf("page.context().pages()[%d]", n-1)
		if n == 0 {
			find = fmt.Sprintf("page.context().pages().find((p) => p.url().includes(%s))", tsValue(which))
		}
		if n == 0 && which == "" {
			w.lacks.add(do)
			return
		}
		w.line("await expect.poll(() => %s !== undefined).toBe(true);", find)
		w.line("page = %s!;", find)
	case "drag":
		switch d, ok := dropOf(do.Value); {
		case !ok || !d.plainly() && len(frameOf(do)) > 0:
			w.lacks.add(do)
		case d.plainly():
			w.line("await %s.dragTo(page.locator(%s).first());", at, tsValue(d.query))
		default:
			w.line("const [fromX%d, fromY%[1]d, toX%[1]d, toY%[1]d] = await %s.evaluate((e) => (%s)(e, %s));", w.n, at, pointsFunction, d.arguments(tsValue))
			w.line("await page.mouse.move(fromX%d, fromY%[1]d);", w.n)
			w.line("await page.mouse.down();")
			w.line("await page.mouse.move(toX%d, toY%[1]d, { steps: 14 });", w.n)
			w.line("await page.mouse.move(toX%d, toY%[1]d);", w.n)
			w.line("await page.mouse.up();")
		}
	case "scroll":
		if do.Who != nil {
			w.line("await %s.scrollIntoViewIfNeeded();", at)
		}
	case "back":
		w.line("await page.goBack();")
	case "forward":
		w.line("await page.goForward();")
	case "refresh":
		w.line("await page.reload();")
	case "script":
		w.line("await page.evaluate(%s);", v)
	default:
		w.lacks.add(do)
	}
}
