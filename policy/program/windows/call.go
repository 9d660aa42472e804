package windows

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
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
		if !isDashed(w) || len(list(w)) > 0 || '0' <= shown(w)[1] && shown(w)[1] <= '9' {
			c.words = append(c.words, w)
			continue
		}
		word, rest, has := strings.Cut(strings.TrimLeft(shown(w), "-–—―"), ":")
		p := param{name: strings.ToLower(word)}
		switch {
		case has && rest != "":
			p.value = written(rest, known(w))
		case has && i+1 < len(words), !isSwitch(name, p.name) && i+1 < len(words) && (!isDashed(words[i+1]) || shown(words[i+1])[0] != '-' || '0' <= shown(words[i+1])[1] && shown(words[i+1])[1] <= '9'):
			i++
			p.value = words[i]
		}
		c.params = append(c.params, p)
	}
	return c
}

// isDashed reports whether a word is written as a parameter.
func isDashed(w value) bool {
	return w.Bare && len(shown(w)) >= 2 && (shown(w)[0] == '-' || strings.HasPrefix(shown(w), "–") || strings.HasPrefix(shown(w), "—") || strings.HasPrefix(shown(w), "―"))
}

// program is a call of a program, or of a command of cmd.exe itself, with its words: an
// option has what stands behind its colon as its value, or the next word, which may also be
// none. Several may stand in one word: /s/q.
func (r *reader) program(name string, words []value, in value, own bool) *call {
	c := &call{r: r, name: name, in: in, all: words, exact: true}
	for i, w := range words {
		w = shortened(w)
		s, most := shown(w), 40
		if own {
			most = 12
		}
		slash := strings.HasPrefix(s, "/") && len(s) <= most && !(own && strings.Contains(s[1:], ":/"))
		if len(s) < 2 || !slash && (own || s[0] != '-') {
			c.words = append(c.words, w)
			continue
		}
		options, rest, has := strings.Cut(strings.TrimLeft(s, "-/"), ":")
		v := argument(words, i+1)
		if has {
			v = written(rest, known(w))
		}
		for option := range strings.SplitSeq(strings.ToLower(options), "/") {
			c.params = append(c.params, param{option, v})
		}
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
	in := slices.Contains(p.Names, "in") && !isNothing(c.in)
	if v, ok := c.get(p.Names...); ok && !(in && isNothing(v)) {
		return v, true
	}
	if rest := c.words[min(place, len(c.words)):]; !p.Named && len(rest) > 0 {
		if !p.Rest || len(rest) == 1 {
			return rest[0], true
		}
		return values.List(rest...), true
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
		return values.List(c.all...).As(words)
	}
	return c.in
}

// words is the kind of all words of a command, which are known as they are written.
const words = "words"

func (c *call) Text(s string) value { return values.Text(s) }

// Known is the text in small letters, and without the sign of $true.
func (c *call) Known(v value) (string, bool) {
	s := strings.ToLower(strings.Join(paths(v), " "))
	switch s {
	case "$true", "$false", "$null":
		return s[1:], true
	}
	return s, known(v) || v.Kind() == words
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

func (c *call) IsNothing(v value) bool { return v.Form == values.IsUnknown && isNothing(v) }

// Form is what a value is.
func (c *call) Form(v value) string {
	switch {
	case strings.HasPrefix(v.Kind(), "wmi "), strings.EqualFold(shown(v), "win32_process"):
		return "instance"
	case v.Kind() == "process", v.Kind() == "shell", v.Kind() == "code":
		return v.Kind()
	case v.Kind() == "block":
		return "function"
	case len(list(v)) > 0:
		return "list"
	case shown(v) != "":
		return "text"
	}
	return "unknown"
}

func (c *call) Do(operation string, o *library.Operands[value]) value {
	if f := c.r.operations[operation]; f != nil {
		return f(c, o)
	}
	return values.Operations[operation](&c.r.Maker, o)
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
