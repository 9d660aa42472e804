package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [COMMAND...]",
		Short: "Print the manual page of a command",
		Long: `Man prints the manual page of the program or of a command, in the format of man(1).
It says the same as --help. Packages of Sluice install the pages.

Exit codes: 0 it was printed; 2 there is no such command, or a file cannot be
written.`,
		Example: `  sluice man | man -l -
  sluice man policy try | man -l -
  sluice man --dir ~/.local/share/man/man1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir != "" {
				return writeManPages(cmd.Root(), dir)
			}
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("there is no command %q; \"sluice --help\" lists the commands", strings.Join(args, " "))
			}
			return manPage(cmd.OutOrStdout(), about)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write the pages of all commands into this `directory`")
	return cmd
}

// writeManPages writes a page for every command into a directory.
func writeManPages(cmd *cobra.Command, dir string) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // manual pages are for everybody
		return err
	}
	f, err := os.Create(filepath.Join(dir, manName(cmd)+".1")) //nolint:gosec // the user names the directory
	if err != nil {
		return err
	}
	if err := errors.Join(manPage(f, cmd), f.Close()); err != nil {
		return fmt.Errorf("write the manual page %s: %w", f.Name(), err)
	}
	for _, c := range documented(cmd) {
		if err := writeManPages(c, dir); err != nil {
			return err
		}
	}
	return nil
}

// documented returns the subcommands that the help lists.
func documented(cmd *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			all = append(all, c)
		}
	}
	return all
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage writes the page of one command. It is made from what --help prints.
func manPage(w io.Writer, cmd *cobra.Command) error {
	cmd.InitDefaultHelpFlag()
	day, _, _ := strings.Cut(thisBuild().Date, "T")
	var p strings.Builder
	fmt.Fprintf(&p, ".TH %s 1 %s %s \"Sluice manual\"\n", quoteRoff(strings.ToUpper(manName(cmd))), quoteRoff(day), quoteRoff("sluice "+thisBuild().Version))
	fmt.Fprintf(&p, ".SH NAME\n%s \\- %s\n", escapeRoff(manName(cmd)), escapeRoff(cmd.Short))
	p.WriteString(".SH SYNOPSIS\n")
	if cmd.Runnable() {
		fmt.Fprintf(&p, ".B %s\n", escapeRoff(cmd.UseLine()))
	}
	below := documented(cmd)
	if len(below) > 0 {
		if cmd.Runnable() {
			p.WriteString(".br\n")
		}
		fmt.Fprintf(&p, ".B %s\nCOMMAND\n", escapeRoff(cmd.CommandPath()))
	}
	section(&p, "DESCRIPTION", cmd.Long)
	if len(below) > 0 {
		p.WriteString(".SH COMMANDS\n")
		for _, c := range below {
			fmt.Fprintf(&p, ".TP\n.BR %s (1)\n%s\n", quoteRoff(manName(c)), escapeRoff(c.Short))
		}
	}
	options(&p, "OPTIONS", cmd.NonInheritedFlags())
	options(&p, "OPTIONS OF ALL COMMANDS", cmd.InheritedFlags())
	section(&p, "EXAMPLES", cmd.Example)
	if cmd.HasParent() {
		fmt.Fprintf(&p, ".SH SEE ALSO\n.BR %s (1)\n", quoteRoff(manName(cmd.Parent())))
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// section writes text as it is laid out in --help.
func section(p *strings.Builder, title, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(p, ".SH %s\n.nf\n%s\n.fi\n", title, escapeRoff(strings.Trim(text, "\n")))
}

func options(p *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(p, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if value != "" {
			name += " " + value
		}
		fmt.Fprintf(p, ".TP\n.B %s\n%s\n", escapeRoff(name), escapeRoff(usage))
	})
}

// escapeRoff writes text so that troff prints it as it is: no backslash escapes,
// and no line that begins like a request.
func escapeRoff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// quoteRoff is one argument of a request.
func quoteRoff(text string) string {
	return `"` + strings.ReplaceAll(escapeRoff(text), `"`, `""`) + `"`
}
