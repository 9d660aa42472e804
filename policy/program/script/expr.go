package script

import (
	"slices"
	"strconv"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
	"github.com/sluice-project/sluice/policy/program/values"
)

func (r *reader) level(t *lexer.Token) int8 {
	switch {
	case t.Kind == lexer.Operator && t.Text == ".":
		if r.language == library.PHP || r.language == library.Perl {
			return 6
		}
		return 0
	case t.Kind == lexer.Operator:
		return t.Level
	case t.Kind != lexer.Name, t.Text == "x" && r.language != library.Perl:
		return 0
	case len(t.Text) > 3 && t.Text != "instanceof":
		return 0
	case (r.language == library.Python || r.language == library.Ruby || r.language == library.R || r.language == library.Lua) && len(t.Text) == 2 && t.Text != "or" && t.Text != "in" && t.Text != "is":
		return 0
	default:
		return lexer.LevelOf(t.Text)
	}
}

// expr reads an expression whose operators bind tighter than level.
func (r *reader) expr(level int8) value {
	if r.depth >= MaxDepth {
		r.refuse("depth")
		r.skip()
		return value{}
	}
	r.depth++
	left := r.unary()
	for r.i < r.limit && r.Step() {
		t := &r.tokens[r.i]
		if level == 0 && (t.Is("?") || t.Word("if") && r.language == library.Python) {
			left = r.choice(left, t.Is("?"))
			continue
		}
		bound := r.level(t)
		if bound <= level {
			break
		}
		r.i++
		for r.peek(0).Kind == lexer.Line && r.i < r.limit {
			r.i++
		}
		if bound == 1 {
			bound = 0 // assignments group from the right
		}
		right := r.expr(bound)
		left = r.combine(t.Text, &left, &right)
	}
	r.depth--
	return left
}

// skip goes over what is not read.
func (r *reader) skip() {
	if r.i < r.limit {
		if m := int(r.tokens[r.i].Match); m > r.i {
			r.i = min(m, r.limit-1)
		}
		r.i++
	}
}

// choice reads both branches of a condition.
func (r *reader) choice(left value, question bool) value {
	r.i++
	if question {
		if !r.peek(0).Is(":") {
			left = r.expr(0)
		}
		if !r.peek(0).Is(":") {
			return left
		}
	} else if r.expr(1); !r.peek(0).Word("else") {
		return left
	}
	r.i++
	return values.Join(left, r.expr(0))
}

// combine is what an operator makes of two values.
func (r *reader) combine(op string, a, b *value) value {
	language := r.language
	switch op {
	case "=", ":=", "<-", "<<-", "and", "&&":
		return *b
	case "or", "||", "??", "?:":
		return values.Join(*a, *b)
	}
	if n, ok := values.Arithmetic(op, a, b); ok {
		return n
	}
	if n, ok := values.BitsAdded(op, a, b); ok {
		return n
	}
	switch {
	case op == "+", op == ".", op == "+=", op == ".=":
		if a.Form == values.IsNumber && b.Form == values.IsNumber {
			return value{}
		}
		if a.Form == values.IsList && op[0] == '+' && b.Form != values.IsList && b.Form != values.IsText { // more that is not known
			more := values.List(values.Text(b.Piece()))
			b = &more
		}
		if a.Form == values.IsList && b.Form == values.IsList && len(a.Items())+len(b.Items()) <= values.MostItems {
			return values.List(slices.Concat(a.Items(), b.Items())...)
		}
		return r.Concat(*a, *b)
	case op == "<<" && language == library.Ruby, op == ".." && language == library.Lua:
		return r.Concat(*a, *b)
	case op == "/" && a.Form != values.IsNumber && (language == library.Python || language == library.Ruby) && (a.Form == values.IsText || b.Form == values.IsText):
		return r.PathJoin(*a, *b)
	case op == "%" && a.Form == values.IsText && (language == library.Python || language == library.Ruby):
		return r.Format(*a, b.FlatItems())
	case (op == "*" || op == "x") && b.Form == values.IsNumber && a.Form == values.IsText:
		if n, err := strconv.Atoi(b.Text); err == nil {
			return r.Repeat(*a, n)
		}
	}
	out := values.MadeBy(a)
	out.Taint(b)
	return out
}

// unary reads an operand with the operators before it.
func (r *reader) unary() value {
	minus, inverted := false, false
	for r.i < r.limit && r.Step() {
		t := &r.tokens[r.i]
		switch {
		case t.Kind == lexer.Operator && lexer.IsPrefix(t.Text) && (t.Text != "\\" || r.language != library.R):
			minus, inverted = t.Text == "-", inverted != (t.Text == "~")
		case t.Kind == lexer.Name && r.prefix(t):
			if r.assigns(1) || r.peek(1).Is(".") || r.peek(1).Is("(") && t.Text != "not" && t.Text != "return" && t.Text != "my" { // it is a name
				v := r.operand()
				r.postfix(&v)
				return v
			}
		case t.Kind == lexer.Line && minus:
		default:
			v := r.operand()
			r.postfix(&v)
			if minus && v.Form == values.IsNumber {
				v.Text = "-" + v.Text
			}
			if n, ok := values.Whole(&v); inverted && ok {
				v.Text = strconv.FormatInt(^n, 10)
			}
			return v
		}
		r.i++
	}
	return value{}
}

// prefix reports whether a word can stand before an operand.
func (r *reader) prefix(t *lexer.Token) bool {
	switch t.Text {
	case "my", "our", "local":
		return r.language != library.Python
	case "not", "await", "yield", "return", "defined", "clone", "throw":
		return true
	case "new":
		return r.peek(1).Kind == lexer.Name
	}
	return false
}
