package soak

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"rove"
	"rove/internal/tool"
)

// rules looks at answers. It is for all sessions at once.
type rules struct {
	schemas sync.Map // of a tool's data, by its name: *jsonschema.Resolved
	files   sync.Map // path → whose it is
}

// codes are all there are.
var codes = []rove.Code{
	rove.CodeStale, rove.CodeNotFound, rove.CodeHidden, rove.CodeCovered, rove.CodeDisabled, rove.CodeTimeout, rove.CodeNavigation, rove.CodeDialog,
	rove.CodeCrashed, rove.CodeClosed, rove.CodeUnsupported, rove.CodeInvalid, rove.CodePolicy, rove.CodeProtocol,
}

// bare is what only those who know the protocol, or the insides of rove, understand.
var bare = regexp.MustCompile(`Protocol error|-32[0-9]{3}|\bcontext (deadline exceeded|canceled)|Cannot find context|with (given|specified) id|broken pipe|\bEOF\b|0xc0[0-9a-f]{8}|%!|<nil>|runtime error|goroutine \d|` +
	`\b(Page|Runtime|DOM|Target|Input|Network|Fetch|Emulation|Browser|ServiceWorker|CacheStorage)\.[a-z][A-Za-z]+|backendNodeId|objectId|executionContext|uniqueContextId|invalid character '`)

// mostText is more than any answer shows a model that did not ask for everything.
const mostText = 48 << 10

// answer is what is wrong with an answer to who, in words; none is the rule.
func (r *rules) answer(who string, t *tool.Tool, in []byte, out tool.Output, err error) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if !utf8.ValidString(out.Text) {
		say("the text is not UTF-8")
	}
	budget := strings.Contains(string(in), "budget") // that can be all, or hardly a word
	if len(out.Text) > mostText && !budget && len(in) < mostText/4 {
		say("the text has %d bytes", len(out.Text))
	}
	data, failed := json.Marshal(out.Data)
	if failed != nil {
		say("the data does not encode: %v", failed)
	}
	if failed := r.fits(t, out.Data, data); failed != nil {
		say("the data is not as its schema: %v", failed)
	}
	if err == nil && out.Text == "" && len(out.Images) == 0 && !budget {
		say("there is no text")
	}
	if err != nil {
		wrong = append(wrong, r.failure(err)...)
	}
	for _, name := range somebody.FindAllString(out.Text+string(data)+fmt.Sprint(err), -1) {
		if name != who && isName(name) {
			say("it has %s in it, and is for %s", name, who)
			break
		}
	}
	for _, m := range saved.FindAllString(out.Text, -1) {
		if other, taken := r.files.LoadOrStore(m, who); taken && other != who {
			say("the file %s is of %s, too", filepath.Base(m), other)
		}
	}
	if looks[t.Name] && !strings.Contains(string(in), "since") {
		if ref := twice(out.Text); ref != "" {
			say("the ref %s is there twice", ref)
		}
	}
	return wrong
}

var saved = regexp.MustCompile(`/\S*/session-[^/\s]+/[^\s;,:)]+`)

// failure is what is wrong with an error.
func (r *rules) failure(err error) (wrong []string) {
	var e *rove.Error
	if !errors.As(err, &e) {
		return []string{fmt.Sprintf("the error is a bare %T: %v", err, err)}
	}
	text := err.Error()
	if !slices.Contains(codes, e.Code) {
		wrong = append(wrong, fmt.Sprintf("the code %q is none", e.Code))
	}
	if e.Message == "" || !utf8.ValidString(text) {
		wrong = append(wrong, fmt.Sprintf("the message is %q", e.Message))
	}
	if len(text) > mostText {
		wrong = append(wrong, fmt.Sprintf("the error has %d bytes", len(text)))
	}
	if m := bare.FindString(text); m != "" {
		wrong = append(wrong, fmt.Sprintf("the error says %q", m))
	}
	// An invalid input is told by naming what is taken; all else has a hint.
	if e.Code != rove.CodeInvalid && e.Hint == "" {
		wrong = append(wrong, fmt.Sprintf("the error %s does not say what to do", e.Code))
	}
	return wrong
}

// fits holds data against the schema that programs are shown.
func (r *rules) fits(t *tool.Tool, data any, encoded []byte) error {
	if data == nil {
		return nil
	}
	known, ok := r.schemas.Load(t.Name)
	if !ok {
		var resolved *jsonschema.Resolved
		if s := t.Output(); s != nil {
			var err error
			if resolved, err = s.Resolve(nil); err != nil {
				return err
			}
		}
		known, _ = r.schemas.LoadOrStore(t.Name, resolved)
	}
	schema := known.(*jsonschema.Resolved)
	if schema == nil {
		return nil
	}
	var v any
	if err := json.Unmarshal(encoded, &v); err != nil {
		return err
	}
	return schema.Validate(v)
}

// looks are the tools that show all of a page, each element once.
var looks = map[string]bool{"look": true, "browser_snapshot": true, "go": true}

var (
	lineRef = regexp.MustCompile(`(?m)^\s*((?:f\d+)?e\d+) |\[ref=((?:f\d+)?e\d+)\]`)
	uiLine  = regexp.MustCompile(`\bel_\d+\b`)
)

func refsIn(text string) []string {
	var list []string
	for _, m := range lineRef.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1]+m[2])
	}
	return list
}

func twice(text string) string {
	seen := map[string]bool{}
	for _, ref := range refsIn(text) {
		if seen[ref] {
			return ref
		}
		seen[ref] = true
	}
	return ""
}
