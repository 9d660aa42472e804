package windows

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sluice-project/sluice/policy/program/values"
)

// expression reads values with operators between them.
func (p *parser) expression() value {
	left := p.operand()
	for p.pos < len(p.src) && p.r.Step() {
		p.blanks(false)
		c := p.at(0)
		switch {
		case c == '+' && p.at(1) != '=':
			left = p.r.concat(left, p.next(1))
		case c == ',':
			left = and(left, p.next(1))
		case c == '-' && isWord(p.at(1)):
			p.pos++
			op := strings.ToLower(p.peekWord())
			left = p.operator(op, left, p.next(len(op)))
		case c == '=' && p.at(1) != '=': // a member is set
			p.pos++
			p.blanks(true)
			v := p.pipeline()
			if shown(left) == "$commandtext" {
				p.r.query(v)
			}
			return v
		case c == '*' || c == '/' || c == '%' || c == '.' && p.at(1) == '.':
			if c == '.' {
				p.pos++
			}
			right := p.next(1)
			if c == '.' {
				if numbers := between(shown(left), shown(right)); numbers != nil {
					left = values.List(numbers...)
					continue
				}
			}
			left = made("x", []value{left, right})
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
		if p.at(0) != ',' || !p.r.Step() {
			break
		}
		right = and(right, p.next(1))
	}
	switch {
	case op == "f":
		return p.r.format(left, right)
	case op == "join":
		return p.r.joined(left, shown(right))
	case replaces:
		from, to := shown(items(right)[0]), shown(argument(items(right), 1))
		return p.r.replaced(left, from, to)
	case op == "split":
		return p.r.split(left, right)
	case op == "as":
		return left
	case op == "bxor", op == "band", op == "bor", op == "shl", op == "shr":
		out := made("x", []value{left, right})
		return out.MadeOf(out.Origin().And(values.DecodedBy("xor")))
	}
	return values.Unknown("x")
}

// format fills in the places of a text.
func (r *reader) format(pattern, args value) value {
	for i, item := range items(args)[:min(len(items(args)), 32)] {
		pattern.Text = r.Made(strings.ReplaceAll(pattern.Text, "{"+strconv.Itoa(i)+"}", inText(item).Piece()))
		pattern.Taint(&item)
	}
	return pattern
}

func (r *reader) joined(v value, between string) value {
	if len(list(v)) == 0 {
		return v
	}
	return r.Joined(values.Text(between), eachOf(v, inText))
}

// replaced is a text, or each of a list, with one text in the place of another. What is
// not replaced is still there.
func (r *reader) replaced(v value, from, to string) value {
	return eachOf(v, func(v value) value {
		if from == "" || len(to) > 64 {
			return values.Perhaps(shown(v)).MadeOf(v.Origin())
		}
		return r.Replaced(v, from, to)
	})
}

// split is the parts of a text, or the text if it is not known.
func (r *reader) split(v, by value) value {
	if !known(v) || shown(by) == "" {
		return v
	}
	return r.Split(v, by)
}

// eachOf is what a function makes of a value, or of each item of a list.
func eachOf(v value, f func(value) value) value {
	if len(list(v)) == 0 {
		return f(v)
	}
	all := make([]value, len(v.Items()))
	for i, item := range v.Items() {
		all[i] = f(item)
	}
	return values.List(all...)
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
	p.clamp()
	written := p.src[p.pos:min(len(p.src), p.pos+128)]
	if name := types.FindString(written); name != "" {
		written = name
	}
	p.pos += len(written)
	name := strings.TrimPrefix(strings.ToLower(strings.Trim(written, "[] ")), "system.")
	if p.has("::") {
		return p.postfix(object("type " + name))
	}
	v := p.operand()
	if strings.TrimSuffix(name, "[") == "char" {
		return eachOf(v, char)
	}
	return v
}

// types are names of types in brackets, within which there may be others.
var types = regexp.MustCompile(`^\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]`)

// char is [char] of a number.
func char(v value) value {
	n, err := strconv.ParseInt(shown(v), 0, 32)
	switch {
	case err == nil:
		return values.Text(strings.ReplaceAll(string(rune(n)), values.Mark, ""))
	case utf8.RuneCountInString(shown(v)) == 1:
		return v
	}
	return values.Unknown("x").MadeOf(values.DecodedBy("char"))
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
	return values.Text(p.src[start:p.pos])
}

// postfix reads the members and elements after a value.
func (p *parser) postfix(v value) value {
	p.clamp()
	for p.pos < len(p.src) && p.r.Step() {
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
			name = shown(p.primary())
		}
		name = strings.ToLower(name)
		if p.at(0) != '(' {
			v = property(v, name)
			continue
		}
		p.pos++
		args := p.statements(')')
		list := list(args)
		if len(list) == 0 && (args.Form == values.IsText || !isNothing(args)) {
			list = []value{args}
		}
		v = p.r.method(v, name, list)
	}
	return v
}

// property is a member that is no call.
func property(v value, name string) value {
	if f := field(v, name); shown(f) != "" || list(f) != nil {
		return f
	}
	switch {
	case is("members", name):
		return v
	case strings.HasPrefix(name, "allusers"), name == "currentuserallhosts": // of $profile
		return values.Text("~/Documents/PowerShell/profile.ps1")
	case name == "root" && len(shown(v)) == 1:
		return values.Text(shown(v) + ":/")
	case strings.HasPrefix(v.Kind(), "type ") || v.Kind() == "encoding":
		return object(v.Kind() + " " + name)
	}
	out := made(name, []value{v})
	return out.As(v.Kind())
}

// element is an item of a list, or letters of a text.
func element(v, at value, written string) value {
	if strings.HasPrefix(written, "-1..") && known(v) && len(list(v)) == 0 {
		letters := strings.Split(shown(v), "")
		slices.Reverse(letters)
		return values.Texts(letters[:min(len(letters), 4096)])
	}
	pick := func(s string) value {
		n, err := strconv.Atoi(s)
		if err != nil {
			return values.Unknown("x").MadeOf(values.DecodedBy(v.Hidden()))
		}
		if item, ok := v.At(n); ok {
			return item
		}
		return values.Unknown("x")
	}
	if len(list(at)) > 0 {
		var out []value
		for _, place := range list(at)[:min(len(list(at)), 256)] {
			out = append(out, pick(shown(place)))
		}
		return values.List(out...)
	}
	out := pick(shown(at))
	out.Taint(&v)
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
	numbers := []value{values.Text(first)}
	for n := from; n != to; {
		n += cmp.Compare(to, n)
		numbers = append(numbers, values.Text(strconv.Itoa(n)))
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
			return values.Texts(strings.Fields(shown(v)))
		}
		return v
	case c == '[':
		return p.typed()
	}
	return p.postfix(p.primary())
}
