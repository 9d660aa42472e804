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
		switch p.at(0) {
		case '}':
			p.pos++
			return out
		case ';', ',', ')', ']', '|', '&':
			p.pos++
			continue
		}
		start := p.pos
		name := p.primary()
		p.blanks(true)
		if p.at(0) != '=' {
			p.pos = start
			v := p.pipeline()
			out.taint(v)
			p.pos = max(p.pos, start+1)
			continue
		}
		p.pos++
		p.blanks(true)
		v := p.pipeline()
		out.taint(v)
		if len(out.fields) < mostFields {
			out.fields = append(out.fields, field{name: strings.ToLower(name.text), value: v})
		}
	}
	return out
}

// splat are the words that a variable stands for which is given as @name.
func splat(v value) []value {
	if len(v.fields) == 0 {
		if len(v.list) > 0 {
			return v.list[:min(len(v.list), mostFields)]
		}
		return []value{v}
	}
	words := make([]value, 0, 2*len(v.fields))
	for _, f := range v.fields {
		words = append(words, value{text: "-" + f.name + ":", known: true, bare: true}, f.value)
	}
	return words
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
