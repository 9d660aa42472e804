package script

import (
	"regexp"
	"strings"

	"github.com/sluice-project/sluice/policy/program/script/lexer"
	"github.com/sluice-project/sluice/policy/program/values"
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

// narrowTo is what a name is that is the same as one of the texts in some tokens,
// ends with them or begins with them.
func (r *reader) narrowTo(name, how string, at, stop int, not bool) (string, value, bool, bool) {
	how, in := strings.CutSuffix(how, "in")
	if in {
		how += "same"
	}
	old, bound := r.names[name]
	texts := r.textsIn(at, stop, in)
	if !bound || len(texts) == 0 || len(texts) > values.MostTexts || old.Form != values.IsText || how == "suffix prefix" {
		return "", value{}, false, false
	}
	out := value{Form: values.IsText}
	out.Taint(&old)
	if how == "same" {
		return name, out.OneOf(texts), not, true
	}
	dir, pattern := strings.CutSuffix(old.Text, "*")
	if !pattern || old.Several() || !values.IsKnown(dir) || strings.Contains(dir, "*") {
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
		all = append(all, r.Made(s))
	}
	return name, out.OneOf(all), not, true
}

// textsIn are the texts that stand in some tokens, or in the variable that they
// name; none if there is anything else. Those of a list stand in brackets.
func (r *reader) textsIn(at, stop int, list bool) (texts []string) {
	if at >= stop {
		return nil
	}
	if at+1 == stop && r.tokens[at].Kind == lexer.Name {
		v := r.names[r.tokens[at].Text]
		if list && v.Form != values.IsList || len(v.Items()) > values.MostTexts {
			return nil
		}
		for _, item := range v.FlatItems() {
			s, ok := item.Known()
			if !ok || item.Form != values.IsText {
				return nil
			}
			texts = append(texts, s)
		}
		return texts
	}
	commas, brackets := 0, r.tokens[at].Is("[") || r.tokens[at].Is("{")
	for ; at < stop; at++ {
		switch t := &r.tokens[at]; {
		case t.Kind == lexer.Text && t.Parts == nil && len(texts) <= values.MostTexts:
			texts = append(texts, t.Text)
		case t.Is(","):
			commas++
		case t.Is("("), t.Is("["), t.Is("{"), t.Closing():
		default:
			return nil
		}
	}
	if list && commas == 0 && !brackets { // a part of a text
		return nil
	}
	return texts
}

// comparisons are the forms of comparisons that are read, with blanks between the tokens
// and T for a text: f.name.endswith(T), not basename(f) in [T, T], $f eq T.
var comparisons = regexp.MustCompile(`^(not |! )?((?:os \. path \. |fnmatch \. )?(?:basename|fnmatch|str_ends_with|str_starts_with|in_array) \( )?([\w$@]+)((?: &?\. (?:name|suffix|lower|strip|path|to_s|downcase)(?: \( \))?)*)( \))?( (?:===?|eq|!==?|ne|in|not in|,)| &?\. (?:endswith|end_with\?|startswith|start_with\?)) `)

// comparison reads one comparison.
func (r *reader) comparison(at, stop int) (name string, v value, not, ok bool) {
	var written strings.Builder
	for _, t := range r.tokens[at:min(stop, at+mostCondition)] {
		if t.Kind == lexer.Text {
			written.WriteString("T ")
		} else {
			written.WriteString(t.Text + " ")
		}
	}
	m := comparisons.FindStringSubmatch(written.String())
	if m == nil {
		return "", value{}, false, false
	}
	begin := at + strings.Count(m[0], " ")
	function, members, op, how := m[2], m[4], m[6], ""
	if strings.Contains(members, "name") {
		how = "name "
	}
	if strings.Contains(members, "suffix") {
		how += "suffix "
	}
	switch {
	case op == " ,":
		if stop = int(r.tokens[begin-3].Match); function == "" || stop <= begin {
			return "", value{}, false, false
		}
	case (function != "") != (m[5] != ""), function != "" && !strings.Contains(function, "basename"):
		return "", value{}, false, false
	}
	switch {
	case strings.Contains(op, "end"), strings.Contains(function, "ends"):
		how += "suffix"
	case strings.Contains(op, "start"), strings.Contains(function, "starts"):
		how += "prefix"
	case strings.HasSuffix(op, "in"), strings.Contains(function, "in_array"):
		how += "in"
	default:
		how += "same"
	}
	if strings.Contains(function, "basename") || strings.Contains(function, "fnmatch") {
		how = "name " + how
	}
	not = (m[1] != "") != (op == " ne" || strings.HasPrefix(op, " !") || strings.HasPrefix(op, " not"))
	return r.narrowTo(m[3], how, begin, stop, not)
}
