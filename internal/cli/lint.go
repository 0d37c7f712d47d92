package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"rove/feature"
)

func newLintCommand() *cobra.Command {
	var opts feature.Options
	c := &cobra.Command{
		Use:   "lint [PATH...]",
		Short: "Check features without running them",
		Long: `Checks the grammar of features, their keywords and expressions, the files they
read and the columns of their outlines. It ends with 1 where something is wrong.`,
		RunE: func(c *cobra.Command, args []string) error {
			opts.Paths = args
			problems, n, err := feature.Lint(opts)
			if err != nil {
				return &usageError{err}
			}
			for _, p := range problems {
				fmt.Fprintln(c.OutOrStdout(), p)
			}
			if len(problems) > 0 {
				return &exitError{1, errors.New("there are problems")}
			}
			if n == 0 {
				return &usageError{errors.New("there is nothing to check: no .feature and no .karate.js file")}
			}
			fmt.Fprintf(c.OutOrStdout(), "%d files, nothing wrong\n", n)
			return nil
		},
	}
	c.Flags().StringArrayVar(&opts.Classpath, "classpath", nil, "a folder that classpath: means")
	c.Flags().StringVar(&opts.ConfigDir, "config-dir", "", "folder of karate-config.js")
	return c
}

func newInitCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "Write a project of features to start from",
		Long: `Writes a config, a feature of a page, one of an API and a workflow for CI. They run
as they are: rove run.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{errors.New("init takes one folder at most")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			names, err := feature.Init(dir)
			if err != nil {
				return err
			}
			for _, name := range names {
				fmt.Fprintln(c.OutOrStdout(), filepath.Join(dir, name))
			}
			fmt.Fprintln(c.OutOrStdout(), "run them with: rove run", dir)
			return nil
		},
	}
}
