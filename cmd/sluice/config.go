package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/gateway/server"
	"github.com/sluice-project/sluice/gateway/settings"
	"github.com/sluice-project/sluice/policy/file"
)

func newConfig() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "config [flags]",
		Short: "Show the configuration of the gateway, and where each value came from",
		Long: `Config shows what "sluice serve" would do with the same flags: every key, its value,
and where the value comes from: a flag, a variable, a line of the configuration
file, or the default. Secrets are not shown. The policies, the certificate and its
key are loaded as "sluice serve" loads them, and what is wrong with them is
reported.

Flags take precedence over variables, variables over the file, and the file over the
defaults. The file is the one that --config or SLUICE_CONFIG names, otherwise
config.yaml in the user's configuration directory for sluice.

Exit codes: 0 the configuration can be used; 2 it cannot: everything that is wrong
with it is printed to standard error.`,
		Example: `  sluice config
  sluice config --config gateway.yaml --listen 127.0.0.1:9000
  sluice config --json | jq -r '.entries[] | select(.origin != "default") | .path'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return configJSON(cmd)
			}
			s, err := loadSettings(cmd)
			if err != nil {
				return err
			}
			loaded, errs := server.Check(s)
			if err := showConfig(cmd.OutOrStdout(), s, loaded); err != nil {
				return fmt.Errorf("print the configuration: %w", err)
			}
			for _, wrong := range errs {
				err = cannotServe(cmd, wrong)
			}
			return err
		},
	}
	settings.Flags(cmd.Flags())
	settings.ServeFlags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// showConfig prints the configuration as a table, and the policies that it puts
// in force; loaded is nil if they cannot be used.
func showConfig(w io.Writer, s *settings.Settings, loaded *file.Loaded) error {
	if s.File != "" {
		if _, err := fmt.Fprintf(w, "file: %s\n\n", oneLine(s.File, 400)); err != nil {
			return err
		}
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "KEY\tVALUE\tFROM") // Flush reports failures
	for _, e := range s.Entries() {
		value := oneLine(e.Value, 200)
		if value == "" {
			value = "(none)"
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\n", oneLine(e.Path, 120), value, oneLine(e.Origin, 200))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	var warnings []string
	for _, p := range s.Warnings {
		warnings = append(warnings, "warning: "+p.String())
	}
	if loaded != nil {
		if _, err := fmt.Fprintf(w, "\nin force: %s\n", oneLine(inForce(loaded), 1000)); err != nil {
			return err
		}
		if note := loaded.Note(); note != "" {
			warnings = append(warnings, "warning: "+note)
		}
		for _, p := range loaded.Warnings {
			kind := "warning: "
			if p.Note {
				kind = "note: "
			}
			warnings = append(warnings, kind+p.String())
		}
	}
	for i, text := range warnings {
		if i == 0 {
			_, _ = fmt.Fprintln(w)
		}
		if _, err := fmt.Fprintf(w, "%s\n", oneLine(text, 1000)); err != nil {
			return err
		}
	}
	return nil
}

// configReport is the JSON form of a configuration.
type configReport struct {
	OK      bool          `json:"ok"`
	File    string        `json:"file"`
	Entries []configEntry `json:"entries"`
	// InForce are the presets and files whose policies are in force, LeftOut is
	// where recommended is left out.
	InForce  []string        `json:"in_force"`
	LeftOut  string          `json:"left_out,omitempty"`
	Problems []configProblem `json:"problems"`
	Warnings []configProblem `json:"warnings"`
}

type configEntry struct {
	Path     string `json:"path"`
	Value    string `json:"value"`
	Origin   string `json:"origin"`
	Flag     string `json:"flag"`
	Variable string `json:"variable"`
	Doc      string `json:"doc"`
}

type configProblem struct {
	Origin     string `json:"origin"`
	Line       int    `json:"line"`
	Column     int    `json:"column"`
	Message    string `json:"message"`
	Suggestion string `json:"suggestion"`
}

func configProblems(list []settings.Problem) []configProblem {
	out := make([]configProblem, 0, len(list))
	for _, p := range list {
		out = append(out, configProblem(p))
	}
	return out
}

// policyProblems turns what is wrong with policies into problems of a
// configuration.
func policyProblems(list []file.Problem) []configProblem {
	out := make([]configProblem, 0, len(list))
	for _, p := range list {
		message := p.Message
		if p.Policy != "" {
			message = "policy " + p.Policy + ": " + message
		}
		out = append(out, configProblem{p.File, p.Line, p.Column, message, p.Suggestion})
	}
	return out
}

// configJSON prints the configuration, or what is wrong with it, as JSON.
func configJSON(cmd *cobra.Command) error {
	s, err := readSettings(cmd)
	report := configReport{Entries: []configEntry{}, InForce: []string{}, Problems: []configProblem{}, Warnings: []configProblem{}}
	if err != nil {
		report.Problems = configProblems(settingsProblems(err))
	} else {
		loaded, errs := server.Check(s)
		report.File = s.File
		report.Warnings = configProblems(s.Warnings)
		if loaded != nil {
			report.InForce, report.LeftOut = append(report.InForce, loaded.Sources...), loaded.LeftOut
			if note := loaded.Note(); note != "" {
				report.Warnings = append(report.Warnings, configProblem{Origin: "policies", Message: note})
			}
			report.Warnings = append(report.Warnings, policyProblems(loaded.Warnings)...)
		}
		for _, e := range s.Entries() {
			report.Entries = append(report.Entries, configEntry(e))
		}
		for _, wrong := range errs {
			if problems, ok := errors.AsType[file.Problems](wrong); ok {
				wrong, warned := problems.Split()
				report.Problems = append(report.Problems, policyProblems(wrong)...)
				report.Warnings = append(report.Warnings, policyProblems(warned)...)
			} else {
				report.Problems = append(report.Problems, configProblem{Origin: "configuration", Message: wrong.Error()})
			}
		}
	}
	report.OK = len(report.Problems) == 0
	if failed := showJSON(cmd.OutOrStdout(), report); failed != nil {
		return fmt.Errorf("print the configuration: %w", failed)
	}
	if !report.OK {
		return exitError(exitUnreadable)
	}
	return nil
}
