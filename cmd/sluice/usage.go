package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sluice-project/sluice/connect"
	"github.com/sluice-project/sluice/internal/words"
)

// unknownCommand is the error of a command that has only subcommands. Without
// it the help would be shown, as if nothing were wrong.
func unknownCommand(cmd *cobra.Command, name string) error {
	var known []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			known = append(known, c.Name())
		}
	}
	if near := words.Nearest(name, known, words.Most(name)); near != "" {
		return fmt.Errorf("%s has no command %q: did you mean %s %s?", cmd.CommandPath(), name, cmd.CommandPath(), near)
	}
	return fmt.Errorf("%s has no command %q: see %s --help", cmd.CommandPath(), name, cmd.CommandPath())
}

// flagError says in one line what is wrong with a flag and what may have been
// meant.
func flagError(cmd *cobra.Command, err error) error {
	// The flags behind a word that is no command belong to the command that was meant.
	if before := cmd.Flags().Args(); cmd.HasSubCommands() && len(before) > 0 {
		return unknownCommand(cmd, before[0])
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := unknown.GetSpecifiedName()
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				known = append(known, f.Name)
			}
		})
		if near := words.Nearest(name, known, words.Most(name)); near != "" && len(name) > 1 {
			return fmt.Errorf("unknown flag: --%s: did you mean --%s?", name, near)
		}
		if longer := endingIn(name, known); longer != "" {
			return fmt.Errorf("unknown flag: --%s: did you mean --%s?", name, longer)
		}
		if name == "policies" && cmd.HasParent() && cmd.Parent().Name() == "policy" {
			return fmt.Errorf("unknown flag: --policies: name the files without it, as in %s", cmd.UseLine())
		}
		dashes := "--"
		if len(name) == 1 {
			dashes = "-"
		}
		return fmt.Errorf("unknown flag: %s%s: see %s --help", dashes, name, cmd.CommandPath())
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		flag := invalid.GetFlag()
		return fmt.Errorf("--%s: %q is not %s: see %s --help", flag.Name, invalid.GetValue(), kindOf(flag), cmd.CommandPath())
	}
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		flag := missing.GetFlag()
		return fmt.Errorf("--%s needs %s after it: see %s --help", flag.Name, kindOf(flag), cmd.CommandPath())
	}
	return fmt.Errorf("%w: see %s --help", err, cmd.CommandPath())
}

// endingIn returns the only flag whose last words are the name, as --session-cwd is for
// cwd; empty if there is none or several.
func endingIn(name string, known []string) string {
	found := ""
	for _, flag := range known {
		if strings.HasSuffix(flag, "-"+name) {
			if found != "" {
				return ""
			}
			found = flag
		}
	}
	return found
}

// The sentences of the library that reads the command line about flags that exclude,
// or need, each other.
var (
	excluding = regexp.MustCompile(`^if any flags in the group \[.*\] are set none of the others can be; \[(.*)\] were all set$`)
	needing   = regexp.MustCompile(`^if any flags in the group \[.*\] are set they must all be set; missing \[(.*)\]$`)
	required  = regexp.MustCompile(`^required flag\(s\) (.*) not set$`)
	oneNeeded = regexp.MustCompile(`^at least one of the flags in the group \[(.*)\] is required$`)
)

// plainUsage says in plain words what is wrong with a command line.
func plainUsage(root *cobra.Command, args []string, err error) error {
	text := err.Error()
	path := root.Name()
	if cmd, _, found := root.Find(args); found == nil {
		path = cmd.CommandPath()
	}
	flags := func(list string) []string {
		names := strings.Fields(strings.NewReplacer(`"`, "", ",", "").Replace(list))
		for i := range names {
			names[i] = "--" + names[i]
		}
		return names
	}
	switch {
	case excluding.MatchString(text):
		names := flags(excluding.FindStringSubmatch(text)[1])
		return fmt.Errorf("%s cannot be combined: give one of them, see %s --help", joinAnd(names), path)
	case needing.MatchString(text):
		return fmt.Errorf("%s is missing: see %s --help", joinAnd(flags(needing.FindStringSubmatch(text)[1])), path)
	case required.MatchString(text):
		return fmt.Errorf("%s is missing: see %s --help", joinAnd(flags(required.FindStringSubmatch(text)[1])), path)
	case oneNeeded.MatchString(text):
		return fmt.Errorf("give %s: see %s --help", words.OneOf(flags(oneNeeded.FindStringSubmatch(text)[1])), path)
	}
	return err
}

// newHelp is the command help, which says what an unknown command is like.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND...]",
		Short: "Show the help of a command",
		Long: `Help prints the same as --help of a command.

Exit codes: 0 it was printed; 2 there is no such command.`,
		Example: `  sluice help run
  sluice help policy try`,
		RunE: func(cmd *cobra.Command, args []string) error {
			of, rest, err := cmd.Root().Find(args)
			switch {
			case err != nil || of == nil:
				return unknownCommand(cmd.Root(), args[0])
			case len(rest) > 0 && of.HasSubCommands():
				return unknownCommand(of, rest[0])
			case len(rest) > 0:
				return fmt.Errorf("%s has no commands of its own, but got %q: see %s --help", of.CommandPath(), rest[0], of.CommandPath())
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		},
	}
}

// joinAnd lists words: a, b and c.
func joinAnd(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// kindOf says what a flag takes.
func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "int64", "uint":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "duration":
		return "a time like 30s or 5m"
	}
	return "a value"
}

// noArgs refuses arguments where a command has none.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, but got %q: see %s --help", cmd.CommandPath(), args[0], cmd.CommandPath())
	}
	return nil
}

// exactlyOne refuses anything but one argument.
func exactlyOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%s takes one %s, but got %d: see %s --help", cmd.CommandPath(), what, len(args), cmd.CommandPath())
		}
		return nil
	}
}

// atMostOne refuses more than one argument.
func atMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return fmt.Errorf("%s takes at most one %s; %q is one too many: see %s --help", cmd.CommandPath(), what, args[1], cmd.CommandPath())
		}
		return nil
	}
}

// findClient finds a client by its name; otherwise says what can be done
// instead.
func findClient(name, otherwise string) (connect.Client, error) {
	if client, known := connect.Find(name); known {
		return client, nil
	}
	all := connect.Clients()
	names := make([]string, 0, len(all))
	for _, c := range all {
		names = append(names, c.Name)
	}
	if near := words.Nearest(name, names, words.Most(name)); near != "" {
		return connect.Client{}, fmt.Errorf("%q is not a client that Sluice knows: did you mean %s?", name, near)
	}
	return connect.Client{}, fmt.Errorf("%q is not a client that Sluice knows: use one of %s, %s", name, strings.Join(names, ", "), otherwise)
}
