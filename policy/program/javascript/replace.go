package javascript

import (
	"regexp"
	"strings"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
)

// replace computes replace and replaceAll.
func (e *evaluator) replace(v value, all bool, args []value) value {
	from, by := arg(args, 0), arg(args, 1)
	var re *regexp.Regexp
	flags, _ := from.ref.(string)
	if s, ok := from.whole(); ok {
		re = e.regexp(regexp.QuoteMeta(s), "", v.text)
	} else if from.kind == pattern {
		re, all = e.regexp(from.text, flags, v.text), strings.Contains(flags, "g")
	}
	if len(args) < 2 || re == nil {
		e.escape(by)
		return someText()
	}
	most := 1
	if all {
		most = -1
	}
	out := value{kind: text, partial: v.partial}
	var b strings.Builder
	last := 0
	for _, at := range re.FindAllStringSubmatchIndex(v.text, most) {
		with := e.replacedBy(by, re, v.text, at)
		if with.kind != text || !e.room(len(with.text)+at[0]-last) || b.Len()+len(with.text) > MaxText {
			return someText()
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
	by := arg(args, 0)
	at, known := by.whole()
	var parts []string
	switch {
	case by.kind == undefined:
		parts = []string{s}
	case known && e.step(1+strings.Count(s, at)):
		parts = strings.Split(s, at)
	case by.kind == pattern:
		flags, _ := by.ref.(string)
		re := e.regexp(by.text, flags, s)
		if re == nil || re.NumSubexp() > 0 || re.MatchString("") {
			return value{}
		}
		if parts = re.Split(s, -1); !e.step(len(parts)) {
			return value{}
		}
	default:
		return value{}
	}
	most, ok := whole(args, 1, len(parts))
	if !ok || most < 0 {
		most = len(parts)
	}
	all := make([]value, 0, len(parts))
	for _, part := range parts[:min(most, len(parts))] {
		all = append(all, textValue(part))
	}
	return e.newList(all)
}

// replacedBy is what takes the place of a part of a text.
func (e *evaluator) replacedBy(by value, re *regexp.Regexp, in string, at []int) value {
	if by.kind == function {
		var groups []value
		for i := 0; i+1 < len(at); i += 2 {
			if at[i] < 0 {
				groups = append(groups, value{kind: undefined})
			} else {
				groups = append(groups, textValue(in[at[i]:at[i+1]]))
			}
		}
		return e.toText(e.call(by, value{}, groups))
	}
	with := e.toText(by)
	if with.kind == text && (strings.Contains(with.text, "$<") || strings.Contains(with.text, "$`") || strings.Contains(with.text, "$'")) {
		return someText()
	}
	if s, ok := with.whole(); ok && strings.Contains(s, "$") {
		with.text = string(re.ExpandString(nil, replacement(s, len(at)/2-1), in, at))
	}
	return with
}
