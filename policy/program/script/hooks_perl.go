package script

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

// perlReadline is <HANDLE>, and <> for the files that the program is given.
func perlReadline(r *reader, c *call, _ *operands) value {
	name, ok := c.get(0).Known()
	switch {
	case !ok:
		return r.other(&value{}, c)
	case name != "" && name != "ARGV" && name != "STDIN":
		return r.answers(r.lookup(name))
	}
	out := value{}
	if name != "STDIN" {
		for _, item := range r.Flat(values.List(r.names["@ARGV"].Items()...)) {
			contents := r.read(item)
			out.Taint(&contents)
		}
	}
	r.names["$_"] = out
	return out
}

// perlShift is the first argument of the function, or of the program, where its
// arguments are meant.
func perlShift(r *reader, c *call, _ *operands) value {
	name := "@ARGV"
	if _, called := r.names["@_"]; called {
		name = "@_"
	}
	given := r.names[name]
	if v := c.get(0); v.Form == values.IsList && v.Of() != name || v.Form == values.IsName && strings.HasPrefix(v.Text, "@") || len(given.Items()) == 0 {
		return value{}
	}
	first := given.Items()[0]
	r.names[name] = given.With(given.Items()[1:], given.Keys())
	return first
}

// bindHandle gives the handle of an open its file.
func (r *reader) bindHandle(c *call, f value) value {
	if h := c.get(0); h.Form == values.IsName {
		r.names[h.Text] = f
	} else if h.Form == values.IsText && strings.HasPrefix(h.Text, values.Mark) {
		r.names["$"+strings.Trim(h.Text, values.Mark)] = f
	}
	return f
}

func perlPrint(r *reader, c *call, _ *operands) value {
	args := c.values()
	if len(args) > 1 && args[0].Form == values.IsList && len(args[0].Items()) == 1 {
		args[0] = args[0].Items()[0]
	}
	if len(args) > 0 {
		r.puts(args[0], values.List(args[1:]...))
	}
	return printsAll(r, c, nil)
}

// perlFind is File::Find: what its block deletes lies in the directories.
func perlFind(r *reader, c *call, _ *operands) value {
	dirs := c.values()
	for i := range r.uses {
		u := &r.uses[i]
		if u.What != library.DeleteFile || u.Known || len(dirs) < 2 {
			continue
		}
		if s, ok := dirs[1].Known(); ok {
			u.Text, u.Known, u.Recursive = s, true, true
		}
	}
	return value{}
}

// perlModes are the modes of open as fopen has them.
var perlModes = strings.NewReplacer("<", "r", ">>", "a", ">", "w")

// perlOpen is open with two arguments, where the second says how, or more.
func perlOpen(r *reader, c *call, _ *operands) value {
	path, all := c.get(1), c.values()
	m := strings.TrimSpace(path.Text)
	if h := c.get(0); h.Form == values.IsName && (h.Text == "STDIN" || h.Text == "STDOUT" || h.Text == "STDERR") && strings.ContainsAny(m, "&") {
		r.handed = true // it is given another one
		return value{}
	}
	switch {
	case c.name == "sysopen":
		return r.bindHandle(c, r.opened(path, "r+"))
	case len(c.args) > 2 && strings.Contains(m, "|") && len(all) > 3:
		return r.bindHandle(c, r.argv(all[2:]))
	case len(c.args) > 2 && strings.Contains(m, "|"):
		return r.bindHandle(c, r.command(c.get(2)))
	case len(c.args) > 2:
		return r.bindHandle(c, r.opened(c.get(2), perlModes.Replace(m)))
	case strings.HasSuffix(m, "|"):
		path.Text = strings.TrimSpace(strings.TrimSuffix(m, "|"))
		return r.bindHandle(c, r.shell(path))
	}
	rest := strings.TrimLeft(m, "+<>|")
	path.Text, m = strings.TrimSpace(rest), m[:len(m)-len(rest)]
	switch {
	case m == "|":
		return r.bindHandle(c, r.shell(path))
	case m != "" && strings.HasPrefix(rest, "&"):
		return value{}
	}
	return r.bindHandle(c, r.opened(path, perlModes.Replace(m)))
}
