package proposal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"rove/perceive"
)

// Executor is what has tools. Execute runs one by its name and answers with
// something that encodes as JSON. It must end when its context does: the runtime
// waits a few seconds for one that does not, and then goes on without it. An
// output beside an error is kept; an error with a method Final that says true is not
// tried again. It is called from many goroutines at once.
type Executor interface {
	Execute(ctx context.Context, tool string, params map[string]any) (any, error)
}

type actionKey struct{}

// ActionOf is the id of the action that an Executor is called for; "" outside of one.
func ActionOf(ctx context.Context) string {
	id, _ := ctx.Value(actionKey{}).(string)
	return id
}

// ExecutorFunc is a function as an Executor.
type ExecutorFunc func(ctx context.Context, tool string, params map[string]any) (any, error)

// Execute calls the function.
func (f ExecutorFunc) Execute(ctx context.Context, tool string, params map[string]any) (any, error) {
	return f(ctx, tool, params)
}

// ToolSchema tells the runtime of a tool. What is not registered is rejected.
type ToolSchema struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// Parameters is a JSON schema: a *jsonschema.Schema, a map, or anything that
	// encodes as one. Names that it does not have are refused unless it says
	// that there may be others; nil takes anything.
	Parameters any  `json:"parameters,omitempty"`
	Returns    any  `json:"returns,omitempty"`
	Idempotent bool `json:"idempotent,omitempty"` // told to whoever writes proposals; an action says itself
	// CacheTTLSecs is for how long an answer is good enough for an equal call.
	CacheTTLSecs int        `json:"cache_ttl_secs,omitempty"`
	RateLimit    *RateLimit `json:"rate_limit,omitempty"`
	// Check, where there is one, decides on parameters instead of the schema: a
	// tool that reads its input itself knows best what it takes.
	Check func(params map[string]any) error `json:"-"`
}

// RateLimit is how often a tool may be called. A call that comes too soon waits.
type RateLimit struct {
	MaxCalls     int     `json:"max_calls"`
	IntervalSecs float64 `json:"interval_secs"`
}

// registered is a tool that the runtime knows.
type registered struct {
	ToolSchema
	resolved *jsonschema.Resolved
	limiter  *limiter
}

func newRegistered(s ToolSchema) (*registered, error) {
	t := &registered{ToolSchema: s}
	if s.Name == "" {
		return nil, errors.New("a tool needs a name")
	}
	if s.CacheTTLSecs < 0 {
		return nil, fmt.Errorf("%s: cache_ttl_secs is below 0", s.Name)
	}
	if l := s.RateLimit; l != nil {
		if l.MaxCalls <= 0 || !(l.IntervalSecs > 0 && l.IntervalSecs <= longest.Seconds()) {
			return nil, fmt.Errorf("%s: rate_limit needs max_calls and interval_secs, both above 0", s.Name)
		}
		t.limiter = &limiter{most: l.MaxCalls, interval: time.Duration(l.IntervalSecs * float64(time.Second))}
	}
	if s.Parameters == nil {
		return t, nil
	}
	text, err := json.Marshal(s.Parameters)
	if err != nil {
		return nil, fmt.Errorf("%s: its schema: %w", s.Name, err)
	}
	schema := new(jsonschema.Schema)
	if err := json.Unmarshal(text, schema); err != nil {
		return nil, fmt.Errorf("%s: its schema: %w", s.Name, err)
	}
	if t.resolved, err = schema.Resolve(nil); err != nil {
		return nil, fmt.Errorf("%s: its schema: %w", s.Name, err)
	}
	return t, nil
}

// check holds parameters to what the tool takes.
func (t *registered) check(params map[string]any) error {
	if t.Check != nil {
		return t.Check(params)
	}
	if t.resolved == nil {
		return nil
	}
	s := t.resolved.Schema()
	if len(s.Properties) > 0 && closed(s.AdditionalProperties) && len(s.PatternProperties) == 0 {
		for _, name := range sorted(params) {
			if s.Properties[name] == nil {
				return fmt.Errorf("there is no parameter %s; it takes %s", brief(name), strings.Join(sorted(s.Properties), ", "))
			}
		}
	}
	for _, name := range s.Required {
		if _, ok := params[name]; !ok {
			return fmt.Errorf("%s is missing", name)
		}
	}
	if err := t.resolved.Validate(params); err != nil {
		// The library writes its own way through the schema before each fault.
		_, fault, _ := strings.Cut(err.Error(), ": ")
		return errors.New(fault)
	}
	return nil
}

// closed says that a schema of additional properties takes none, or does not say.
func closed(s *jsonschema.Schema) bool {
	return s == nil || reflect.DeepEqual(s, &jsonschema.Schema{Not: &jsonschema.Schema{}})
}

// BrowseSchemas are the browse_ tools of package perceive, whose Visitor is an
// Executor for them.
func BrowseSchemas() []ToolSchema {
	var list []ToolSchema
	for _, s := range perceive.Schemas() {
		t := ToolSchema{Name: s.Name, Description: s.Description, Parameters: s.Parameters, Returns: s.Returns, Idempotent: s.Idempotent}
		if s.CacheTTLSecs != nil {
			t.CacheTTLSecs = *s.CacheTTLSecs
		}
		if s.RateLimit != nil { // calls a second
			t.RateLimit = &RateLimit{MaxCalls: 1, IntervalSecs: 1 / *s.RateLimit}
		}
		list = append(list, t)
	}
	return list
}
