package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"rove/internal/tool"
)

// toolCommands are the tools beside the verbs as commands of their own names:
// what must be given is given by position, the rest by flags. They are many, so
// the help does not list them; 'rove tools' does.
func toolCommands() []*cobra.Command {
	all, err := tool.Set("all")
	if err != nil {
		panic(err) // there always is one
	}
	var list []*cobra.Command
	for _, t := range all {
		if !slices.ContainsFunc(verbs, func(v verb) bool { return v.tool == t.Name }) && !slices.Contains(ownCommands, t.Name) {
			list = append(list, newToolCommand(t))
		}
	}
	return list
}

// ownCommands are the commands that do more than the tool of their name, which 'rove
// call' calls.
var ownCommands = []string{"replay"}

func newToolCommand(t *tool.Tool) *cobra.Command {
	v := verb{tool: t.Name, use: t.Name, flags: map[string]string{}}
	var given []tool.Parameter
	for _, p := range t.Parameters() {
		if p.Required {
			given = append(given, p)
			v.args = append(v.args, p.Name)
			v.use += " " + strings.ToUpper(p.Name)
			if p.Type == "array" {
				v.use += "…"
			}
			continue
		}
		v.flags[p.Name] = flagName(p.Name)
	}
	v.short, _, _ = strings.Cut(t.Help, ". ")
	v.long = t.Help + "\n"
	for _, p := range given {
		v.long += fmt.Sprintf("\n  %-12s %s", strings.ToUpper(p.Name), p.About)
	}
	v.long = strings.TrimRight(v.long, "\n") + "\n\nIt is the tool of this name, as MCP clients and programs get it."
	v.check = func(_ *cobra.Command, args []string) error {
		rest := len(given) > 0 && given[len(given)-1].Type == "array"
		if len(args) < len(given) || len(args) > len(given) && !rest {
			return fmt.Errorf("it is written 'rove %s'", v.use)
		}
		return nil
	}
	v.calls = func(_ *cobra.Command, args []string, input map[string]any) ([]one, error) {
		for i, p := range given {
			value, err := argument(p, args[i:])
			if err != nil {
				return nil, err
			}
			input[p.Name] = value
		}
		return []one{{tool: t.Name, input: input, pointed: true}}, nil
	}
	c := newVerbCommand(v)
	c.Hidden, c.GroupID = true, ""
	return c
}

// flagName is the flag of a parameter, which may not be that of something else.
func flagName(name string) string {
	switch name {
	case "viewport": // of the browser
		return "visible"
	}
	return strings.ReplaceAll(name, "_", "-")
}

// argument reads a parameter that is given by position. Paths are seen from here,
// and not from where the daemon is.
func argument(p tool.Parameter, args []string) (any, error) {
	wrong := func(want string) error {
		return &usageError{fmt.Errorf("%s takes %s, not %q", strings.ToUpper(p.Name), want, args[0])}
	}
	switch p.Type {
	case "array":
		list := slices.Clone(args)
		for i := range list {
			if p.Name == "paths" {
				list[i] = absolutePath(list[i])
			}
		}
		return list, nil
	case "integer", "number":
		if p.Name == "timeout" {
			return args[0], nil
		}
		if _, err := strconv.ParseFloat(args[0], 64); err != nil {
			return nil, wrong("a number")
		}
		return json.Number(args[0]), nil
	case "boolean":
		b, err := strconv.ParseBool(args[0])
		if err != nil {
			return nil, wrong("true or false")
		}
		return b, nil
	}
	if p.Name == "path" {
		return absolutePath(args[0]), nil
	}
	return args[0], nil
}

// absolutePath is a path as it is seen from here; the name of a file that is not
// here may be one of the session's.
func absolutePath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil || filepath.Base(path) == path && !exists(abs) {
		return path
	}
	return abs
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
