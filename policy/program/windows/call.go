package windows

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// call is a call of a cmdlet, a program or a method, as descriptions see it.
type call struct {
	r      *reader
	name   string
	params []param
	words  []value
	// all are the words of a program as they were written.
	all []value
	// in is what comes from the pipeline, or what a method is called on.
	in value
	// exact: options are given by their whole names.
	exact bool
}

type param struct {
	name  string
	value value
}

// cmdlet is a call of a cmdlet with its words.
func (r *reader) cmdlet(name string, words []value, in value) *call {
	c := &call{r: r, name: name, in: in}
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !isDashed(w) || len(w.list) > 0 || '0' <= w.text[1] && w.text[1] <= '9' {
			c.words = append(c.words, w)
			continue
		}
		word, rest, has := strings.Cut(strings.TrimLeft(w.text, "-–—―"), ":")
		p := param{name: strings.ToLower(word)}
		switch {
		case has && rest != "":
			p.value = value{text: rest, known: w.known}
		case has && i+1 < len(words), !isSwitch(name, p.name) && i+1 < len(words) && (!isDashed(words[i+1]) || words[i+1].text[0] != '-' || '0' <= words[i+1].text[1] && words[i+1].text[1] <= '9'):
			i++
			p.value = words[i]
		}
		c.params = append(c.params, p)
	}
	return c
}

// isDashed reports whether a word is written as a parameter.
func isDashed(w value) bool {
	return w.bare && len(w.text) >= 2 && (w.text[0] == '-' || strings.HasPrefix(w.text, "–") || strings.HasPrefix(w.text, "—") || strings.HasPrefix(w.text, "―"))
}

// program is a call of a program with its words: an option has what stands behind its
// colon as its value, or the next word, which may also be none.
func (r *reader) program(name string, words []value, in value) *call {
	c := &call{r: r, name: name, in: in, all: words, exact: true}
	for i, w := range words {
		w.text = short(w.text)
		if len(w.text) < 2 || w.text[0] != '/' && w.text[0] != '-' || w.text[0] == '/' && len(w.text) > 40 {
			c.words = append(c.words, w)
			continue
		}
		option, rest, has := strings.Cut(strings.TrimLeft(w.text, "-/"), ":")
		p := param{strings.ToLower(option), argument(words, i+1)}
		if has {
			p.value = value{text: rest, known: w.known}
		}
		c.params = append(c.params, p)
	}
	return c
}

// get is the value of a parameter, which may be given by the beginning of its name. Of
// several that a star stands for it is the first that is not off.
func (c *call) get(names ...string) (value, bool) {
	var off *param
	for i := range c.params {
		p := &c.params[i]
		for _, n := range names {
			begin, open := strings.CutSuffix(n, "*")
			switch {
			case open && (strings.HasPrefix(p.name, begin) || len(p.name) > 3 && strings.HasPrefix(begin, p.name)):
				if on, known := c.True(p.value); on || !known {
					return p.value, true
				}
				off = p
			case !open && len(p.name) >= least(n) && (p.name == n || !c.exact && strings.HasPrefix(n, p.name)):
				return p.value, true
			}
		}
	}
	if off != nil {
		return off.value, true
	}
	return value{}, false
}

// least is how many letters of a parameter's name are enough. Others begin with the first
// letter of the one that makes a trial.
func least(name string) int {
	if name == "whatif" {
		return 2
	}
	return 1
}

// param is the value of a parameter, or of the word at a place.
func (c *call) param(place int, names ...string) value {
	if v, ok := c.get(names...); ok {
		return v
	}
	return argument(c.words, place)
}

// Given is an argument of the call.
func (c *call) Given(p *library.Param, place int) (value, bool) {
	in := slices.Contains(p.Names, "in") && !c.in.isNothing()
	if v, ok := c.get(p.Names...); ok && !(in && v.isNothing()) {
		return v, true
	}
	if rest := c.words[min(place, len(c.words)):]; !p.Named && len(rest) > 0 {
		if !p.Rest || len(rest) == 1 {
			return rest[0], true
		}
		all := value{list: rest, known: true}
		for i := range rest {
			all.known = all.known && rest[i].known
		}
		return all, true
	}
	return c.in, in
}

// ByName reports whether a parameter is given by its name.
func (c *call) ByName(p *library.Param) bool {
	_, ok := c.get(p.Names...)
	return ok
}

// Whole is all arguments, or what comes in.
func (c *call) Whole(role string) value {
	if role == library.All {
		return value{list: c.all, known: true}
	}
	return c.in
}

func (c *call) Text(s string) value { return literal(s) }

// Known is the text in small letters, and without the sign of $true.
func (c *call) Known(v value) (string, bool) {
	s := strings.ToLower(strings.Join(v.paths(), " "))
	switch s {
	case "$true", "$false", "$null":
		return s[1:], true
	}
	return s, v.known
}

// True is whether a value counts as true, which is known of a switch, that has none, and
// of few texts.
func (c *call) True(v value) (holds, known bool) {
	switch s, _ := c.Known(v); s {
	case "", "true", "1":
		return true, true
	case "false", "0", "null":
		return false, true
	}
	return true, false
}

func (c *call) IsNothing(v value) bool { return v.isNothing() && !v.known }

// Form is what a value is.
func (c *call) Form(v value) string {
	switch {
	case strings.HasPrefix(v.object, "wmi "), strings.EqualFold(v.text, "win32_process"):
		return "instance"
	case v.object == "process", v.object == "shell", v.object == "code":
		return v.object
	case v.object == "block":
		return "function"
	case len(v.list) > 0:
		return "list"
	case v.text != "":
		return "text"
	}
	return "unknown"
}

func (c *call) Do(operation string, o *library.Operands[value]) value {
	return c.r.operations[operation](c, o)
}

func argument(args []value, n int) value {
	if 0 <= n && n < len(args) {
		return args[n]
	}
	return value{}
}

// described does what is known of a call and reports whether anything is.
func (c *call) described(language library.Language, name string) (value, bool) {
	return library.Run(library.Of(language).Call(name), library.Reader[value](c))
}

// isSwitch reports whether a parameter of a cmdlet has no value.
func isSwitch(cmdlet, name string) bool {
	switch name {
	case "name", "n", "na", "file", "directory", "fi", "fil":
		return cmdlet == "get-childitem" && (name == "file" || name == "directory" || name == "name")
	case "f", "rf", "fr", "rfv", "vrf": // also as rm has them
		return true
	case "verb":
		return false
	}
	table := library.Of(library.PowerShell)
	given := func(full string) bool { return strings.HasPrefix(full, name) }
	return slices.ContainsFunc(table.Way("switches"), given) && !slices.ContainsFunc(table.Way("valued"), given)
}

// begins reports whether a name is given by its first letters.
func begins(name, letters string) bool { return strings.HasPrefix(name, letters) }
