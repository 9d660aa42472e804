package command

import (
	"iter"
	"slices"
	"strings"
)

// Reading is one way in which an invocation can be meant: its options and operands
// by their roles.
type Reading struct {
	*Invocation

	program   *Program
	command   *Command
	variables []variable
	line      line
	// firstEnds: the first operand ends the options.
	firstEnds bool
	// subcommand: the command is called by words.
	subcommand bool
	host       Host
	roles      bindings
	// parts are the values of further roles in a case, apart from the others, which need
	// not be collected again for each value that is told apart.
	parts []binding
	// each is the role of which one is the value that an effect is about.
	each string
	one  value
	// answers are those of tests that are not about the one value, while an effect is said
	// for many values; nil otherwise.
	answers map[*test]answer
}

type value struct {
	text          string
	listed, maybe bool
	// at is its place among the arguments, -1 for the value of an option, which is in
	// the argument in.
	at, in int
}

// values are those of a role; "$NAME" is a variable of the environment.
func (r *Reading) values(role string) []value {
	values, shared := r.wholeValues(role), true
	for i := range r.parts {
		if r.parts[i].role == role {
			if shared {
				values, shared = slices.Clone(values), false
			}
			values = append(values, r.parts[i].value)
		}
	}
	return values
}

// wholeValues are the values of a role outside of cases.
func (r *Reading) wholeValues(role string) []value {
	if name, ok := strings.CutPrefix(role, "$"); ok {
		if v, set := r.variable(name); set && v != "" {
			return []value{{text: v}}
		}
		return nil
	}
	if isNoted(role) {
		if r.host == nil {
			return nil
		}
		var values []value
		for _, text := range r.host.Values(role) {
			values = append(values, value{text: text, at: -1})
		}
		return values
	}
	if isGiven(role) {
		return r.given(role)
	}
	return r.roles.of(role, "")
}

// noted are the roles that only the host knows:
//
//	@sources     the private files and variables that are in the input and the arguments
//	@contents    those whose contents were put into the arguments
//	@variables   the variables that are set for the program alone
//	@input       the text of the input, if it is known
//	@remote      the address that the input was fetched from
//	@settings    the registries that files of settings name which the conversation wrote
var noted = []string{"@sources", "@contents", "@variables", "@input", "@remote", "@settings"}

// isNoted reports whether a role is one that only the host knows.
func isNoted(role string) bool { return strings.HasPrefix(role, "@") }

// Values are those of a role, in the order in which they were given.
func (r *Reading) Values(role string) []string {
	values := r.values(role)
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = v.text
	}
	return texts
}

// Maybe reports whether a value of a role may be something else in another reading.
func (r *Reading) Maybe(role string, i int) bool {
	values := r.values(role)
	return i < len(values) && values[i].maybe
}

// Certain are the values of a role that cannot be those of an option that is not known:
// in one reading there are no others.
func (r *Reading) Certain(role string) []string {
	var texts []string
	for _, v := range r.values(role) {
		if !v.maybe {
			texts = append(texts, v.text)
		}
	}
	return texts
}

// Value is the last value of a role, empty if there is none.
func (r *Reading) Value(role string) string {
	if all := r.values(role); len(all) > 0 {
		return all[len(all)-1].text
	}
	return ""
}

// Has reports whether an option is given and not switched off.
func (r *Reading) Has(option string) bool {
	t := test{what: hasOption, name: option}
	return t.ask(r) != no
}

// Surely reports whether one of the options is given, cannot be the value of another and
// is not taken back: only that may be a reason for something not to happen.
func (r *Reading) Surely(options ...string) bool {
	return slices.ContainsFunc(options, func(option string) bool {
		t := test{what: hasOption, name: option}
		return t.spares(r) == yes
	})
}

// Behind are the words behind the first value of a role, as they were given: those of
// something that has options of its own.
func (r *Reading) Behind(role string) []string {
	values := r.values(role)
	if len(values) == 0 {
		return nil
	}
	return r.Args[min(max(values[0].at, values[0].in)+1, len(r.Args)):]
}

// Places are the arguments in which the values of a role are.
func (r *Reading) Places(role string) []int {
	values := r.values(role)
	places := make([]int, len(values))
	for i, v := range values {
		places[i] = max(v.at, v.in)
	}
	return places
}

// From are the words from the value of a role on, as they were given, for each word that
// may be the first.
func (r *Reading) From(role string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, v := range r.values(role) {
			if v.at >= 0 && !yield(r.Args[v.at:]) || !v.maybe {
				return
			}
		}
	}
}

// Options are the names of the options as they were given, without dashes.
func (r *Reading) Options() []string {
	names := make([]string, len(r.line.options))
	for i := range names {
		names[i] = r.line.options[i].name
	}
	return names
}

// With is the reading with more arguments, as from a file of options. They come
// first.
func (r *Reading) With(args []string) *Reading {
	if with := r.program.Read(r.with(args)); with != nil {
		return with
	}
	return r
}

// Begins are the ways in which the values of a role can begin: words in front that may
// be values of options that are not known are read both as these and as the first.
func (r *Reading) Begins(role string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		values, words := r.values(role), r.Values(role)
		for i, v := range values {
			all := words[i:]
			if v.maybe && v.at >= 0 && r.firstEnds { // if it is the first, all behind it is its own
				all = r.Args[v.at:]
			}
			if !yield(all) || !v.maybe {
				return
			}
		}
	}
}
