package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// MostConfigs is how many files of options, and files in those, are read.
const MostConfigs = 8

// withConfigs is a reading with the options that its files of options hold.
func withConfigs(a *invocation.Act, in *command.Reading) *command.Reading {
	var read []string
	for {
		next := slices.IndexFunc(in.Values("config"), func(file string) bool { return !slices.Contains(read, file) })
		if next < 0 {
			return in
		}
		file := in.Values("config")[next]
		read = append(read, file)
		text, known := a.FileGiven(file)
		if !known || len(read) > MostConfigs {
			follow.ReadsFiles(a, file)
			a.Doubt(invocation.Source)
			continue
		}
		args := configArgs(text)
		if len(args) > follow.MostOptions {
			a.Doubt(invocation.Long)
			args = args[:follow.MostOptions]
		}
		in = in.With(args)
	}
}

// configArgs are the options of such a file as arguments: one a line, with = or :
// or blanks before the value, with or without dashes.
func configArgs(text string) []string {
	var args []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value := line, ""
		if i := strings.IndexAny(line, "=: \t"); i >= 0 {
			name, value = line[:i], strings.TrimLeft(line[i:], "=: \t")
		}
		if !strings.HasPrefix(name, "-") {
			name = "--" + name
		}
		if quoted, ok := strings.CutPrefix(value, `"`); ok {
			quoted, _, _ = strings.Cut(strings.ReplaceAll(quoted, `\"`, "\x00"), `"`)
			value = strings.ReplaceAll(follow.Ansi(quoted), "\x00", `"`)
		} else {
			value, _, _ = strings.Cut(value, " ")
			value = strings.Trim(value, "'")
		}
		if args = append(args, name); value != "" {
			args = append(args, value)
		}
	}
	return args
}

// values are those of a role, with what curl's own variables stand for that options
// named --expand-* have in them: {{name}}, {{name:trim:b64}}. Those of the environment
// stay variables; what is in files is looked at where they are named.
func (q *request) values(role string) []string {
	values := q.in.Values(role)
	variables := q.in.Values("variable")
	if len(variables) == 0 || len(variables) > follow.MostAddresses {
		return values
	}
	for _, variable := range variables {
		name, text, literal := strings.Cut(variable, "=")
		if of, ok := strings.CutPrefix(name, "%"); ok {
			name, _, _ = strings.Cut(of, "@")
			text = "$" + name
		} else if !literal {
			name, _, _ = strings.Cut(variable, "@")
		}
		for i, value := range values {
			if !q.R.Pay(1 + len(value)) {
				return values
			}
			before, after, ok := strings.Cut(value, "{{"+name)
			if _, rest, closed := strings.Cut(after, "}}"); ok && closed && (after[0] == '}' || after[0] == ':') {
				values[i] = before + text + rest
			}
		}
	}
	return values
}
