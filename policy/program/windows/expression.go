package windows

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// expression reads values with operators between them.
func (p *parser) expression() value {
	left := p.operand()
	for p.pos < len(p.src) && p.r.step() {
		p.blanks(false)
		c := p.at(0)
		switch {
		case c == '+' && p.at(1) != '=':
			left = p.r.concat(left, p.next(1))
		case c == ',':
			left = left.and(p.next(1))
		case c == '-' && isWord(p.at(1)):
			p.pos++
			op := strings.ToLower(p.peekWord())
			left = p.operator(op, left, p.next(len(op)))
		case c == '=' && p.at(1) != '=': // a member is set
			p.pos++
			p.blanks(true)
			v := p.pipeline()
			if left.text == "$commandtext" {
				p.r.query(v)
			}
			return v
		case c == '*' || c == '/' || c == '%' || c == '.' && p.at(1) == '.':
			if c == '.' {
				p.pos++
			}
			right := p.next(1)
			if c == '.' {
				if numbers := between(left.text, right.text); numbers != nil {
					left = value{list: numbers, known: true}
					continue
				}
			}
			left.taint(right)
			left.text, left.known, left.list = "$x", false, nil
		default:
			target, ok := p.redirection()
			if !ok {
				return left
			}
			if target {
				p.r.writes(p.word(), left)
			}
		}
	}
	return left
}

// operator is what an operator with a name makes of two values.
func (p *parser) operator(op string, left, right value) value {
	replaces := strings.HasSuffix(op, "replace")
	for op == "f" || replaces {
		p.blanks(false)
		if p.at(0) != ',' || !p.r.step() {
			break
		}
		right = right.and(p.next(1))
	}
	switch {
	case op == "f":
		return p.r.format(left, right)
	case op == "join":
		return p.r.joined(left, right.text)
	case replaces && len(right.list) > 0:
		return p.r.replaced(left, right.list[0].text, argument(right.list, 1).text)
	case replaces:
		return p.r.replaced(left, right.text, "")
	case op == "split":
		return p.r.split(left, right.text)
	case op == "as":
		return left
	case op == "bxor", op == "band", op == "bor", op == "shl", op == "shr":
		left.taint(right)
		left.text, left.known, left.list, left.hidden = "$x", false, nil, "xor"
		return left
	}
	return value{text: "$x"}
}

func (r *reader) format(pattern, args value) value {
	items := args.items()
	for i, item := range items[:min(len(items), 32)] {
		pattern.text = r.made(strings.ReplaceAll(pattern.text, "{"+strconv.Itoa(i)+"}", item.text))
		pattern.known = pattern.known && item.known
		pattern.taint(item)
	}
	return pattern
}

func (r *reader) joined(v value, between string) value {
	if len(v.list) == 0 {
		return v
	}
	parts := make([]string, 0, len(v.list))
	out := value{known: true}
	for i := range v.list {
		parts = append(parts, v.list[i].text)
		out.known = out.known && v.list[i].known
	}
	out.text = r.made(strings.Join(parts, between))
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
	return value{known: true, list: texts(strings.Split(v.text, by))}
}

// operand reads one value with what is done to it.
func (p *parser) operand() (v value) {
	depth := p.r.depth
	p.r.deeper(func() { v = p.prefixed() })
	if depth >= MaxDepth {
		p.pos++
	}
	return v
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
	if strings.TrimSuffix(name, "[") == "char" {
		return char(v)
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
	switch {
	case err == nil:
		return literal(string(rune(n)))
	case utf8.RuneCountInString(v.text) == 1:
		return v
	}
	return value{text: "$x", hidden: "char"}
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
		return p.closure()
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
		switch next := p.at(1); {
		case p.at(0) == '.' && (isWord(next) || strings.IndexByte("('\"$", next) >= 0 && next != 0):
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
		if p.pos += len(name); name == "" {
			name = p.primary().text
		}
		name = strings.ToLower(name)
		if p.at(0) != '(' {
			v = property(v, name)
			continue
		}
		p.pos++
		args := p.statements(')')
		list := args.list
		if len(list) == 0 && (args.known || !args.isNothing()) {
			list = []value{args}
		}
		v = p.r.method(v, name, list)
	}
	return v
}

// property is a member that is no call.
func property(v value, name string) value {
	if f := v.field(name); f.text != "" || f.list != nil {
		return f
	}
	switch {
	case is("members", name):
		return v
	case strings.HasPrefix(name, "allusers"), name == "currentuserallhosts": // of $profile
		return literal("~/Documents/PowerShell/profile.ps1")
	case name == "root" && len(v.text) == 1:
		return literal(v.text + ":/")
	case strings.HasPrefix(v.object, "type ") || v.object == "encoding":
		return value{object: v.object + " " + name}
	}
	out := made("$"+name, []value{v})
	out.object = v.object
	return out
}

// element is an item of a list, or letters of a text.
func element(v, at value, written string) value {
	if strings.HasPrefix(written, "-1..") && v.known && len(v.list) == 0 {
		letters := strings.Split(v.text, "")
		slices.Reverse(letters)
		return value{known: true, list: texts(letters[:min(len(letters), 4096)])}
	}
	pick := func(s string) value {
		n, err := strconv.Atoi(s)
		size := len(v.text)
		if len(v.list) > 0 {
			size = len(v.list)
		}
		if n < 0 {
			n += size
		}
		switch {
		case err != nil:
			return value{text: "$x", hidden: v.hidden}
		case n < 0 || n >= size:
		case len(v.list) > 0:
			return v.list[n]
		case v.known:
			return literal(v.text[n : n+1])
		}
		return value{text: "$x"}
	}
	if len(at.list) > 0 {
		out := value{known: true}
		for _, place := range at.list[:min(len(at.list), 256)] {
			item := pick(place.text)
			out.known = out.known && item.known
			out.list = append(out.list, item)
		}
		return out
	}
	out := pick(at.text)
	out.taint(v)
	return out
}

// mostBetween is how many numbers 1..9 may stand for.
const mostBetween = 256

// between are the numbers from one to another, none if they are not known or too many.
func between(first, last string) []value {
	from, err := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	if err != nil || err2 != nil || max(from-to, to-from) > mostBetween {
		return nil
	}
	numbers := []value{literal(first)}
	for n := from; n != to; {
		n += cmp.Compare(to, n)
		numbers = append(numbers, literal(strconv.Itoa(n)))
	}
	return numbers
}

// next is the operand behind an operator of a size.
func (p *parser) next(size int) value {
	p.pos += size
	p.blanks(true)
	return p.operand()
}

func (p *parser) prefixed() value {
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
			return value{known: v.known, list: texts(strings.Fields(v.text))}
		}
		return v
	case c == '[':
		return p.typed()
	}
	return p.postfix(p.primary())
}
