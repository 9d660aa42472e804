package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

func newPolicyCheck() *cobra.Command {
	var asJSON, quiet bool
	cmd := &cobra.Command{
		Use:   "check [flags] FILE...",
		Short: "Check policy files and run their examples",
		Long: `Check reads policy files as one set, as a gateway would, compiles every expression
and runs every example. preset:NAME is one that comes with the program. Files add
to preset:recommended: it is in force alongside them unless preset:none leaves it
out, and the report says which presets and files are in force.

Problems are printed to standard error, one per line, with file, line, column and
what to write instead. Judges and hooks are not asked, and their models and secrets
need not be set up.

Exit codes: 0 the files are correct; 1 they are not; 2 wrong usage, or one cannot be
read.`,
		Example: `  sluice policy check policies.yaml
  sluice policy check preset:recommended policies.yaml
  sluice policy check --json policies.yaml | jq '.problems[]'`,
		RunE: func(cmd *cobra.Command, files []string) error {
			if len(files) == 0 {
				return errors.New("policy check: name a FILE, or preset:NAME")
			}
			var missing absent
			loaded, err := file.Load(file.Options{
				Models: missing.named, Secret: missing.secret, Feedback: true, Approver: true, Thorough: true,
			}, files...)
			report := checkReport{OK: err == nil, Files: []fileCount{}, InForce: []string{}, Problems: []problem{}, Warnings: []problem{}, Notes: missing.notes}
			if err != nil {
				wrong, warned := problemsOf(err).Split()
				report.Problems, report.Warnings = problemList(wrong), problemList(warned)
			} else {
				report.fill(loaded)
				report.Notes = append(report.Notes, hostNotes(loaded.Policies)...)
				for _, w := range loaded.Warnings {
					if w.Note {
						report.Notes = append(report.Notes, w.String())
					}
				}
			}
			switch {
			case asJSON:
				if err := showJSON(cmd.OutOrStdout(), report); err != nil {
					return fmt.Errorf("print the report: %w", err)
				}
			case err != nil:
				printProblems(cmd, problemsOf(err))
				if !quiet {
					cmd.PrintErrln(count(len(report.Problems), "problem"))
				}
			case quiet:
				for _, w := range loaded.Warnings {
					if !w.Note {
						cmd.PrintErrln("warning: " + oneLine(w.String(), 1000))
					}
				}
			default:
				if err := showCheck(cmd.OutOrStdout(), &report, loaded); err != nil {
					return fmt.Errorf("print the report: %w", err)
				}
			}
			if err != nil {
				return exitOf(err)
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "print one JSON object")
	flags.BoolVarP(&quiet, "quiet", "q", false, "print only problems and warnings, to standard error")
	return cmd
}

// exitOf is the exit code for policy files that cannot be used: one for those that are
// wrong, another if one cannot be read.
func exitOf(err error) error {
	if slices.ContainsFunc(problemsOf(err), func(p file.Problem) bool { return p.Unreadable }) {
		return exitError(exitUnreadable)
	}
	return exitError(exitIncomplete)
}

// checkReport is the JSON form of what check found.
type checkReport struct {
	OK       bool        `json:"ok"`
	Files    []fileCount `json:"files"`
	InForce  []string    `json:"in_force"`
	LeftOut  string      `json:"left_out,omitempty"`
	Policies int         `json:"policies"`
	Examples int         `json:"examples"`
	Forms    int         `json:"forms"`
	Version  string      `json:"version"`
	Problems []problem   `json:"problems"`
	Warnings []problem   `json:"warnings"`
	Notes    []string    `json:"notes,omitempty"`
}

func (r *checkReport) fill(loaded *file.Loaded) {
	r.Files = countByFile(loaded.Sources, loaded.Policies)
	r.Policies, r.Examples, r.Forms, r.Version = len(loaded.Policies), loaded.Examples, loaded.Forms, loaded.Set.Version()
	r.InForce, r.LeftOut = append(r.InForce, loaded.Sources...), loaded.LeftOut
	r.Warnings = problemList(slices.DeleteFunc(slices.Clone(loaded.Warnings), func(p file.Problem) bool { return p.Note }))
}

// showCheck prints the summary of files that are correct.
func showCheck(w io.Writer, r *checkReport, loaded *file.Loaded) error {
	var b strings.Builder
	for _, f := range r.Files {
		own := countOf(f.Policies, "policy", "policies")
		if f.Policies == 0 {
			own = "no policies of its own"
		}
		fmt.Fprintf(&b, "%s: %s\n", oneLine(f.File, 200), own)
	}
	examples := count(r.Examples, "example")
	if r.Forms > r.Examples {
		examples += " in " + count(r.Forms, "form")
	}
	fmt.Fprintf(&b, "ok: %s%s, %s as wanted, version %s\n",
		countOf(r.Policies, "policy", "policies"), modes(loaded.Policies), examples, r.Version)
	fmt.Fprintf(&b, "in force: %s\n", oneLine(cmp.Or(strings.Join(loaded.Sources, ", "), "none"), 1000))
	if note := loaded.Note(); note != "" {
		fmt.Fprintf(&b, "warning: %s\n", oneLine(note, 1000))
	}
	for _, p := range loaded.Warnings {
		if !p.Note {
			fmt.Fprintf(&b, "warning: %s\n", oneLine(p.String(), 1000))
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", oneLine(note, 1000))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// hostNotes says which policies have no examples, and how hosts treat those that ask
// somebody, or tell the model.
func hostNotes(policies []file.Policy) []string {
	var asking, telling, untried []string
	for i := range policies {
		p := &policies[i]
		if p.Mode == "disabled" {
			continue
		}
		if p.Preset == "" && p.Examples == 0 {
			untried = append(untried, p.Name)
		}
		if p.Then == "ask" || p.OnUnknown == "ask" || p.OnError == "ask" {
			asking = append(asking, p.Name)
		}
		if p.Then == policy.BlockFeedback.String() {
			telling = append(telling, p.Name)
		}
	}
	var notes []string
	if untried != nil {
		notes = append(notes, "without examples, so that nothing shows whether they do what they should: "+strings.Join(untried, ", "))
	}
	if asking != nil {
		notes = append(notes, "nobody can be asked at the gateway, so ask blocks there; the hook for Claude Code asks its user: "+strings.Join(asking, ", "))
	}
	if telling != nil {
		notes = append(notes, "block: feedback acts as end_turn at the gateway, which does not ask the model again; agents do: "+strings.Join(telling, ", "))
	}
	return notes
}

// modes says how many policies are not enforced, if any.
func modes(policies []file.Policy) string {
	var parts []string
	for _, mode := range []string{"shadow", "disabled"} {
		n := 0
		for i := range policies {
			if policies[i].Mode == mode {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, mode))
		}
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
