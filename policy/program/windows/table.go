package windows

import "strings"

// mostFields is how many names of a table are kept.
const mostFields = 64

// table reads what stands in @{...}: names with their values.
func (p *parser) table() value {
	out := value{text: "$map"}
	if p.r.depth >= MaxDepth {
		p.r.doubt(Limit)
		p.pos = len(p.src)
		return out
	}
	p.r.depth++
	defer func() { p.r.depth-- }()
	for p.pos < len(p.src) && p.r.step() {
		p.blanks(true)
		start := p.pos
		switch p.at(0) {
		case '}':
			p.pos++
			return out
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
		out.taint(v)
		if named && len(out.fields) < mostFields {
			out.fields = append(out.fields, field{name: strings.ToLower(name.text), value: v})
		}
		p.pos = max(p.pos, start+1)
	}
	return out
}

// field is what a table holds under a name.
func (v value) field(name string) value {
	for _, f := range v.fields {
		if f.name == name {
			return f.value
		}
	}
	return value{}
}

// splat are the words that a variable stands for which is given as @name.
func splat(v value) []value {
	if len(v.fields) == 0 {
		return append([]value{}, v.items()...)
	}
	words := make([]value, 0, 2*len(v.fields))
	for _, f := range v.fields {
		words = append(words, value{text: "-" + f.name + ":", known: true, bare: true}, f.value)
	}
	return words
}
