package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// text is a template of the object of an effect: words, {role} for the values of a
// role, and [...] for a part that is left out when none of its roles has a value.
// Of the first {role} with several values each gives an effect of its own; {role*}
// are all of them, {role%.gz} is one without its ending, {role#refs/} without its
// beginning, {role#*!} without all up to the first sign, {role##*/} up to the
// last, and {role//./-} with one sign in the place of another.
type text struct {
	parts   []part
	written string // as the description has it
}

type part struct {
	literal string
	role    string
	all     bool   // {role*}
	without string // {role%.gz}: an ending that is left out
	behind  string // {role#refs/}: a beginning that is left out
	option  []part // [...]
}

// Roles that every invocation has.
const (
	roleProgram = "program" // the name of the program
	roleCommand = "command" // the words of the command
	roleWords   = "words"   // the operands behind them
	roleAfter   = "after"   // the words behind "--"
	roleOptions = "options" // the values of all options
	// Those of the words and options for the whole command line, where a flag or
	// operand has the name of one of the others.
	wholeCommand, wholeWords, wholeOptions = " command", " words", " options"
)

// isGiven reports whether every invocation has a role.
func isGiven(role string) bool {
	switch role {
	case roleProgram, roleCommand, roleWords, roleAfter, roleOptions, wholeCommand, wholeWords, wholeOptions:
		return true
	}
	return strings.HasPrefix(role, "$")
}

// whole is the object of an effect of which nothing else is said: the command line.
var whole = text{written: "{program}[ {command*}][ {words*}][ {options*}]", parts: []part{
	{role: roleProgram}, {option: []part{{literal: " "}, {role: wholeCommand, all: true}}},
	{option: []part{{literal: " "}, {role: wholeWords, all: true}}}, {option: []part{{literal: " "}, {role: wholeOptions, all: true}}},
}}

// parseText reads a template.
func parseText(s string) (text, error) {
	parts, rest, err := parseParts(s, false)
	if err == nil && rest != "" {
		err = fmt.Errorf("%q has a ] without a [", s)
	}
	return text{parts, s}, err
}

func parseParts(s string, inside bool) (parts []part, rest string, err error) {
	for s != "" {
		i := strings.IndexAny(s, "{[]")
		if i < 0 {
			break
		}
		if i > 0 {
			parts = append(parts, part{literal: s[:i]})
		}
		sign := s[i]
		s = s[i+1:]
		switch sign {
		case ']':
			if !inside {
				return parts, "]" + s, nil
			}
			return parts, s, nil
		case '[':
			var option []part
			if option, s, err = parseParts(s, true); err != nil {
				return nil, "", err
			}
			parts = append(parts, part{option: option})
		default:
			end := strings.IndexByte(s, '}')
			if end < 0 {
				return nil, "", errors.New("a { has no }")
			}
			role, all := strings.CutSuffix(s[:end], "*")
			role, without, _ := strings.Cut(role, "%")
			role, signs, replaced := strings.Cut(role, "//")
			role, behind, _ := strings.Cut(role, "#")
			if replaced {
				behind = "/" + signs
			}
			parts = append(parts, part{role: role, all: all, without: without, behind: behind})
			s = s[end+1:]
		}
	}
	if inside {
		return nil, "", errors.New("a [ has no ]")
	}
	if s != "" {
		parts = append(parts, part{literal: s})
	}
	return parts, "", nil
}

// roles calls f with every role of the template.
func (t *text) roles(f func(role string)) { eachRole(t.parts, f) }

func eachRole(parts []part, f func(string)) {
	for i := range parts {
		if parts[i].role != "" {
			f(parts[i].role)
		}
		eachRole(parts[i].option, f)
	}
}

// each is the first role that has several values, of which each gives a text of its
// own; empty if there is none.
func (t *text) each(r *Reading) string {
	each := ""
	t.roles(func(role string) {
		if each == "" && len(r.values(role)) > 1 && !t.joins(role) {
			each = role
		}
	})
	return each
}

// fill writes the template with the values of a reading, and with one value of a role.
func (t *text) fill(r *Reading, role string, one value) string {
	return strings.TrimSpace(write(t.parts, r, role, one.text))
}

// lone reports whether there is nothing but one value in the template.
func (t *text) lone() bool {
	return len(t.parts) == 1 && t.parts[0].role != "" && !t.parts[0].all
}

// lacks reports whether a role outside of brackets has no value, so that there is
// nothing that the effect happens to.
func (t *text) lacks(r *Reading) bool {
	for i := range t.parts {
		if role := t.parts[i].role; role != "" && (!isGiven(role) || isNoted(role)) && len(r.values(role)) == 0 {
			return true
		}
	}
	return false
}

func (t *text) joins(role string) bool {
	all := false
	var find func([]part)
	find = func(parts []part) {
		for i := range parts {
			all = all || parts[i].role == role && parts[i].all
			find(parts[i].option)
		}
	}
	find(t.parts)
	return all
}

func write(parts []part, r *Reading, each, one string) string {
	var b strings.Builder
	for i := range parts {
		switch p := &parts[i]; {
		case p.role != "" && p.role == each:
			b.WriteString(p.cut(one))
		case p.role != "":
			values := r.values(p.role)
			if len(values) == 0 && r.More && !isGiven(p.role) { // what it happens to comes from elsewhere
				b.WriteByte('*')
			}
			for i, v := range values {
				if i > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(p.cut(v.text))
			}
		case p.option != nil:
			filled := false
			eachRole(p.option, func(role string) {
				filled = filled || slices.ContainsFunc(r.values(role), func(v value) bool { return v.text != "" })
			})
			if filled {
				b.WriteString(write(p.option, r, each, one))
			}
		default:
			b.WriteString(p.literal)
		}
	}
	return b.String()
}

// cut is a value without what the template leaves out of it.
func (p *part) cut(value string) string {
	if signs, ok := strings.CutPrefix(p.behind, "/"); ok {
		if from, to, ok := strings.Cut(signs, "/"); ok {
			return strings.ReplaceAll(value, from, to)
		}
	}
	if sign, ok := strings.CutPrefix(p.behind, "#*"); ok {
		if i := strings.LastIndex(value, sign); i >= 0 {
			value = value[i+len(sign):]
		}
		return strings.TrimSuffix(value, p.without)
	}
	if sign, ok := strings.CutPrefix(p.behind, "*"); ok {
		if _, after, found := strings.Cut(value, sign); found {
			return strings.TrimSuffix(after, p.without)
		}
	}
	return strings.TrimPrefix(strings.TrimSuffix(value, p.without), p.behind)
}
