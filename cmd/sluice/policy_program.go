package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/internal/words"
	catalogue "github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/policy/shell"
)

// programsOf returns the catalogue with what policy files describe.
func programsOf(paths []string) (*catalogue.Catalogue, error) {
	if len(paths) == 0 {
		return catalogue.Builtin(), nil
	}
	loaded, err := file.Load(file.Options{Tolerant: true}, paths...)
	if err != nil {
		return nil, err
	}
	if loaded.Programs == nil {
		return catalogue.Builtin(), nil
	}
	return loaded.Programs, nil
}

func newPolicyProgram() *cobra.Command {
	var paths []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "program [flags] NAME",
		Short: "Show what is known of a program",
		Long: `Program prints what Sluice knows of a program that a command line may run: its
options, its subcommands, what each of them does, and examples. Policies ask for
what programs do, not for their names. Programs of your own can be described in a
policy file, under programs; --policies adds them.

Between names, a vertical line stands for names of one program, or alternatives of
a word, and a comma for programs, or commands, that are called alike; a blank is
between the words of a command. {NAME} is a value, [...] is left out without one.

Exit codes: 0 it was printed; 1 the policy files are wrong; 2 nothing can be shown
of it, a file cannot be read, or wrong usage.`,
		Example: `  sluice policy program helm
  sluice policy program --json helm`,
		Args: exactlyOne("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			programs, err := programsOf(paths)
			if err != nil {
				printProblems(cmd, problemsOf(err))
				return exitOf(err)
			}
			name := args[0]
			p := programs.Program(name)
			if p == nil {
				if shell.Knows(name) {
					return showUndescribed(cmd.OutOrStdout(), programs, oneLine(name, 80))
				}
				hint := "describe it in a policy file, under programs, and name that file with --policies FILE"
				if len(paths) > 0 {
					hint = "describe it under programs in " + strings.Join(paths, ", ")
				}
				if near := words.Nearest(name, programs.Names(), words.Most(name)); near != "" {
					hint = "did you mean " + near + "? Or " + hint
				}
				return fmt.Errorf("policy program: nothing is known of %q: %s", oneLine(name, 80), hint)
			}
			if asJSON {
				return showJSON(cmd.OutOrStdout(), p.Summary())
			}
			return showProgram(cmd.OutOrStdout(), p.Summary())
		},
	}
	cmd.Flags().StringArrayVar(&paths, "policies", nil, "policy `FILE` that describes further programs; can be repeated")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func newPolicyPrograms() *cobra.Command {
	var paths []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "programs [flags]",
		Short: "List the programs that are described",
		Long: `Programs lists the programs of the catalogue with what each of them is, one a
line. sluice policy program NAME shows one of them.

Exit codes: 0 they were printed; 1 the policy files are wrong; 2 a file cannot be
read, or wrong usage.`,
		Example: `  sluice policy programs
  sluice policy programs --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			programs, err := programsOf(paths)
			if err != nil {
				printProblems(cmd, problemsOf(err))
				return exitOf(err)
			}
			type row struct {
				Name  string `json:"name"`
				About string `json:"about"`
			}
			var rows []row
			widest := 0
			for _, name := range programs.Names() {
				rows = append(rows, row{name, programs.Program(name).About})
				widest = max(widest, len(name))
			}
			if asJSON {
				return showJSON(cmd.OutOrStdout(), rows)
			}
			for _, r := range rows {
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%-*s  %s\n", widest, r.Name, r.About); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&paths, "policies", nil, "policy `FILE` that describes further programs; can be repeated")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON list")
	return cmd
}

// showUndescribed prints what is known of a program whose command line is not described.
func showUndescribed(w io.Writer, programs *catalogue.Catalogue, name string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: its options and subcommands are not described\n", name)
	for _, o := range programs.Orders(name) {
		if len(o.Files) > 0 {
			line := "it runs what is in " + strings.Join(o.Files, ", ")
			if len(o.Flags) > 0 {
				line += ", or in the file that " + words.OneOf(o.Flags) + " names"
			}
			fmt.Fprintf(&b, "  %s\n", line)
		} else if len(o.Flags) > 0 {
			fmt.Fprintf(&b, "  it runs what is in the file that %s names\n", words.OneOf(o.Flags))
		}
	}
	for _, o := range programs.Outputs(name) {
		fmt.Fprintf(&b, "  it prints %s\n", o.Prints)
	}
	fmt.Fprintf(&b, "  sluice policy try --shell '%s ...' shows what a command does\n", name)
	_, err := io.WriteString(w, b.String())
	return err
}

// showProgram prints a description for people.
func showProgram(w io.Writer, s catalogue.Summary) error {
	var b strings.Builder
	b.WriteString(s.Title)
	if s.About != "" {
		b.WriteString(": " + s.About)
	}
	b.WriteByte('\n')
	if len(s.Flags) > 0 {
		b.WriteString("\n  options\n")
		wrapped(&b, "    ", strings.Fields(strings.Join(s.Flags, "; ")))
	}
	var harmless []string
	for i := range s.Commands {
		c := &s.Commands[i]
		if len(c.Effects) == 0 && !slices.ContainsFunc(c.Operands, func(o string) bool { return strings.Contains(o, ":") }) && len(c.Words) > 0 {
			for _, words := range c.Words {
				for word := range strings.SplitSeq(words, "|") {
					if !slices.Contains(harmless, word) {
						harmless = append(harmless, word)
					}
				}
			}
			continue
		}
		title := strings.Join(c.Words, ", ")
		if title == "" {
			title = "without a subcommand"
		}
		fmt.Fprintf(&b, "\n  %s", title)
		if len(c.Operands) > 0 {
			b.WriteString("  " + strings.ToUpper(strings.Join(c.Operands, " ")))
		}
		b.WriteByte('\n')
		for _, e := range c.Effects {
			b.WriteString("    " + e + "\n")
		}
		if len(c.Flags) > 0 {
			wrapped(&b, "    ", append([]string{"options:"}, strings.Fields(strings.Join(c.Flags, "; "))...))
		}
	}
	if len(harmless) > 0 {
		b.WriteString("\n  without effects\n")
		wrapped(&b, "    ", strings.Fields(strings.Join(harmless, ", ")))
	}
	if len(s.Examples) > 0 {
		b.WriteString("\n  examples\n")
		for _, x := range s.Examples {
			effects := "no effect"
			if len(x.Effects) > 0 {
				effects = strings.Join(x.Effects, "; ")
			}
			fmt.Fprintf(&b, "    %s\n      %s\n", x.Run, effects)
		}
	}
	fmt.Fprintf(&b, "\n  described in %s\n", s.From)
	_, err := io.WriteString(w, b.String())
	return err
}
