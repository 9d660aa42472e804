package windows

import (
	"strconv"
	"strings"
)

// expression reads values with operators between them.
func (p *parser) expression() value {
	left := p.operand()
	for p.pos < len(p.src) && p.r.step() {
		p.blanks(false)
		c := p.at(0)
		switch {
		case c == '+' && p.at(1) != '=':
			p.pos++
			p.blanks(true)
			left = p.r.concat(left, p.operand())
		case c == ',':
			p.pos++
			p.blanks(true)
			next := p.operand()
			if len(left.list) == 0 {
				left = value{list: []value{left}, known: left.known}
			}
			left.list = append(left.list, next)
			left.known = left.known && next.known
		case c == '-' && isWord(p.at(1)):
			p.pos++
			op := strings.ToLower(p.peekWord())
			p.pos += len(op)
			p.blanks(true)
			left = p.operator(op, left)
		case c == '=' && p.at(1) != '=': // a member is set
			p.pos++
			p.blanks(true)
			v := p.pipeline()
			p.r.setMember(left, v)
			return v
		case c == '*' || c == '/' || c == '%' || c == '.' && p.at(1) == '.':
			p.pos++
			if c == '.' {
				p.pos++
			}
			p.blanks(true)
			right := p.operand()
			left.taint(right)
			left.text, left.known, left.list = "$x", false, nil
		default:
			if target, ok := p.redirection(); ok {
				if target {
					p.r.writes(p.word(), left)
				}
				continue
			}
			return left
		}
	}
	return left
}

// operator is what an operator with a name makes of two values.
func (p *parser) operator(op string, left value) value {
	right := p.operand()
	for op == "f" || op == "replace" || op == "creplace" || op == "ireplace" {
		p.blanks(false)
		if p.at(0) != ',' || !p.r.step() {
			break
		}
		p.pos++
		p.blanks(true)
		if len(right.list) == 0 {
			right = value{list: []value{right}, known: right.known}
		}
		next := p.operand()
		right.list = append(right.list, next)
		right.known = right.known && next.known
	}
	switch op {
	case "f":
		return p.r.format(left, right)
	case "join":
		return p.r.joined(left, right.text)
	case "replace", "creplace", "ireplace":
		from, to := right.text, ""
		if len(right.list) > 0 {
			from = right.list[0].text
		}
		if len(right.list) > 1 {
			to = right.list[1].text
		}
		return p.r.replaced(left, from, to)
	case "split":
		return p.r.split(left, right.text)
	case "as":
		return left
	case "bxor", "band", "bor", "shl", "shr":
		left.taint(right)
		left.text, left.known, left.list, left.hidden = "$x", false, nil, "xor"
		return left
	}
	out := value{text: "$x"}
	return out
}

func (r *reader) format(pattern, args value) value {
	items := args.list
	if len(items) == 0 {
		items = []value{args}
	}
	out := pattern
	for i := range items {
		if i >= 32 {
			break
		}
		out.text = r.made(strings.ReplaceAll(out.text, "{"+strconv.Itoa(i)+"}", items[i].text))
		out.known = out.known && items[i].known
		out.taint(items[i])
	}
	return out
}

func (r *reader) joined(v value, between string) value {
	if len(v.list) == 0 {
		return v
	}
	texts := make([]string, 0, len(v.list))
	out := value{known: true}
	for i := range v.list {
		texts = append(texts, v.list[i].text)
		out.known = out.known && v.list[i].known
	}
	out.text = r.made(strings.Join(texts, between))
	out.taint(v)
	return out
}

func (r *reader) replaced(v value, from, to string) value {
	if from == "" || len(to) > 64 {
		v.known = false
		return v
	}
	v.text = r.made(strings.ReplaceAll(v.text, from, to))
	return v
}

func (r *reader) split(v value, by string) value {
	if by == "" || !v.known || len(v.text) > 4096 {
		return v
	}
	out := value{known: true}
	for s := range strings.SplitSeq(v.text, by) {
		out.list = append(out.list, literal(s))
	}
	return out
}

// operand reads one value with what is done to it.
func (p *parser) operand() value {
	if p.r.depth >= MaxDepth {
		p.r.doubt(Limit)
		p.pos++
		return value{}
	}
	p.r.depth++
	defer func() { p.r.depth-- }()
	p.blanks(true)
	c := p.at(0)
	switch {
	case c == '!' || c == ',':
		p.pos++
		return p.operand()
	case c == '-' && isWord(p.at(1)) && !('0' <= p.at(1) && p.at(1) <= '9'):
		p.pos++
		op := strings.ToLower(p.peekWord())
		p.pos += len(op)
		v := p.operand()
		switch op {
		case "join":
			return p.r.joined(v, "")
		case "split":
			return value{known: v.known, list: textList(strings.Fields(v.text))}
		}
		return v
	case c == '[':
		return p.typed()
	}
	return p.postfix(p.primary())
}

func textList(words []string) []value {
	out := make([]value, 0, len(words))
	for _, w := range words {
		out = append(out, literal(w))
	}
	return out
}

// typed reads a cast or a static member: [char]65, [IO.File]::Delete('x').
func (p *parser) typed() value {
	p.pos++
	p.clamp()
	start, depth := p.pos, 0
	for p.pos < len(p.src) && p.pos < start+128 {
		if p.src[p.pos] == '[' {
			depth++
		} else if p.src[p.pos] == ']' {
			if depth == 0 {
				break
			}
			depth--
		}
		p.pos++
	}
	name := strings.ToLower(strings.Trim(p.src[start:min(p.pos, len(p.src))], "[] "))
	name = strings.TrimPrefix(name, "system.")
	p.pos++
	if p.has("::") {
		return p.postfix(value{object: "type " + name})
	}
	v := p.operand()
	switch name {
	case "char", "char[":
		return char(v)
	case "scriptblock":
		return v
	case "void", "string", "int", "byte[", "string[", "array", "object[", "uri", "io.fileinfo":
		return v
	}
	return v
}

// char is [char] of a number or of several.
func char(v value) value {
	if len(v.list) > 0 {
		out := value{known: v.known}
		for i := range v.list {
			out.list = append(out.list, char(v.list[i]))
		}
		return out
	}
	n, err := strconv.ParseInt(v.text, 0, 32)
	if err != nil {
		if len([]rune(v.text)) == 1 {
			return v
		}
		return value{text: "$x", hidden: "char"}
	}
	return value{text: string(rune(n)), known: true}
}

// primary reads a literal, a variable or a group.
func (p *parser) primary() value {
	p.clamp()
	c := p.at(0)
	switch {
	case c == '\'' || c == '"' || c == '@' && (p.at(1) == '\'' || p.at(1) == '"'):
		return p.quoted()
	case c == '(':
		p.pos++
		return p.statements(')')
	case (c == '$' || c == '@') && p.at(1) == '(':
		p.pos += 2
		return p.statements(')')
	case c == '@' && p.at(1) == '{':
		p.pos += 2
		return p.table()
	case c == '{':
		v := p.block(p.r.vars["_"])
		v.object = "block"
		return v
	case c == '$':
		p.pos++
		return p.r.variable(p.name())
	case c == '@' && isWord(p.at(1)): // splatting
		p.pos++
		return p.r.variable(p.name())
	}
	start := p.pos
	for p.pos < len(p.src) && (isWord(p.src[p.pos]) && (p.src[p.pos] != '-' || p.pos == start) || p.src[p.pos] == '.' && p.at(1) != '.') {
		p.pos++
	}
	if p.pos == start && p.pos < len(p.src) && strings.IndexByte(";|)}\n", c) < 0 {
		p.pos++
		return value{}
	}
	return literal(p.src[start:p.pos])
}

// postfix reads the members and elements after a value.
func (p *parser) postfix(v value) value {
	p.clamp()
	for p.pos < len(p.src) && p.r.step() {
		switch {
		case p.at(0) == '.' && (isWord(p.at(1)) || p.at(1) == '(' || p.at(1) == '\'' || p.at(1) == '"' || p.at(1) == '$'):
			p.pos++
		case p.has("::"):
			p.pos += 2
		case p.at(0) == '[':
			p.pos++
			start := p.pos
			at := p.statements(']')
			v = element(v, at, strings.TrimSpace(p.src[start:max(start, min(p.pos, len(p.src))-1)]))
			continue
		default:
			return v
		}
		name := p.peekWord()
		if name == "" {
			called := p.primary()
			name = called.text
		} else {
			p.pos += len(name)
		}
		if p.at(0) != '(' {
			v = property(v, strings.ToLower(name))
			continue
		}
		p.pos++
		args := p.statements(')')
		list := args.list
		if len(list) == 0 && (args.known || !args.isNothing()) {
			list = []value{args}
		}
		v = p.r.method(v, strings.ToLower(name), list)
	}
	return v
}

// property is a member that is no call.
func property(v value, name string) value {
	switch name {
	case "fullname", "name", "path", "content", "value", "source", "definition", "directoryname", "rawcontent", "self", "currentusercurrenthost":
		return v
	case "allusersallhosts", "alluserscurrenthost", "currentuserallhosts":
		return literal("~/Documents/PowerShell/profile.ps1")
	case "root":
		if len(v.text) == 1 {
			return literal(v.text + ":/")
		}
	}
	if f := v.field(name); f.text != "" || f.list != nil {
		return f
	}
	if strings.HasPrefix(v.object, "type ") || v.object == "encoding" {
		return value{object: v.object + " " + name}
	}
	out := value{text: "$" + name}
	out.taint(v)
	out.object = v.object
	return out
}

// element is an item of a list, or letters of a text.
func element(v, at value, written string) value {
	if strings.HasPrefix(written, "-1..") && v.known && len(v.list) == 0 {
		letters := []rune(v.text)
		out := value{known: true}
		for i := len(letters) - 1; i >= 0 && len(out.list) < 4096; i-- {
			out.list = append(out.list, literal(string(letters[i])))
		}
		return out
	}
	pick := func(s string) value {
		n, err := strconv.Atoi(s)
		if err != nil {
			return value{text: "$x", hidden: v.hidden}
		}
		if len(v.list) > 0 {
			if n < 0 {
				n += len(v.list)
			}
			if n >= 0 && n < len(v.list) {
				return v.list[n]
			}
		}
		if n < 0 {
			n += len(v.text)
		}
		if v.known && n >= 0 && n < len(v.text) {
			return literal(v.text[n : n+1])
		}
		return value{text: "$x"}
	}
	if len(at.list) > 0 {
		out := value{known: true}
		for i := range at.list {
			if i > 256 {
				break
			}
			item := pick(at.list[i].text)
			out.known = out.known && item.known
			out.list = append(out.list, item)
		}
		return out
	}
	out := pick(at.text)
	out.taint(v)
	return out
}
