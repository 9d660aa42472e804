package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/policy/file"
)

func newPolicyList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [flags] [FILE...]",
		Short: "List the policies of files",
		Long: `List shows the policies of files in the order in which they are applied: their mode,
the blocks that they apply to, what they do and where they are defined. Those of
` + defaultPolicies + ` are in force alongside every FILE, and alone without one, unless
preset:none leaves them out. "sluice policy show NAME" explains one of them.

Exit codes: 0 the files are correct; 1 they are not; 2 wrong usage, or one cannot be
read.`,
		Example: `  sluice policy list
  sluice policy list policies.yaml
  sluice policy list --json policies.yaml | jq -r '.name + " " + .reason'`,
		RunE: func(cmd *cobra.Command, files []string) error {
			if len(files) == 0 {
				files = []string{defaultPolicies}
			}
			var missing absent
			loaded, err := file.Load(file.Options{
				Models: missing.model, Secret: missing.secret, Feedback: true, Approver: true,
			}, files...)
			if err != nil {
				printProblems(cmd, problemsOf(err))
				return exitOf(err)
			}
			list := listPolicies
			if asJSON {
				list = listPoliciesJSON
			}
			if err := list(cmd.OutOrStdout(), loaded.Policies); err != nil {
				return fmt.Errorf("print the list: %w", err)
			}
			if note := loaded.Note(); note != "" {
				cmd.PrintErrf("warning: %s\n", oneLine(note, 300))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per policy")
	return cmd
}

func listPolicies(w io.Writer, policies []file.Policy) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "NAME\tMODE\tAPPLIES TO\tTHEN\tUNKNOWN\tFROM") // Flush reports failures
	for _, p := range policies {
		from := oneLine(p.File, 200)
		if !strings.HasPrefix(from, "preset:") { // whose lines nobody can look up
			from = fmt.Sprintf("%s:%d", from, p.Line)
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", oneLine(p.Name, 80), p.Mode,
			strings.Join(p.Applies, " "), p.Then, p.OnUnknown, from)
	}
	return table.Flush()
}

func listPoliciesJSON(w io.Writer, policies []file.Policy) error {
	for _, p := range policies {
		err := showJSON(w, struct {
			Name      string   `json:"name"`
			Mode      string   `json:"mode"`
			Applies   []string `json:"applies_to"`
			Then      string   `json:"then"`
			OnUnknown string   `json:"on_unknown"`
			OnError   string   `json:"on_error"`
			Reason    string   `json:"reason"`
			File      string   `json:"file"`
			Line      int      `json:"line"`
			Preset    string   `json:"preset,omitempty"`
			Version   string   `json:"version"`
			Doc       string   `json:"doc,omitempty"`
		}{p.Name, p.Mode, p.Applies, p.Then, p.OnUnknown, p.OnError, p.Reason, p.File, p.Line, p.Preset, p.Version, p.Doc})
		if err != nil {
			return err
		}
	}
	return nil
}
