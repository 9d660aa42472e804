package script

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/decode"
	"github.com/sluice-project/sluice/policy/program/library"
)

// perlModes are the modes of open as fopen has them.
var perlModes = strings.NewReplacer("<", "r", ">>", "a", ">", "w")

// perlReadline is <HANDLE>, and <> for the files that the program is given.
func perlReadline(r *reader, c *call) value {
	v := c.get(0)
	name, ok := v.known()
	switch {
	case !ok:
		return r.other(&value{}, c)
	case name == "" || name == "ARGV" || name == "STDIN":
		out := value{}
		if given := r.names["@ARGV"]; name != "STDIN" && len(given.items()) > 0 {
			for _, item := range r.flat(given) {
				contents := r.read(item)
				out.taint(&contents)
			}
		}
		r.names["$_"] = out
		return out
	default:
		f := r.lookup(name)
		return r.answers(f)
	}
}

// perlShift is the first argument of the program, where its arguments are meant.
func perlShift(r *reader, c *call) value {
	given := r.names["@ARGV"]
	if v := c.get(0); v.form == isList && v.of() != "@ARGV" || v.form == isRef && strings.HasPrefix(v.text, "@") || len(given.items()) == 0 {
		return value{}
	}
	first := given.items()[0]
	r.names["@ARGV"] = given.with(given.items()[1:], given.keys())
	return first
}

// bindHandle gives the handle of an open its file.
func (r *reader) bindHandle(c *call, f value) value {
	if h := c.get(0); h.form == isRef {
		r.names[h.text] = f
	} else if h.form == isString && strings.HasPrefix(h.text, mark) {
		r.names["$"+strings.Trim(h.text, mark)] = f
	}
	return f
}

// perlOpen is open with two arguments, where the second says how, or more.
func perlOpen(r *reader, c *call) value {
	if c.name == "sysopen" {
		return r.bindHandle(c, r.opened(c.get(1), "r+"))
	}
	how := c.get(1)
	if h := c.get(0); h.form == isRef && (h.text == "STDIN" || h.text == "STDOUT" || h.text == "STDERR") && strings.ContainsAny(how.text, "&") {
		r.given = true // it is given another one
		return value{}
	}
	m := strings.TrimSpace(how.text)
	if len(c.args) > 2 {
		rest := c.values()
		rest = rest[min(2, len(rest)):]
		if strings.Contains(m, "|") {
			if len(rest) == 1 {
				return r.bindHandle(c, r.command(rest[0]))
			}
			return r.bindHandle(c, r.argv(rest))
		}
		return r.bindHandle(c, r.opened(c.get(2), perlModes.Replace(m)))
	}
	trim := func(cut int) value {
		v := how
		v.text = strings.TrimSpace(m[cut:])
		return v
	}
	switch {
	case strings.HasPrefix(m, "|"):
		return r.bindHandle(c, r.shell(trim(1)))
	case strings.HasSuffix(m, "|"):
		v := how
		v.text = strings.TrimSpace(strings.TrimSuffix(m, "|"))
		return r.bindHandle(c, r.shell(v))
	case strings.HasPrefix(m, "+<"), strings.HasPrefix(m, "+>"):
		return r.bindHandle(c, r.opened(trim(2), "r+"))
	case strings.HasPrefix(m, ">>"):
		return r.bindHandle(c, r.opened(trim(2), "a"))
	case strings.HasPrefix(m, ">&"), strings.HasPrefix(m, "<&"):
		return value{}
	case strings.HasPrefix(m, ">"):
		return r.bindHandle(c, r.opened(trim(1), "w"))
	case strings.HasPrefix(m, "<"):
		return r.bindHandle(c, r.opened(trim(1), "r"))
	default:
		return r.bindHandle(c, r.opened(how, "r"))
	}
}

func perlPrint(r *reader, c *call) value {
	args := c.values()
	if len(args) > 1 && args[0].form == isList && len(args[0].items()) == 1 {
		args[0] = args[0].items()[0]
	}
	if len(args) > 0 && args[0].form == isFile && !r.into(&args[0], args[1:]...) {
		r.put(args[0], r.joined(text(""), listOf(args[1:]...)))
	}
	if len(args) > 0 && args[0].form == isSocket {
		r.tell(args[0], args[1:]...)
	}
	return printsAll(r, c, nil)
}

func perlPack(r *reader, c *call) value {
	how, _ := c.get(0).known()
	switch {
	case strings.HasPrefix(how, "H"):
		return r.decoded(c.get(1), "hex", decode.Hex)
	case strings.HasPrefix(how, "C"), strings.HasPrefix(how, "c"), strings.HasPrefix(how, "U"), strings.HasPrefix(how, "W"):
		var codes []value
		args := c.values()
		for _, v := range args[min(1, len(args)):] {
			codes = append(codes, v.flatItems()...)
		}
		return r.letters(codes)
	case strings.HasPrefix(how, "A"), strings.HasPrefix(how, "a"):
		return c.get(1)
	}
	return value{}.madeOf(decodedBy("pack"))
}

func perlUnpack(_ *reader, c *call) value {
	how, _ := c.get(0).known()
	v := c.get(1)
	switch {
	case strings.HasPrefix(how, "u"):
		return value{}.madeOf(decodedBy("uuencode"))
	case strings.HasPrefix(how, "A"), strings.HasPrefix(how, "a"):
		return v
	}
	return value{}.madeOf(decodedBy("pack"))
}

// perlFind is File::Find: what its block deletes lies in the directories.
func perlFind(r *reader, c *call) value {
	dirs := c.values()
	for i := range r.uses {
		u := &r.uses[i]
		if u.What != library.DeleteFile || u.Known || len(dirs) < 2 {
			continue
		}
		if s, ok := dirs[1].known(); ok {
			u.Text, u.Known, u.Recursive = s, true, true
		}
	}
	return value{}
}

func perlSocket(r *reader, c *call) value {
	if v := c.named("LocalPort", "Listen"); v.form != isUnknown {
		s := v.piece()
		r.use(library.Use{What: library.Listen, Text: shown(s), Known: isKnown(s)})
		return value{form: isSocket}
	}
	args := c.values()
	for i := 0; i+1 < len(args); i += 2 { // PeerAddr, "host"
		if args[i].form == isRef {
			c.args = append(c.args, argument{name: args[i].text, value: args[i+1]})
		}
	}
	host, port := c.named("PeerAddr", "PeerHost"), c.named("PeerPort")
	if host.form == isUnknown {
		host = c.get(0)
	}
	if port.form == isUnknown {
		return r.connect(host)
	}
	return r.connect(listOf(host, port))
}
