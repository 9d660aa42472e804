package script

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/script/lexer"
)

// compared finds the comparison in a condition: the name it is about and what
// that is if the condition holds, or does not.
func (r *reader) compared(at, stop int) (name string, v value, not, ok bool) {
	if at < stop && r.tokens[at].Is("(") && int(r.tokens[at].Match) == stop-1 {
		at, stop = at+1, stop-1
	}
	several := false
	for at < stop {
		end := at
		for end < stop && !r.tokens[end].Word("and") && !r.tokens[end].Is("&&") {
			if m := int(r.tokens[end].Match); m > end {
				end = m
			}
			end++
		}
		end = min(end, stop)
		several = several || end < stop
		if name, v, not, ok = r.comparison(at, end); ok && !(not && several) {
			return name, v, not, true
		}
		at = end + 1
	}
	return "", value{}, false, false
}

// comparison reads one comparison.
func (r *reader) comparison(at, stop int) (name string, v value, not, ok bool) {
	if at < stop && (r.tokens[at].Word("not") || r.tokens[at].Is("!")) {
		not = true
		at++
	}
	if at >= stop {
		return "", value{}, false, false
	}
	how, subject, rest := "", r.tokens[at].Text, at+1
	switch first := &r.tokens[at]; {
	case first.Kind != lexer.Name:
		return "", value{}, false, false
	case first.Word("str_ends_with"), first.Word("str_starts_with"), first.Word("in_array"), first.Word("basename"), first.Word("fnmatch"), first.Word("os") && at+7 < stop && r.tokens[at+4].Word("basename"):
		return r.comparedCall(at, stop, not)
	}
	for rest+1 < stop && (r.tokens[rest].Is(".") || r.tokens[rest].Is("&.")) && r.tokens[rest+1].Kind == lexer.Name {
		switch r.tokens[rest+1].Text {
		case "name":
			how += "name "
		case "suffix":
			how += "suffix "
		case "lower", "strip", "path", "to_s", "downcase":
			if rest+3 < stop && r.tokens[rest+2].Is("(") {
				rest += 2
			}
		case "endswith", "end_with?":
			return r.narrowTo(subject, how+"suffix", rest+2, stop, not)
		case "startswith", "start_with?":
			return r.narrowTo(subject, how+"prefix", rest+2, stop, not)
		default:
			return "", value{}, false, false
		}
		rest += 2
	}
	if rest >= stop {
		return "", value{}, false, false
	}
	switch op := &r.tokens[rest]; {
	case op.Is("=="), op.Is("==="), op.Word("eq"):
	case op.Is("!="), op.Is("!=="), op.Word("ne"):
		not = !not
	case op.Word("in"):
		return r.narrowTo(subject, how+"in", rest+1, stop, not)
	case op.Word("not") && rest+1 < stop && r.tokens[rest+1].Word("in"):
		return r.narrowTo(subject, how+"in", rest+2, stop, !not)
	default:
		return "", value{}, false, false
	}
	return r.narrowTo(subject, how+"same", rest+1, stop, not)
}

// comparedCall reads a comparison that begins with a function: basename(p) == x.
func (r *reader) comparedCall(at, stop int, not bool) (name string, v value, negative, ok bool) {
	function := r.tokens[at].Text
	if function == "os" { // os.path.basename
		at += 4
		function = "basename"
	} else if function == "fnmatch" && r.tokens[at+1].Is(".") {
		at += 2
	}
	if at+2 >= stop || !r.tokens[at+1].Is("(") || r.tokens[at+2].Kind != lexer.Name {
		return "", value{}, false, false
	}
	end := int(r.tokens[at+1].Match)
	subject := r.tokens[at+2].Text
	switch function {
	case "str_ends_with":
		return r.narrowTo(subject, "suffix", at+4, end, not)
	case "str_starts_with":
		return r.narrowTo(subject, "prefix", at+4, end, not)
	case "in_array":
		return r.narrowTo(subject, "in", at+4, end, not)
	case "fnmatch":
		return r.narrowTo(subject, "name same", at+4, end, not)
	}
	if end != at+3 || end+1 >= stop {
		return "", value{}, false, false
	}
	switch op := &r.tokens[end+1]; {
	case op.Is("=="), op.Is("==="), op.Word("eq"):
	case op.Word("in"):
		return r.narrowTo(subject, "name in", end+2, stop, not)
	case op.Is("!="), op.Is("!=="):
		not = !not
	default:
		return "", value{}, false, false
	}
	return r.narrowTo(subject, "name same", end+2, stop, not)
}

// narrowTo is what a name is that is the same as one of the texts in some tokens,
// ends with them or begins with them.
func (r *reader) narrowTo(name, how string, at, stop int, not bool) (string, value, bool, bool) {
	how, in := strings.CutSuffix(how, "in")
	if in {
		how += "same"
	}
	old, bound := r.names[name]
	texts := r.textsIn(at, stop, in)
	if !bound || len(texts) == 0 || len(texts) > mostTexts || old.form != isString || how == "suffix prefix" {
		return "", value{}, false, false
	}
	out := value{form: isString}
	out.taint(&old)
	if how == "same" {
		return name, out.oneOf(texts), not, true
	}
	dir, pattern := strings.CutSuffix(old.text, "*")
	if !pattern || old.several() || !isKnown(dir) || strings.Contains(dir, "*") {
		return "", value{}, false, false
	}
	all := make([]string, 0, len(texts))
	for _, s := range texts {
		switch {
		case how == "name same":
			s = dir + s
		case how == "name prefix", how == "prefix" && dir == "":
			s = dir + s + "*"
		case how == "prefix" && strings.HasPrefix(s, dir): // the whole path was compared
			s += "*"
		case how == "prefix":
			return "", value{}, false, false
		default: // a suffix, of whatever
			s = dir + "*" + s
		}
		all = append(all, r.made(s))
	}
	return name, out.oneOf(all), not, true
}

// textsIn are the texts that stand in some tokens, or in the variable that they
// name; none if there is anything else. Those of a list stand in brackets.
func (r *reader) textsIn(at, stop int, list bool) []string {
	if at >= stop {
		return nil
	}
	if at+1 == stop && r.tokens[at].Kind == lexer.Name {
		return r.textsOf(r.tokens[at].Text, list)
	}
	var texts []string
	commas, brackets := 0, r.tokens[at].Is("[") || r.tokens[at].Is("{")
	for ; at < stop; at++ {
		switch t := &r.tokens[at]; {
		case t.Kind == lexer.Text && t.Parts == nil:
			if len(texts) > mostTexts {
				return nil
			}
			texts = append(texts, t.Text)
		case t.Is(","):
			commas++
		case t.Is("("), t.Is(")"), t.Is("["), t.Is("]"), t.Is("{"), t.Is("}"):
		default:
			return nil
		}
	}
	if list && commas == 0 && !brackets { // a part of a text
		return nil
	}
	return texts
}

// textsOf are the texts in a variable.
func (r *reader) textsOf(name string, list bool) []string {
	v := r.names[name]
	if list && v.form != isList || len(v.items()) > mostTexts {
		return nil
	}
	var texts []string
	for _, item := range v.flatItems() {
		s, ok := item.known()
		if !ok || item.form != isString {
			return nil
		}
		texts = append(texts, s)
	}
	return texts
}
