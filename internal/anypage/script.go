package anypage

import (
	"strings"
	"sync"

	"rove/driver/backend"
	"rove/internal/inject"
	"rove/internal/wire"
)

// Script is the page script. It runs once in a world, however often it is put there:
// what it has been told must not be lost.
var Script = sync.OnceValue(func() string { return "if (!globalThis.rove) {" + inject.Source + "\n}" })

// ScriptAlone is the page script where nobody but rove has keys and a pointer: frames
// take none before rove opens them.
var ScriptAlone = sync.OnceValue(func() string { return "globalThis.roveAlone = true;\n" + Script() })

// Expression is the JavaScript of a call of the page script. JSON is JavaScript.
func Expression(c backend.Call) (string, error) {
	if c.Func == "" || strings.Trim(c.Func, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return "", &backend.Error{Kind: backend.KindProtocol, Text: "not a function of the page script: " + c.Func}
	}
	var arg []byte
	if c.Arg != nil {
		var err error
		if arg, err = wire.Marshal(c.Arg); err != nil {
			return "", &backend.Error{Kind: backend.KindProtocol, Text: "argument of " + c.Func, Err: err}
		}
	}
	return "rove." + c.Func + "(" + string(arg) + ")", nil
}

// ScriptMissing says of what a world threw that there is no page script in it.
func ScriptMissing(thrown string) bool {
	return strings.HasPrefix(thrown, "ReferenceError: rove is not defined")
}

// ErrScriptMissing is a world whose page script was stopped before it was there, as happens when
// a script without end is stopped. The next call brings it anew.
var ErrScriptMissing = &backend.Error{Kind: backend.KindNavigated, Text: "the page script was lost"}

// ErrUnreadable is the lack of a world to run the page script in.
var ErrUnreadable = &backend.Error{Kind: backend.KindUnreadable, Text: "the frame has no document a script can run in"}
