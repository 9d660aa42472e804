package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/internal/words"
	"github.com/sluice-project/sluice/policy/file"
)

func newPolicyShow() *cobra.Command {
	var policies []string
	var asJSON, asMarkdown bool
	var colour string
	cmd := &cobra.Command{
		Use:   "show [flags] NAME [FILE...]",
		Short: "Explain one policy: what it does, sees and cannot see",
		Long: `Show explains a policy: what it is for, what it does, what it sees and cannot see,
its condition, its parameters, and examples that match and that do not. Without a
FILE it explains one that comes with the program; with one, the policy as it is
there, with the parameters and exceptions in force.

Exit codes: 0 it was found; 1 the files are wrong; 2 there is no such policy, a file
cannot be read, or wrong usage.`,
		Example: `  sluice policy show destructive-files
  sluice policy show git-safety policies.yaml
  sluice policy show -p policies.yaml git-safety
  sluice policy show --json git-safety | jq '.params[] | {name, value}'
  sluice policy show --markdown no-prod-kubectl policies.yaml > no-prod-kubectl.md`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("policy show: name a policy; sluice policy list shows their names")
			}
			p, err := newPainter(colour, cmd.OutOrStdout())
			if err != nil {
				return err
			}
			var missing absent
			o := file.Options{Models: missing.model, Secret: missing.secret, Feedback: true, Approver: true}
			pages, err := pagesOf(o, slices.Concat(policies, args[1:]))
			if err != nil {
				printProblems(cmd, problemsOf(err))
				return exitOf(err)
			}
			page, err := pageOf(pages, args[0])
			if err != nil {
				return err
			}
			switch {
			case asJSON:
				err = showPageJSON(cmd.OutOrStdout(), page)
			case asMarkdown:
				_, err = io.WriteString(cmd.OutOrStdout(), safeLines(page.Markdown()))
			default:
				err = showPage(cmd.OutOrStdout(), p, page)
			}
			if err != nil {
				return fmt.Errorf("print the policy: %w", err)
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "print one JSON object")
	flags.BoolVar(&asMarkdown, "markdown", false, "print a page of documentation")
	flags.StringVar(&colour, "color", "auto", "colour the text: auto, always, never")
	flags.StringArrayVarP(&policies, "policies", "p", nil, "policy `FILE` with the policy, as behind its name; can be repeated")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	return cmd
}

// pagesOf are the pages of the policies in files, or of all built-in ones.
func pagesOf(o file.Options, files []string) ([]file.Page, error) {
	if len(files) == 0 {
		return file.BuiltIn(o)
	}
	return file.Pages(o, files...)
}

func pageOf(pages []file.Page, name string) (*file.Page, error) {
	names := make([]string, len(pages))
	for i := range pages {
		if names[i] = pages[i].Name; names[i] == name {
			return &pages[i], nil
		}
	}
	hint := "sluice policy list shows their names; of a policy of your own, name the file behind it: sluice policy show " + oneLine(name, 80) + " FILE"
	if near := words.Closest(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return nil, fmt.Errorf("policy show: there is no policy %q: %s", oneLine(name, 80), hint)
}

// pageWidth is where text for people is broken into lines.
const pageWidth = 96

// whereOf is where a policy is defined: of a preset, nobody can look up the line.
func whereOf(page *file.Page) string {
	if name := oneLine(page.File, 200); !strings.HasPrefix(name, "preset:") {
		return fmt.Sprintf("%s:%d", name, page.Line)
	}
	return oneLine(page.File, 200)
}

// showPage prints a page for people.
func showPage(w io.Writer, p painter, page *file.Page) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", p.paint(bold, page.Name), p.paint(dim, whereOf(page)+", "+page.Mode))
	paragraph(&b, page.Doc)
	fact := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n%s\n", p.paint(cyan, name))
			paragraph(&b, text)
		}
	}
	fact("what it does", page.Does)
	fact("when it cannot tell", page.Unknown)
	fact("when it fails", page.Failure)
	fact("what it is about", strings.Join(page.Applies, ", "))
	fact("presets", memberships(page))
	fact("what people and the model are told", page.Reason)
	fact("what it sees", page.Sees)
	fact("what it cannot see", page.Blind)
	fmt.Fprintf(&b, "\n%s\n", p.paint(cyan, "condition"))
	block(&b, page.Rule)
	showParams(&b, p, page.Params)
	for i, condition := range page.Excepts {
		if i == 0 {
			fmt.Fprintf(&b, "\n%s\n", p.paint(cyan, "except where"))
		}
		block(&b, condition)
	}
	showExamples(&b, p, page.Examples)
	if try := page.Try(); try != "" {
		fmt.Fprintf(&b, "\n%s\n", p.paint(cyan, "try it"))
		block(&b, try)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func memberships(page *file.Page) string {
	names := make([]string, len(page.Presets))
	for i, m := range page.Presets {
		if names[i] = m.Preset; m.Mode != "enforce" {
			names[i] += " (" + m.Mode + ")"
		}
	}
	return strings.Join(names, ", ")
}

func showParams(b *strings.Builder, p painter, params []file.Param) {
	for i := range params {
		if i == 0 {
			fmt.Fprintf(b, "\n%s\n", p.paint(cyan, "parameters"))
		}
		param := &params[i]
		name := oneLine(param.Name, 200)
		if param.Changed() {
			name += p.paint(yellow, "  (not the default)")
		}
		fmt.Fprintf(b, "  %s\n", name)
		if param.Doc != "" {
			fmt.Fprintf(b, "      %s\n", p.paint(dim, oneLine(param.Doc, 1000)))
		}
		wrapped(b, "      ", strings.Split(valueText(param.Value), "\n"))
	}
}

// valueText is a parameter's value, each value of a list on a line.
func valueText(value any) string {
	list, ok := value.([]any)
	switch {
	case !ok:
		return fmt.Sprint(value)
	case len(list) == 0:
		return "(empty)"
	}
	texts := make([]string, len(list))
	for i, item := range list {
		texts[i] = fmt.Sprint(item)
		if i+1 < len(list) {
			texts[i] += ","
		}
	}
	return strings.Join(texts, "\n")
}

func showExamples(b *strings.Builder, p painter, examples []file.Example) {
	if len(examples) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", p.paint(cyan, "examples"))
	sorted := slices.Clone(examples)
	slices.SortStableFunc(sorted, func(x, y file.Example) int { return rank(&x) - rank(&y) })
	for i := range sorted {
		e := &sorted[i]
		c := green
		if e.Matches() {
			c = yellow
		}
		fmt.Fprintf(b, "  %s %s", p.paint(c, fmt.Sprintf("%-9s", e.Want)), oneLine(e.String(), 400))
		if len(e.Given) > 0 {
			b.WriteString(p.paint(dim, "  ("+oneLine(strings.Join(e.Given, ", "), 400)+")"))
		}
		b.WriteByte('\n')
	}
}

// rank sorts what matches first.
func rank(e *file.Example) int {
	if e.Matches() {
		return 0
	}
	return 1
}

// paragraph prints text in lines that fit a terminal.
func paragraph(b *strings.Builder, text string) {
	if text != "" {
		wrapped(b, "  ", strings.Fields(text))
	}
}

// wrapped prints words in lines that fit a terminal.
func wrapped(b *strings.Builder, indent string, list []string) {
	line := ""
	for _, word := range list {
		word = oneLine(word, 400)
		if line != "" && len(indent)+len(line)+1+len(word) > pageWidth {
			b.WriteString(indent + line + "\n")
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	b.WriteString(indent + line + "\n")
}

// block prints lines as they are.
func block(b *strings.Builder, text string) {
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		fmt.Fprintf(b, "  %s\n", oneLine(strings.TrimSuffix(line, "\n"), 2000))
	}
}

// safeLines makes text safe for a terminal but keeps its line breaks.
func safeLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(oneLine(strings.TrimSuffix(line, "\n"), 1<<20) + "\n")
	}
	return b.String()
}
