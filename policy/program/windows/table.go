package windows

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/values"
)

// mostFields is how many names of a table are kept.
const mostFields = 64

// table reads what stands in @{...}: names with their values.
func (p *parser) table() value {
	fields, names, made := []value{}, []string{}, value{}
	p.r.deeper(func() {
		for p.pos < len(p.src) && p.r.Step() {
			p.blanks(true)
			start := p.pos
			switch p.at(0) {
			case '}':
				p.pos++
				return
			case ';', ',', ')', ']', '|', '&':
				p.pos++
				continue
			}
			name := p.primary()
			p.blanks(true)
			named := p.at(0) == '='
			if p.pos++; !named {
				p.pos = start
			}
			p.blanks(true)
			v := p.pipeline()
			made.Taint(&v)
			if named && len(fields) < mostFields {
				fields, names = append(fields, v), append(names, strings.ToLower(shown(name)))
			}
			p.pos = max(p.pos, start+1)
		}
	})
	if p.r.depth >= MaxDepth {
		p.pos = len(p.src)
	}
	return values.List().With(fields, names).MadeOf(made.Origin())
}

// field is what a table holds under a name.
func field(v value, name string) value {
	if at := slices.Index(v.Keys(), name); at >= 0 {
		return v.Items()[at]
	}
	return value{}
}

// splat are the words that a variable stands for which is given as @name.
func splat(v value) []value {
	if len(v.Keys()) == 0 {
		return slices.Clone(items(v))
	}
	words := make([]value, 0, 2*len(v.Keys()))
	for i, name := range v.Keys() {
		words = append(words, value{Form: values.IsText, Text: "-" + name + ":", Bare: true}, v.Items()[i])
	}
	return words
}
