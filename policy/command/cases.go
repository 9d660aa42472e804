package command

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/internal/describe"
	"github.com/sluice-project/sluice/policy/internal/document"
)

// choice tells apart what a value of a role says. Of its cases the first counts that
// surely applies; those before it that may apply count, too.
type choice struct {
	role string
	list []oneCase
}

// oneCase is what happens if a value has one of some forms, and if conditions hold.
//
//	is      {name}={value}, alternatives in a list: a part takes the shortest text, the
//	        last one the rest; {path+} takes the longest; capitals mean the same
//	has     what the value says as a document; see [document.Condition]
//	in      the list in the document of which each element is asked for by itself
//	take    {role: path}: the texts there in the document are the values of the role
type oneCase struct {
	forms        []form
	written      string // the first of them as the description has it
	in           []string
	has          document.Condition
	take         []taken
	when, unless condition
	// then is what happens, with the parts of the form as further roles.
	then *Command
}

// taken are the values of a role that a document has at a path.
type taken struct {
	role string
	path []string
}

// mostTaken is how many values of a document are taken.
const mostTaken = 64

// form is how a value may be written: literal texts and named parts in turns.
type form []formPart

type formPart struct {
	literal string
	role    string
	kind    Kind
	longest bool
}

var caseKeys = []string{"is", "in", "has", "take", "if", "unless", "effects", "hook", "cases"}

// cases reads {role: [{is: form, if: [...], effects: [...]}, ...]}.
func (d *decoder) cases(c *Command, n *yaml.Node) error {
	return d.Pairs(n, "cases", nil, func(role string, _, v *yaml.Node) error {
		of := choice{role: role}
		for _, e := range describe.List(v) {
			one := oneCase{then: &Command{flags: flagTable{}, line: e.Line + d.Offset}}
			err := d.Pairs(e, "a case", caseKeys, func(key string, _, v *yaml.Node) (err error) {
				switch key {
				case "is":
					for i, s := range describe.Scalars(v) {
						if i == 0 {
							one.written = s
						}
						f, err := d.form(v, s)
						if err != nil {
							return err
						}
						one.forms = append(one.forms, f)
					}
				case "in":
					one.in = strings.Split(v.Value, ".")
				case "has":
					one.has, err = document.ParseCondition(describe.Scalars(v))
				case "take":
					return d.Pairs(v, "take", nil, func(role string, _, v *yaml.Node) error {
						one.take = append(one.take, taken{role, strings.Split(v.Value, ".")})
						return nil
					})
				case "if":
					one.when, err = d.condition(v)
				case "unless":
					one.unless, err = d.condition(v)
				default:
					return d.commandKey(one.then, key, v)
				}
				if err != nil {
					return d.Fail(v, "%v", err)
				}
				return nil
			})
			if err != nil {
				return err
			}
			of.list = append(of.list, one)
		}
		c.cases = append(c.cases, of)
		return nil
	})
}

// form reads how a value may be written.
func (d *decoder) form(n *yaml.Node, s string) (form, error) {
	var f form
	for s != "" {
		before, rest, open := strings.Cut(s, "{")
		if before != "" {
			f = append(f, formPart{literal: before})
		}
		if !open {
			break
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			return nil, d.Fail(n, "a { has no }")
		}
		name, longest := strings.CutSuffix(name, "+")
		at := *n
		at.Value = name
		o, err := d.operand(&at)
		if err != nil {
			return nil, err
		}
		if len(f) > 0 && f[len(f)-1].role != "" {
			return nil, d.Fail(n, "nothing in %q says where {%s} ends", n.Value, f[len(f)-1].role)
		}
		f = append(f, formPart{role: o.Role, kind: o.Kind, longest: longest})
		s = after
	}
	return f, nil
}

// roles are the names of the parts.
func (o *oneCase) roles() []string {
	var names []string
	for _, f := range o.forms {
		for i := range f {
			if f[i].role != "" {
				names = append(names, f[i].role)
			}
		}
	}
	for _, t := range o.take {
		names = append(names, t.role)
	}
	return names
}

// parts are the texts of the parts of a value, and whether it has the form at all.
func (f form) parts(text string) (parts []string, ok bool) {
	for i := range f {
		if f[i].role == "" {
			n := len(f[i].literal)
			if len(text) < n || !strings.EqualFold(text[:n], f[i].literal) {
				return nil, false
			}
			text = text[n:]
			continue
		}
		if i+1 == len(f) {
			return append(parts, text), true
		}
		at := index(text, f[i+1].literal, f[i].longest || i+2 == len(f))
		if at < 0 {
			return nil, false
		}
		parts, text = append(parts, text[:at]), text[at:]
	}
	return parts, text == ""
}

// index is where a text has another for the first or last time, whatever the capitals; -1
// if it does not.
func index(text, sub string, last bool) int {
	lower, sub := asciiLower(text), asciiLower(sub)
	if last {
		return strings.LastIndex(lower, sub)
	}
	return strings.Index(lower, sub)
}

// asciiLower is a text with small letters, of the same length.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// tellCases says what the values of roles mean.
func (r *Reading) tellCases(c *Command, h Host) {
	for i := range c.cases {
		of := &c.cases[i]
		for _, v := range r.values(of.role) {
			r.tellChoice(of, v, h)
		}
	}
}

func (r *Reading) tellChoice(of *choice, v value, h Host) {
	outer, one, asked := r.each, r.one, documentOf{host: h, value: v.text}
	defer func() { r.each, r.one = outer, one }()
	for i := range of.list {
		r.each, r.one = of.role, v
		if r.tellCase(&of.list[i], v, &asked, h) {
			return
		}
	}
}

// tellCase says what a case means, if it applies, and reports whether it surely does.
func (r *Reading) tellCase(o *oneCase, v value, asked *documentOf, h Host) (sure bool) {
	var parts []string
	var is form
	for _, f := range o.forms {
		if p, ok := f.parts(v.text); ok {
			parts, is = p, f
			break
		}
	}
	if len(o.forms) > 0 && is == nil {
		return false
	}
	if o.has != nil && !o.has.Holds(asked.root(o.has), o.in) {
		return false
	}
	from := len(r.parts)
	defer func() { r.parts = r.parts[:from] }()
	for i := range is {
		if is[i].role != "" {
			r.parts = append(r.parts, binding{is[i].role, value{text: parts[0], maybe: v.maybe, listed: v.listed, at: v.at, in: v.in}})
			parts = parts[1:]
		}
	}
	for _, t := range o.take {
		for _, text := range document.TextsAt(asked.node, t.path, mostTaken) {
			r.parts = append(r.parts, binding{t.role, value{text: text, maybe: v.maybe, at: -1, in: v.in}})
		}
	}
	applies := yes
	if len(o.when) > 0 {
		applies = o.when.holds(r)
	}
	if len(o.unless) > 0 {
		applies = min(applies, yes-o.unless.spares(r))
	}
	if applies == no {
		return false
	}
	for i := range is {
		switch kind := is[i].kind; kind {
		case Text:
		case Server, Database:
			h.Where(kind, r.Value(is[i].role), !v.maybe)
		default:
			give(h, kind, []string{r.Value(is[i].role)})
		}
	}
	r.tellCommand(o.then, h)
	return applies == yes
}

// documentOf is the document that a value is, or names, parsed when it is asked for.
type documentOf struct {
	host         Host
	value, text  string
	read, parsed bool
	node         *yaml.Node
}

// root is the document, nil if it is not known, cannot be read or has nothing that is
// asked for.
func (d *documentOf) root(c document.Condition) *yaml.Node {
	if !d.read {
		d.read = true
		d.text, _ = d.host.Document(d.value)
	}
	if d.parsed || !c.MayHold(d.text) {
		return d.node
	}
	d.parsed = true
	if d.node = document.Parse(d.text); d.node == nil {
		d.host.Unknown(UnknownValue)
	}
	return d.node
}
