package feature

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"rove/internal/data"
	"rove/internal/script"
	"rove/report"
)

// What karate does with variables, files and other features.
func init() {
	addKarate(map[string]karateFunc{
		"abort": kAbort, "call": kCall, "callonce": kCallOnce, "callSingle": kCallSingle, "configure": kConfigure, "doc": kDoc, "render": kDoc, "embed": kEmbed,
		"eval": kEval, "fail": kFail, "get": kGet, "log": logValues, "pause": kPause, "read": readFile, "readAsBytes": kReadBytes, "readAsString": kReadString,
		"remove": kRemove, "set": kSet, "setXml": kSetXML, "setup": kSetup, "setupOnce": kSetupOnce, "toAbsolutePath": kAbsolute, "toJavaFile": kJavaFile, "write": kWrite,
	}, map[string]func(*scenario) (any, error){
		"env": pEnv, "feature": pFeature, "info": pInfo, "logger": pLogger, "os": pOS, "properties": pProperties, "scenario": pScenario,
		"scenarioOutline": pOutline, "tags": pTags, "tagValues": pTagValues, "config": pConfig, "suite": pSuite,
	})
}

func kAbort(c *karateCall) (any, error) {
	c.s.aborted = true
	return undefined, nil
}

// flagged takes the leading flag of call and callonce: whether the scope is
// shared.
func (c *karateCall) flagged() (shared bool) {
	if b, ok := c.arg(0).Export().(bool); ok {
		c.args = c.args[1:]
		return b
	}
	return false
}

func kCall(c *karateCall) (any, error) {
	shared := c.flagged()
	called := c.arg(0)
	if path, ok := called.Export().(string); ok {
		v, err := c.s.read(c.ctx, path)
		if err != nil {
			return nil, err
		}
		called = c.s.value(v)
	}
	v, err := c.s.invoke(c.ctx, called, c.arg(1), shared)
	if err == nil && shared {
		c.s.setAll(v)
	}
	return v, err
}

func kCallOnce(c *karateCall) (any, error) {
	shared := c.flagged()
	path, err := c.text(0)
	if err != nil {
		return nil, err
	}
	text := "read(" + data.JSON(path) + ")"
	if !c.arg(1).Null() {
		text += " " + data.JSON(c.arg(1).Export())
	}
	return c.s.callOnce(c.ctx, text, shared)
}

func kCallSingle(c *karateCall) (any, error) {
	path, err := c.text(0)
	if err != nil {
		return nil, err
	}
	return c.s.callSingle(c.ctx, path, c.arg(1))
}

func kConfigure(c *karateCall) (any, error) {
	name, err := c.text(0)
	if err != nil {
		return nil, err
	}
	return undefined, c.s.configureValue(name, c.arg(1))
}

func kDoc(c *karateCall) (any, error) { return c.s.document(c.ctx, c.arg(0).Export()) }

func kEmbed(c *karateCall) (any, error) {
	v := c.arg(0).Export()
	e := report.Embed{Type: "application/octet-stream"}
	switch v := v.(type) {
	case []byte:
		e.Data = v
		e.Type = contentTypeOf(v)
	case *data.XML:
		e.Data, e.Type = []byte(v.Pretty()), "application/xml"
	case *data.Object, []any:
		e.Data, e.Type = []byte(data.Pretty(v)), "application/json"
	default:
		e.Data, e.Type = []byte(data.Text(v)), "text/plain"
	}
	if !c.arg(1).Null() {
		e.Type = c.arg(1).Text()
	}
	if !c.arg(2).Null() {
		e.Name = c.arg(2).Text()
	}
	c.s.embeds = append(c.s.embeds, e)
	return undefined, nil
}

func kEval(c *karateCall) (any, error) {
	text, err := c.text(0)
	if err != nil {
		return nil, err
	}
	return c.s.js(c.ctx, text)
}

func kFail(c *karateCall) (any, error) {
	text := "karate.fail"
	if !c.arg(0).Null() {
		text = data.Text(c.arg(0).Export())
	}
	c.s.failReason = errors.New(text)
	return undefined, nil
}

func kGet(c *karateCall) (any, error) {
	text, err := c.text(0)
	if err != nil {
		return nil, err
	}
	if v, err := c.s.eval(c.ctx, text); err == nil && v != data.NotPresent {
		if value := c.s.value(v); !value.Null() {
			return value, nil
		}
	} else if script.Interrupted(err) {
		return nil, err
	}
	if len(c.args) > 1 {
		return c.arg(1), nil
	}
	return nil, nil
}

func kPause(c *karateCall) (any, error) {
	ms, err := c.number(0)
	if err != nil {
		return nil, err
	}
	return undefined, c.s.sleep(c.ctx, time.Duration(ms*float64(time.Millisecond)))
}

func readFile(c *karateCall) (any, error) {
	path, err := c.text(0)
	if err != nil {
		return nil, err
	}
	return c.s.read(c.ctx, path)
}

func kReadBytes(c *karateCall) (any, error) {
	path, err := c.text(0)
	if err != nil {
		return nil, err
	}
	return c.s.readBytes(path)
}

func kReadString(c *karateCall) (any, error) {
	path, err := c.text(0)
	if err != nil {
		return nil, err
	}
	b, err := c.s.readBytes(path)
	return string(b), err
}

func kRemove(c *karateCall) (any, error) {
	name, err := c.text(0)
	if err != nil {
		return nil, err
	}
	path := ""
	if !c.arg(1).Null() {
		path = c.arg(1).Text()
	}
	if err := c.s.apply(change{name: name, path: path, remove: true}); err != nil {
		c.s.print("remove failed: " + err.Error())
	}
	return undefined, nil
}

func kSet(c *karateCall) (any, error) {
	switch len(c.args) {
	case 1:
		c.s.setAll(c.arg(0))
		return undefined, nil
	case 2:
		name, err := c.text(0)
		if err != nil {
			return nil, err
		}
		c.s.scope.Set(name, c.arg(1))
		return undefined, nil
	}
	name, err := c.text(0)
	if err != nil {
		return nil, err
	}
	path, err := c.text(1)
	if err != nil {
		return nil, err
	}
	return undefined, c.s.apply(change{name: name, path: path, value: c.arg(2)})
}

func kSetXML(c *karateCall) (any, error) {
	name, err := c.text(0)
	if err != nil {
		return nil, err
	}
	x, err := asXML(c.arg(len(c.args) - 1).Export())
	if err != nil {
		return nil, err
	}
	if len(c.args) < 3 {
		c.s.scope.Set(name, x)
		return undefined, nil
	}
	return undefined, c.s.apply(change{name: name, path: c.arg(1).Text(), value: x})
}

func (c *karateCall) optionalText(i int) string {
	if c.arg(i).Null() {
		return ""
	}
	return c.arg(i).Text()
}

func kSetup(c *karateCall) (any, error)     { return c.s.setup(c.ctx, c.optionalText(0)) }
func kSetupOnce(c *karateCall) (any, error) { return c.s.setupOnce(c.ctx, c.optionalText(0)) }

func kAbsolute(c *karateCall) (any, error) {
	path, err := c.text(0)
	if err != nil {
		return nil, err
	}
	return c.s.resolve(path)
}

func kJavaFile(c *karateCall) (any, error) {
	path, err := c.text(0)
	if err != nil {
		return nil, err
	}
	full, err := c.s.resolve(path)
	if err != nil {
		return nil, err
	}
	return javaFile(c.s.suite.dir, full), nil
}

// kWrite writes a file below the folder of the reports' parent, target.
func kWrite(c *karateCall) (any, error) {
	path, err := c.text(1)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(c.s.suite.outputDir())
	file := filepath.Join(dir, filepath.FromSlash(path))
	if rel, err := filepath.Rel(dir, file); err != nil || strings.HasPrefix(rel, "..") {
		return nil, c.wrong("%s is outside of %s", path, dir)
	}
	var content []byte
	switch v := c.arg(0).Export().(type) {
	case []byte:
		content = v
	default:
		content = []byte(data.Text(v))
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, c.wrong("%v", err)
	}
	if err := os.WriteFile(file, content, 0o644); err != nil {
		return nil, c.wrong("%v", err)
	}
	return javaFile(dir, file), nil
}

func pEnv(s *scenario) (any, error) {
	if s.suite.env == "" {
		return nil, nil
	}
	return s.suite.env, nil
}

func pProperties(s *scenario) (any, error) {
	o := map[string]any{}
	for name, v := range s.suite.properties {
		o[name] = v
	}
	return o, nil
}

func pOS(*scenario) (any, error) {
	kind := runtime.GOOS
	switch kind {
	case "darwin":
		kind = "macosx"
	case "linux", "windows":
	default:
		kind = "unknown"
	}
	name := map[string]string{"linux": "Linux", "darwin": "Mac OS X", "windows": "Windows"}[runtime.GOOS]
	return data.NewObject("name", name, "type", kind), nil
}

func pFeature(s *scenario) (any, error) {
	src := s.feature.source
	return data.NewObject("name", src.feature.Name, "description", src.feature.Description, "fileName", filepath.Base(src.file),
		"parentDir", filepath.Dir(src.file), "prefixedPath", src.shown, "line", int64(src.feature.Line)), nil
}

func pInfo(s *scenario) (any, error) {
	var message any
	if s.err != nil {
		message = s.err.Error()
	}
	return data.NewObject("featureDir", filepath.Dir(s.feature.source.file), "featureFileName", filepath.Base(s.feature.source.file),
		"scenarioName", s.result.Name, "scenarioDescription", s.result.Description, "scenarioType", s.kind(), "errorMessage", message), nil
}

func (s *scenario) kind() string {
	if s.plan.row != nil {
		return "Scenario Outline"
	}
	return "Scenario"
}

func pScenario(s *scenario) (any, error) {
	index, row := int64(-1), any(nil)
	if r := s.plan.row; r != nil {
		index, row = int64(r.index), r.data
	}
	return data.NewObject("name", s.result.Name, "description", s.result.Description, "line", int64(s.plan.line), "sectionIndex", int64(s.plan.section-1),
		"exampleIndex", index, "exampleData", row, "tags", anys(s.plan.tags.texts()), "failed", s.err != nil), nil
}

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, t := range list {
		out[i] = t
	}
	return out
}

func pOutline(s *scenario) (any, error) {
	if s.plan.row == nil {
		return nil, nil
	}
	sc := s.plan.scenario
	tables := []any{}
	for _, ex := range sc.Examples {
		rows := []any{}
		if ex.Table != nil && len(ex.Table.Rows) > 1 {
			for i, cells := range ex.Table.Rows[1:] {
				rows = append(rows, tableRow(ex.Table, cells, i, i).data)
			}
		}
		tables = append(tables, data.NewObject("tags", anys(tagsOf(ex.Tags).texts()), "data", rows))
	}
	return data.NewObject("name", sc.Name, "description", sc.Description, "line", int64(sc.Line), "sectionIndex", int64(s.plan.section-1),
		"exampleTableCount", int64(len(sc.Examples)), "exampleTables", tables, "numScenariosToExecute", int64(len(tables))), nil
}

func pTags(s *scenario) (any, error) { return anys(s.plan.tags.texts()), nil }

func pTagValues(s *scenario) (any, error) {
	o := data.NewObject()
	for _, t := range s.plan.tags {
		values := anys(t.values)
		if have, ok := o.Get(t.name); ok {
			values = append(have.([]any), values...)
		}
		o.Set(t.name, values)
	}
	return o, nil
}

func pConfig(s *scenario) (any, error) {
	o := map[string]any{}
	for name, row := range settings {
		if row.standard != nil {
			o[name] = row.standard
		}
	}
	for name, v := range s.config.values {
		o[name] = v
	}
	return o, nil
}

func pSuite(s *scenario) (any, error) {
	return data.NewObject("env", s.suite.env, "threads", int64(s.suite.opts.Threads), "startTime", s.suite.started.UnixMilli(), "outputDir", s.suite.outputDir()), nil
}

func pLogger(s *scenario) (any, error) { return s.root.console, nil }
