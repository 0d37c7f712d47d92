package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"rove"
	"rove/internal/policy"
	"rove/internal/spell"
)

// policyFlags say what the sessions of a door may reach.
type policyFlags struct {
	allow, block, uploads []string
	caps, confirm         []string
	secrets               string
	output                string
	given                 func(flag string) bool
}

func (f *policyFlags) register(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.allow, "allow", nil, "only these `ORIGINS`: example.com, *.example.com, https://x.example:8443, localhost:*; file: allows files as well (default: the whole network, nothing local)")
	c.Flags().StringSliceVar(&f.block, "block", nil, "not these `ORIGINS`, even if they are allowed; private is every network but the public one, which is good for agents")
	c.Flags().StringSliceVar(&f.uploads, "uploads", nil, "only files in these `FOLDERS` may be uploaded, or seen as pictures")
	c.Flags().StringSliceVar(&f.caps, "caps", nil, "what else agents can do, `NAMES` with commas, or each with a minus what they can't: "+capNames()+" (default: all of it)")
	c.Flags().StringSliceVar(&f.confirm, "confirm", nil, "ask somebody first, `RULES` OPERATION[:NAME][@ORIGIN]: upload, click:Buy, '*@bank.example', eval; refused where nobody can be asked")
	_ = c.RegisterFlagCompletionFunc("caps", completeCaps)
	_ = c.RegisterFlagCompletionFunc("confirm", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return rove.ConfirmOperations(), cobra.ShellCompDirectiveNoFileComp
	})
	c.Flags().StringVar(&f.output, "output", "", "`DIR` to keep downloads, pictures and large results in, each session's in a folder of its own (default: they go with the session)")
	_ = c.MarkFlagDirname("output")
	c.Flags().StringVar(&f.secrets, "secrets", "", "`FILE` of secrets that can be typed as {{secret:NAME}}, each a line NAME@ORIGIN=VALUE")
	f.given = c.Flags().Changed
	markOfSession(c, "allow", "block", "uploads", "caps", "confirm", "output", "secrets")
}

// apply puts them into the options. strict is for doors whose callers are not at
// this machine: without --uploads they can upload nothing of it.
func (f *policyFlags) apply(opts *rove.Options, strict bool) error {
	if err := f.empty(); err != nil {
		return &usageError{err}
	}
	if _, err := policy.New(f.allow, nil); err != nil {
		return &usageError{fmt.Errorf("--allow: %w", err)}
	}
	if _, err := policy.New(nil, f.block); err != nil {
		return &usageError{fmt.Errorf("--block: %w", err)}
	}
	for _, host := range f.block {
		for _, word := range []string{"private", "loopback", "localhost"} {
			if n := spell.Distance(strings.ToLower(host), word, 3); n > 0 && n < 3 {
				return &usageError{fmt.Errorf("--block: %q is nearly %s: write that, or http://%s for a host of that name", host, word, host)}
			}
		}
	}
	if _, err := policy.ParseCaps(f.caps); err != nil {
		return &usageError{fmt.Errorf("--caps: %w", err)}
	}
	if _, err := policy.ParseConfirm(f.confirm, rove.ConfirmOperations()); err != nil {
		return &usageError{fmt.Errorf("--%w", err)}
	}
	opts.Allow, opts.Block, opts.Caps, opts.Confirm = f.allow, f.block, f.caps, f.confirm
	if f.uploads != nil || strict {
		opts.Uploads = []string{}
	}
	for _, dir := range f.uploads {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return &usageError{fmt.Errorf("--uploads %s: %w", dir, err)}
		}
		opts.Uploads = append(opts.Uploads, abs)
	}
	var err error
	if f.output != "" {
		if opts.Output, err = filepath.Abs(f.output); err != nil {
			return &usageError{fmt.Errorf("--output %s: %w", f.output, err)}
		}
	}
	if f.secrets == "" {
		return nil
	}
	opts.Secrets, err = rove.ReadSecrets(f.secrets)
	return err
}

// empty refuses a bound that says nothing, as an unset variable of a shell does: without
// it more would be open than was meant.
func (f *policyFlags) empty() error {
	for flag, says := range map[string]bool{
		"allow": len(f.allow) > 0, "block": len(f.block) > 0, "uploads": len(f.uploads) > 0,
		"caps": len(f.caps) > 0, "confirm": len(f.confirm) > 0, "secrets": f.secrets != "", "output": f.output != "",
	} {
		if !says && f.given(flag) {
			return fmt.Errorf("--%s is empty: say what it is, or leave it out", flag)
		}
	}
	return nil
}

func capNames() string {
	var names []string
	for _, c := range policy.Capabilities {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

func completeCaps(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, c := range policy.Capabilities {
		names = append(names, c.Name+"\t"+c.About, "-"+c.Name+"\tnot: "+c.About)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
