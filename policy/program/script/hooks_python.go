package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/values"
)

// flags are the arguments of a call, those with names as a program has them:
// r=True is -r.
func (c *call) flags() []value {
	list := make([]value, 0, len(c.args))
	for i := range c.args {
		name, v := c.args[i].name, c.args[i].value
		if name == "" {
			list = append(list, v)
			continue
		}
		if strings.HasPrefix(name, "_") || v.Text == "False" {
			continue
		}
		dashes := "--"
		if len(name) == 1 {
			dashes = "-"
		}
		list = append(list, values.Text(dashes+name))
		if v.Text != "True" {
			list = append(list, v)
		}
	}
	return list
}

// programItem is local["rm"] and rm["-rf", "/"] of plumbum. It reports false for
// other elements.
func (r *reader) programItem(v, key *value) (value, bool) {
	switch {
	case v.Text == "plumbum.local", v.Text == "plumbum.machines.local":
		if s, ok := key.Known(); ok && s != "" {
			return values.Name("plumbum.cmd." + s[strings.LastIndexByte(s, '/')+1:]), true
		}
	case strings.HasPrefix(v.Text, "plumbum.cmd."):
		c := call{args: []argument{{value: *key}}}
		for r.peek(0).Is(",") && len(c.args) < values.MostItems && r.Step() {
			r.i++
			c.args = append(c.args, argument{value: r.expr(0)})
		}
		r.callRef(v, &c)
		return *v, true
	}
	return value{}, false
}

// gitPush is push of a remote of a repository; other things have a push, too.
func gitPush(r *reader, c *call, _ *operands) value {
	self := c.self
	for range mostLinks {
		if self.Form != values.IsName || len(self.Items()) != 1 {
			break
		}
		self = self.Items()[0]
	}
	if self.Form != values.IsClient || self.Text != "git" {
		return r.unknown(&self, c)
	}
	return r.argv(append([]value{values.Text("git"), values.Text("push")}, c.flags()...))
}

// namedProgram is a call of a member of a module whose members are programs, or the
// subcommands of one: sh.rm("-rf", "/"). Its operands are the module and the program.
func namedProgram(r *reader, c *call, o *operands) value {
	words := strings.TrimPrefix(c.name, o.At(0).Text)
	if words == "" || words[0] < 'a' || words[0] > 'z' {
		return r.unknown(&value{Form: values.IsName, Text: c.name}, c)
	}
	argv := o.From(1)
	for word := range strings.SplitSeq(words, ".") { // sh.sudo.rm
		if !slices.Contains([]string{"bake", "run", "popen", "run_fg", "run_bg", "contrib"}, word) {
			argv = append(argv, values.Text(strings.ReplaceAll(strings.TrimSuffix(word, "_"), "_", "-")))
		}
	}
	return r.argv(append(argv, c.flags()...))
}
