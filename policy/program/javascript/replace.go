package javascript

import (
	"regexp"
	"strings"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
)

// replace computes replace and replaceAll.
func (e *evaluator) replace(v value, all bool, args []value) value {
	if len(args) < 2 {
		return value{}
	}
	from, by := args[0], args[1]
	var re *regexp.Regexp
	var places [][]int
	switch {
	case from.kind == pattern:
		flags, _ := from.ref.(string)
		most := 1
		if strings.Contains(flags, "g") {
			most = -1
		}
		if re = e.regexp(from.text, flags, v.text); re != nil {
			places = re.FindAllStringSubmatchIndex(v.text, most)
		}
	case from.kind == text && !from.partial:
		re = literal
		places = e.occurrences(v.text, from.text, all)
	}
	if re == nil {
		e.escape(by)
		return value{kind: text, text: Unknown, partial: true}
	}
	out := textValue("")
	out.partial = v.partial
	var b strings.Builder
	last := 0
	for _, at := range places {
		var with value
		switch by.kind {
		case function:
			groups := []value{}
			for i := 0; i+1 < len(at); i += 2 {
				if at[i] < 0 {
					groups = append(groups, value{kind: undefined})
					continue
				}
				groups = append(groups, textValue(v.text[at[i]:at[i+1]]))
			}
			with = e.toText(e.call(by, value{}, groups))
		default:
			with = e.toText(by)
			if with.kind == text && (strings.Contains(with.text, "$<") || strings.Contains(with.text, "$`") || strings.Contains(with.text, "$'")) {
				with = value{kind: text, text: Unknown, partial: true}
			}
			if with.kind == text && strings.Contains(with.text, "$") && !with.partial {
				with.text = string(re.ExpandString(nil, replacement(with.text, len(at)/2-1), v.text, at))
			}
		}
		if with.kind != text || !e.room(len(with.text)+at[0]-last) || b.Len()+len(with.text) > MaxText {
			return value{kind: text, text: Unknown, partial: true}
		}
		out.partial = out.partial || with.partial
		b.WriteString(v.text[last:at[0]])
		b.WriteString(with.text)
		last = at[1]
	}
	b.WriteString(v.text[last:])
	out.text = b.String()
	return out
}

// literal stands for a text that is looked for as it is: $& is all of it.
var literal = regexp.MustCompile(`.*`)

// occurrences are the places of a text in another, as package regexp has them.
func (e *evaluator) occurrences(in, s string, all bool) (places [][]int) {
	for from := 0; from <= len(in) && e.step(1); {
		i := strings.Index(in[from:], s)
		if i < 0 {
			break
		}
		places = append(places, []int{from + i, from + i + len(s)})
		if from += i + max(1, len(s)); !all {
			break
		}
	}
	return places
}

// replacement writes $1 and $& as package regexp has them.
func replacement(s string, groups int) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '$' || i+1 == len(s) {
			if s[i] == '$' {
				b.WriteByte('$')
			}
			b.WriteByte(s[i])
			continue
		}
		switch c := s[i+1]; {
		case c == '$':
			b.WriteString("$$")
			i++
		case c == '&':
			b.WriteString("${0}")
			i++
		case syntax.IsDigit(c) && c != '0' && int(c-'0') <= groups:
			b.WriteString("${" + s[i+1:i+2] + "}")
			i++
		default:
			b.WriteString("$$")
		}
	}
	return b.String()
}

// regexp compiles a pattern for a text, nil if that is not possible or too much
// work.
func (e *evaluator) regexp(source, flags, on string) *regexp.Regexp {
	if len(source) > 500 || len(source)*len(on) > 1<<19 || !e.step(100+len(source)*len(on)/256) {
		return nil
	}
	options := strings.Map(func(f rune) rune {
		if strings.ContainsRune("ims", f) {
			return f
		}
		return -1
	}, flags)
	if options != "" {
		source = "(?" + options + ")" + source
	}
	re, err := regexp.Compile(strings.ReplaceAll(source, `\/`, "/"))
	if err != nil {
		return nil
	}
	return re
}

func (e *evaluator) split(s string, args []value) value {
	l := &items{kept: e.branch}
	v := value{kind: list, ref: l}
	if len(args) == 0 || args[0].kind == undefined {
		l.all = []value{textValue(s)}
		return v
	}
	var parts []string
	switch by := args[0]; {
	case by.kind == text && !by.partial && by.text == "":
		if !e.step(len(s)) {
			return value{}
		}
		for i, n := 0, units(s); i < n && isASCII(s); i++ {
			parts = append(parts, s[i:i+1])
		}
		if !isASCII(s) {
			for _, r := range s {
				parts = append(parts, string(r))
			}
		}
	case by.kind == text && !by.partial:
		if !e.step(strings.Count(s, by.text)) {
			return value{}
		}
		parts = strings.Split(s, by.text)
	case by.kind == pattern:
		flags, _ := by.ref.(string)
		re := e.regexp(by.text, flags, s)
		if re == nil || re.NumSubexp() > 0 || re.MatchString("") {
			return value{}
		}
		parts = re.Split(s, -1)
		if !e.step(len(parts)) {
			return value{}
		}
	default:
		return value{}
	}
	most, ok := whole(args, 1, len(parts))
	if !ok || most < 0 {
		most = len(parts)
	}
	for _, part := range parts[:min(most, len(parts))] {
		l.all = append(l.all, textValue(part))
	}
	return v
}
