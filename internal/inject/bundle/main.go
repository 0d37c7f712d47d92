// Command bundle joins the page script's modules into one file, bundle.js.
// Run it through go generate in internal/inject.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	out, err := bundle("src")
	if err == nil {
		err = os.WriteFile("bundle.js", out, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// bundle joins the modules below dir. Names stay as they are, so that a stack
// trace from a page can be read; white space and comments go, since the script
// is sent to every page.
func bundle(dir string) ([]byte, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		EntryPoints:      []string{filepath.Join(abs, "main.js")},
		AbsWorkingDir:    abs,
		Bundle:           true,
		Format:           api.FormatIIFE,
		Target:           api.ES2023,
		Charset:          api.CharsetASCII,
		MinifySyntax:     true,
		MinifyWhitespace: true,
		LegalComments:    api.LegalCommentsNone,
		LogLevel:         api.LogLevelSilent,
	})
	if len(result.Errors) > 0 {
		lines := api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return nil, errors.New(strings.Join(lines, "\n"))
	}
	return result.OutputFiles[0].Contents, nil
}
