package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/stream"
)

// defaultPolicies are the policies in force if none are named.
const defaultPolicies = "preset:recommended"

// policiesUsage explains the flag for policies.
const policiesUsage = "policy file or folder, in addition to preset:recommended, or preset:NAME (preset:none leaves recommended out); can be repeated"

func newPolicy() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Check, list, explain and try policies",
		Long: `Policies decide about each block of an answer before a client can act on it. They
are YAML files. Wherever a file is expected, preset:NAME names one that comes with
the program. Files add to preset:recommended; preset:none leaves it out.`,
		Example: `  sluice policy check policies.yaml
  sluice policy list preset:recommended
  sluice policy show destructive-files
  sluice policy new
  sluice policy reference effect
  sluice policy try --sample
  sluice policy try --shell 'git push --force origin main'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	cmd.AddCommand(newPolicyCheck(), newPolicyList(), newPolicyShow(), newPolicyTry(), newPolicyNew(), newPolicyReference(), newPolicyProgram(), newPolicyPrograms())
	return cmd
}

// absent are the models and secrets that policies name and that this program
// does not have. Policies that need them are loaded anyway, so that the files
// of a gateway can be checked and tried anywhere.
type absent struct{ notes []string }

// notAskedError is the failure of a judge whose model this program does not
// have.
type notAskedError struct{ model string }

func (e *notAskedError) Error() string {
	return fmt.Sprintf("the model %q would have to be asked, and this command has no models", e.model)
}

// model stands for a model by that name and fails when it is asked.
func (a *absent) model(name string) (model.Model, error) {
	if name == "" {
		a.note("a judge names no model, so a gateway would refuse the policies; sluice policy check says what to write")
	} else {
		a.note(fmt.Sprintf("the model %s is not set up here and will not be asked", oneLine(name, 80)))
	}
	failed := &notAskedError{name}
	return model.Func(func(context.Context, *llm.Request) iter.Seq2[stream.Event, error] {
		return func(yield func(stream.Event, error) bool) { yield(stream.Event{}, failed) }
	}), nil
}

// named is like model, but fails if no model is named.
func (a *absent) named(name string) (model.Model, error) {
	if name == "" {
		return nil, errNoModel
	}
	return a.model(name)
}

// errNoModel is why a judge without a model cannot be set up.
var errNoModel = errors.New("no model is named")

// secret is that of a hook. One whose secret is not in the environment is not asked: a gateway
// would refuse the policy, and without a signature the answer may be anybody's.
func (a *absent) secret(name string) (string, error) {
	if value := os.Getenv(name); value != "" {
		return value, nil
	}
	err := fmt.Errorf("the variable %s, which has the secret of a hook, is not set, so %w", oneLine(name, 80), file.ErrNotAsked)
	a.note(err.Error() + " here and on_error decides; a gateway refuses the policy")
	return "", err
}

func (a *absent) note(text string) {
	if !slices.Contains(a.notes, text) {
		a.notes = append(a.notes, text)
	}
}

// printProblems prints what is wrong with policy files, one problem per line in
// the form that editors can jump to.
func printProblems(cmd *cobra.Command, problems file.Problems) {
	for _, p := range problems {
		cmd.PrintErrln(oneLine(p.String(), 1000))
	}
}

// problemsOf returns what is wrong with policy files.
func problemsOf(err error) file.Problems {
	if problems, ok := errors.AsType[file.Problems](err); ok {
		return problems
	}
	return file.Problems{{File: "policies", Message: err.Error()}}
}

// problem is the JSON form of a file.Problem.
type problem struct {
	File       string `json:"file"`
	Line       int    `json:"line"`
	Column     int    `json:"column"`
	Policy     string `json:"policy"`
	Message    string `json:"message"`
	Suggestion string `json:"suggestion"`
}

func problemList(list []file.Problem) []problem {
	out := make([]problem, 0, len(list))
	for _, p := range list {
		out = append(out, problem{p.File, p.Line, p.Column, p.Policy, p.Message, p.Suggestion})
	}
	return out
}

// inForce says whose policies are in force, and how many.
func inForce(loaded *file.Loaded) string {
	if len(loaded.Sources) == 0 {
		return "none"
	}
	return fmt.Sprintf("%s (%s, version %s)", strings.Join(loaded.Sources, ", "), countOf(loaded.Set.Len(), "policy", "policies"), loaded.Set.Version())
}

// fileCount is how many policies a file has.
type fileCount struct {
	File     string `json:"file"`
	Policies int    `json:"policies"`
}

// countByFile counts the policies of each file: those that were named, then
// those that they use.
func countByFile(named []string, policies []file.Policy) []fileCount {
	counts := make([]fileCount, 0, len(named))
	at := func(name string) *fileCount {
		i := slices.IndexFunc(counts, func(c fileCount) bool { return c.File == name })
		if i < 0 {
			counts = append(counts, fileCount{File: name})
			i = len(counts) - 1
		}
		return &counts[i]
	}
	for _, name := range named {
		at(name)
	}
	for _, p := range policies {
		at(cmp.Or(p.File, "policies")).Policies++
	}
	return counts
}
