package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/internal/words"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/policy/rule"
)

func newPolicyReference() *cobra.Command {
	var asJSON, asMarkdown bool
	cmd := &cobra.Command{
		Use:   "reference [flags] [TOPIC|NAME]",
		Short: "Show everything that a policy file can say",
		Long: `Reference lists the keys of policy files, the variables, members, functions and
verbs of conditions, the forms of then and the question of a hook, each with an
example. With a TOPIC it lists that part alone, and with the name of an entry that
entry, wherever it is. The topics are:
` + inLines("  ", topics()) + `.

Exit codes: 0 it was printed; 2 there is no such topic or name, or wrong usage.`,
		Example: `  sluice policy reference
  sluice policy reference effect
  sluice policy reference verbs
  sluice policy reference how
  sluice policy reference --json functions`,
		Args: atMostOne("TOPIC"),
		RunE: func(cmd *cobra.Command, args []string) error {
			sections := file.Reference()
			if len(args) == 1 {
				var one []rule.Section
				for _, s := range sections {
					if s.Name == args[0] {
						one = append(one, s)
					}
				}
				if one == nil {
					one = entriesNamed(sections, args[0])
				}
				if one == nil {
					return fmt.Errorf("policy reference: there is no topic or name %q: %s", args[0], suggestEntry(sections, args[0]))
				}
				sections = one
			}
			var err error
			switch {
			case asJSON:
				err = showJSON(cmd.OutOrStdout(), sections)
			case asMarkdown:
				_, err = io.WriteString(cmd.OutOrStdout(), file.ReferenceMarkdown())
			default:
				err = showReference(cmd.OutOrStdout(), sections)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON list")
	cmd.Flags().BoolVar(&asMarkdown, "markdown", false, "print everything as a page of documentation")
	return cmd
}

// suggestEntry says which topic or name may have been meant.
func suggestEntry(sections []rule.Section, name string) string {
	known := topics()
	for _, s := range sections {
		for _, e := range s.Entries {
			known = append(known, e.Name)
		}
	}
	if near := words.Nearest(name, known, words.Most(name)); near != "" {
		return "did you mean " + near + "?"
	}
	return words.Suggest(name, topics())
}

// entriesNamed are the entries of all sections that have a name, with or without what it
// is a member of: how, e.how, call.name.
func entriesNamed(sections []rule.Section, name string) []rule.Section {
	var found []rule.Section
	of, member, qualified := strings.Cut(name, ".")
	for _, s := range sections {
		var entries []rule.Entry
		for _, e := range s.Entries {
			if e.Name == name || qualified && e.Name == member && (s.Name == of || strings.HasPrefix(e.Example, of+".") || strings.HasPrefix(s.Name, of) && len(of) == 1) {
				entries = append(entries, e)
			}
		}
		if entries != nil {
			s.Entries, s.Text = entries, ""
			found = append(found, s)
		}
	}
	return found
}

func topics() []string {
	sections := file.Reference()
	names := make([]string, 0, len(sections))
	for _, s := range sections {
		names = append(names, s.Name)
	}
	return names
}

// showReference prints sections for people.
func showReference(w io.Writer, sections []rule.Section) error {
	var b strings.Builder
	for i, s := range sections {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s (%s)\n", s.Title, s.Name)
		paragraph(&b, s.Text)
		for _, e := range s.Entries {
			fmt.Fprintf(&b, "\n  %s  (%s)\n", e.Name, e.Type)
			wrapped(&b, "      ", strings.Fields(e.Doc))
			if e.Example != "" {
				fmt.Fprintf(&b, "      > %s\n", e.Example)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// starterName is the file that policy new writes if none is named.
const starterName = "policies.yaml"

func newPolicyNew() *cobra.Command {
	return &cobra.Command{
		Use:   "new [FILE]",
		Short: "Write a policy file to start from",
		Long: `New writes a policy file with two policies and comments that say what can be
changed, to ` + starterName + ` if no FILE is named. The file passes sluice policy check.
An existing file is left alone. "-" is standard output.

Exit codes: 0 it was written; 2 it exists or cannot be written, or wrong usage.`,
		Example: `  sluice policy new
  sluice policy new team/workspace.yaml
  sluice policy new - | less`,
		Args: atMostOne("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := starterName
			if len(args) == 1 {
				name = args[0]
			}
			if name == "-" {
				_, err := io.WriteString(cmd.OutOrStdout(), file.Starter())
				return err
			}
			f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // policies are no secret, and the path is the user's
			switch {
			case errors.Is(err, os.ErrExist):
				return fmt.Errorf("policy new: %s already exists: name another FILE", oneLine(name, 200))
			case errors.Is(err, os.ErrNotExist):
				return fmt.Errorf("policy new: the directory %s does not exist: create it first", oneLine(filepath.Dir(name), 200))
			case err != nil:
				return fmt.Errorf("policy new: %w", err)
			}
			_, err = f.WriteString(file.Starter())
			if err := errors.Join(err, f.Close()); err != nil {
				return fmt.Errorf("policy new: %w", err)
			}
			cmd.Printf("Wrote %s. Check it:\n  sluice policy check %s\nTry a call:\n  sluice policy try --policies %s --shell 'rm -rf /'\n", name, name, name)
			return nil
		},
	}
}

// inLines lists words in lines as long as those of a help text.
func inLines(indent string, list []string) string {
	text, width := indent, len(indent)
	for i, word := range list {
		if i > 0 {
			text += ","
			if width+len(word) > 80 {
				text, width = text+"\n"+indent, len(indent)
			} else {
				text, width = text+" ", width+1
			}
		}
		text, width = text+word, width+len(word)+1
	}
	return text
}
