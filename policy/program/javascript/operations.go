package javascript

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/program/decode"
	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
	"github.com/sluice-project/sluice/policy/program/library"
)

type operands = library.Operands[value]

// operation is what a description can say that a call does or gives.
type operation func(c *called, o *operands) value

// operations are those that descriptions have.
var operations = map[string]operation{
	"same":  func(_ *called, o *operands) value { return o.At(0) },
	"shell": func(c *called, o *operands) value { return c.starts(o, true) },
	"argv":  func(c *called, o *operands) value { return c.starts(o, false) },
	"feed": func(c *called, o *operands) value {
		if awaits(c.e.toText(o.At(0)).text) {
			c.e.use(c.about(library.Shell, o, 1))
		}
		return value{}
	},
	"named-program": func(c *called, o *operands) value { // its functions have the names of programs
		words := c.e.flat(o.At(0).items().all, o.At(0).items().open)
		c.e.use(c.e.argv(textValue(c.path[strings.LastIndexByte(c.path, '.')+1:]), words))
		return value{}
	},
	"hand-over": func(c *called, o *operands) value { // its input and output are something else
		if v := o.At(1); awaits(c.e.toText(o.At(0)).text) && v.kind == list && len(v.items().all) > 0 && v.items().all[0].kind != text {
			c.e.told = true
		}
		return value{}
	},
	"serve": func(c *called, _ *operands) value { c.e.serves = true; return value{} },
	"query": func(c *called, o *operands) value {
		for _, v := range o.At(0).alternatives() {
			if u := c.e.about(library.Query, v); statements.MatchString(u.Text[:min(len(u.Text), 64)]) {
				u.Dir = ""
				c.e.use(u)
			}
		}
		return value{}
	},
	"unseen": func(c *called, _ *operands) value { c.e.doubt(Unseen); return value{} },
	"reach":  func(c *called, _ *operands) value { c.e.doubt(syntax.Reach); return value{} },

	"delete": func(c *called, o *operands) value { return c.touches(library.DeleteFile, o, "") },
	"read":   func(c *called, o *operands) value { return c.touches(library.ReadFile, o, "") },
	"write": func(c *called, o *operands) value {
		contents := ""
		if o.Has(1) {
			contents = c.e.content(o.At(1))
		}
		return c.touches(library.WriteFile, o, contents)
	},
	"mode": func(c *called, o *operands) value {
		mode, _ := c.e.toText(o.At(1)).whole()
		if v := o.At(1); v.kind == number && v.num >= 0 && v.num < 1<<16 { // as chmod writes it
			mode = strconv.FormatInt(int64(v.num), 8)
		}
		return c.touches(library.Mode, o, strings.TrimPrefix(mode, "0o"))
	},
	"open": func(c *called, o *operands) value {
		if s, _ := o.At(1).whole(); !o.Has(1) || o.At(1).kind == function || s == "r" {
			return c.touches(library.ReadFile, o, "")
		}
		return c.touches(library.WriteFile, o, "")
	},
	"entries": func(c *called, _ *operands) value {
		return c.e.openList([]value{{kind: text, text: listed, partial: true}}, true)
	},
	"chdir": func(c *called, o *operands) value {
		t := c.e.toText(o.At(0))
		if c.e.dir = t.text; t.kind != text || c.e.level > 0 {
			c.e.dir = Unknown
		}
		return value{kind: undefined}
	},
	"variable": func(c *called, o *operands) value {
		if s, ok := c.e.toText(o.At(0)).whole(); ok {
			return c.e.variable(s)
		}
		c.e.use(library.Use{What: library.Env, Text: library.Environment})
		return value{}
	},
	"environment": func(c *called, _ *operands) value { c.e.showsEnvironment(nativeValue("process.env")); return value{} },

	"ask":  asks,
	"send": func(c *called, o *operands) value { return c.sends(o, 1) },
	"connect": func(c *called, o *operands) value {
		host, port := o.At(0), o.At(1)
		if options := port; options.kind == record {
			if h, given := c.e.part(options, "hostname", "host"); given {
				host = h
			}
			port = c.e.member(options, "port")
		}
		if host.kind == undefined || host.kind == function || !o.Has(0) && host.kind == unknown {
			host = textValue("localhost")
		}
		u := c.e.about(library.Send, c.e.plus(c.e.plus(c.e.toText(host), textValue(":")), c.e.toText(port)))
		u.Dir, c.e.connected = "", u.Text
		c.e.use(u)
		return value{}
	},
	"lookup": func(c *called, o *operands) value {
		u := c.about(library.Send, o, 0)
		u.Text, u.Dir = "dns://"+u.Text, ""
		c.e.use(u)
		return value{}
	},

	"text":   func(c *called, o *operands) value { return c.e.textOf(o.At(0)) },
	"bytes":  func(c *called, o *operands) value { return c.e.buffer(o.Values[:len(o.Values)-missing(o)]) },
	"base64": decodes(decode.Base64),
	"url":    decodes(decode.Percent),
	"to-base64": decodes(func(s string) (string, bool) {
		return base64.StdEncoding.EncodeToString([]byte(s)), true
	}),
	"to-url": func(c *called, o *operands) value {
		if s, ok := c.whole(o); ok {
			return textValue(strings.ReplaceAll(url.QueryEscape(s), "+", "%20"))
		}
		return someText()
	},
	"from-json": func(c *called, o *operands) value {
		var v any
		if s, ok := c.whole(o); !ok || o.Has(1) || !c.e.step(len(s)/4) || json.Unmarshal([]byte(s), &v) != nil {
			return value{}
		}
		return c.e.fromJSON(v)
	},
	"to-json": func(c *called, o *operands) value {
		v := c.e.stringify(o.At(0))
		if o.Has(1) && o.At(1).kind != null {
			c.e.escape(o.At(1))
			return someText()
		}
		v.partial = v.partial || o.Has(2) // the blanks are others
		return v
	},
	"path":    func(c *called, o *operands) value { return c.e.joinPath(o.At(0), false) },
	"resolve": func(c *called, o *operands) value { return c.e.joinPath(o.At(0), true) },
}

// about is a use with a text.
func (e *evaluator) about(what library.What, v value) library.Use {
	t := e.toText(v)
	if t.kind != text {
		t = someText()
	}
	return library.Use{What: what, Text: t.text, Known: !t.partial, Dir: e.dir}
}

// about is a use of an operand, where the operation happens.
func (c *called) about(what library.What, o *operands, i int) library.Use {
	v := value{kind: undefined}
	if o.Has(i) {
		v = o.At(i)
	}
	return c.in(c.e.about(what, v), o)
}

// in gives a use the directory in which it happens.
func (c *called) in(u library.Use, o *operands) library.Use {
	if o.In != nil {
		u.Dir = c.e.about(0, *o.In).Text
	}
	return u
}

// whole is a text that is known and not too long.
func (c *called) whole(o *operands) (string, bool) {
	t := c.e.toText(o.At(0))
	return t.text, o.Has(0) && t.kind == text && !t.partial && c.e.room(len(t.text))
}

func decodes(f func(string) (string, bool)) operation {
	return func(c *called, o *operands) value {
		if s, ok := c.whole(o); ok {
			if out, ok := f(s); ok {
				return textValue(out)
			}
		}
		return value{}
	}
}

// textOf is a value as a text, bytes decoded.
func (e *evaluator) textOf(v value) value {
	if v.kind == list && v.items() != nil && len(v.items().all) > 0 && v.items().all[0].kind == number {
		return e.toText(e.buffer([]value{v}))
	}
	return e.toText(v)
}

// argv is a program with its arguments.
func (e *evaluator) argv(program, args value) library.Use {
	u := e.about(library.Argv, program)
	u.Args = []string{u.Text}
	u.Text = ""
	all, known := []value{args}, true
	switch args.kind {
	case text, either:
	case undefined, record, function:
		all = nil
	default:
		all, known = e.elements(args, false)
	}
	u.Known = u.Known && known
	for _, a := range all {
		t := e.about(0, a)
		u.Known = u.Known && t.Known
		u.Args = append(u.Args, t.Text)
	}
	if !known {
		u.Args = append(u.Args, Unknown)
	}
	return u
}

// starts notes a program that is started, with arguments or by a shell. A shell that
// takes what it does from its input comes out.
func (c *called) starts(o *operands, shell bool) value {
	program, args := o.At(0), value{kind: undefined}
	if o.Has(1) {
		args = o.At(1)
	}
	if !shell && len(o.Values) == 1 { // the words in one list
		all, _ := c.e.elements(program, false)
		program, args = arg(all, 0), c.e.method(program, "slice", []value{numberValue(1)})
	}
	u := c.in(c.e.argv(program, args), o)
	words := u.Args
	if shell {
		u.What, u.Text, u.Args = library.Shell, strings.Join(u.Args, " "), nil
	}
	c.e.use(u)
	if strings.HasPrefix(c.path, awaiting) && !u.Known {
		c.e.told = true
	}
	if awaits(words[0]) && (len(words) == 1 || len(words) == 2 && (words[1] == "-s" || words[1] == "-i" || words[1] == Unknown)) {
		return nativeValue(awaiting)
	}
	return value{}
}

// awaiting is the path of a shell that was started and takes what it does from its
// input.
const awaiting = "child_process.shell"

// awaits reports whether a command is such a shell.
func awaits(command string) bool {
	name, flag, _ := strings.Cut(command, " ")
	return library.IsShell(name) && (flag == "" || flag == "-s" || flag == "-i")
}

// statements are how texts begin that are given to a database.
var statements = regexp.MustCompile(`(?i)^\s*(drop|truncate|delete|alter|begin|with|set|update|insert|create|grant|revoke);? `)

// missing is how many operands at the end were not given.
func missing(o *operands) int {
	n := 0
	for n < len(o.Given) && !o.Given[len(o.Given)-1-n] {
		n++
	}
	return n
}

// touches notes what happens to a file.
func (c *called) touches(what library.What, o *operands, content string) value {
	u := c.about(what, o, 0)
	u.Recursive, u.Content = o.All, content
	c.e.use(u)
	return value{}
}
