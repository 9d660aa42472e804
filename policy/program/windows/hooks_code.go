package windows

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/decode"
	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

func invokeCommand(r *reader, c *call) value {
	if file, ok := c.get("filepath"); ok {
		r.out.Scripts = append(r.out.Scripts, strings.ReplaceAll(shown(file), `\`, "/"))
	}
	v := c.param(0, "scriptblock")
	if len(c.words) > 1 && v.Kind() != "block" && c.words[1].Kind() == "block" { // behind the machine
		v = c.words[1]
	}
	elsewhere := slices.ContainsFunc(library.Of(library.PowerShell).Way("machines"), func(where string) bool {
		_, ok := c.get(where)
		return ok
	})
	if elsewhere || len(c.words) > 1 && v.Kind() == "block" {
		for i := r.since; i < len(r.out.Effects); i++ {
			r.out.Effects[i].Remote = true
		}
	}
	if v.Kind() == "code" || shown(v) != "" && v.Kind() != "block" {
		return r.evaluate(v)
	}
	return v
}

func newObject(r *reader, c *call) value {
	if com, ok := c.get("comobject"); ok {
		return r.object(shown(com), nil)
	}
	args := c.words[min(1, len(c.words)):]
	if given, ok := c.get("argumentlist"); ok {
		args = items(given)
	}
	name := shown(c.param(0, "typename"))
	if at := strings.IndexByte(name, '('); at > 0 {
		name = name[:at]
	}
	return r.object(name, args)
}

// forEach runs its block for what comes in, or calls one member of it.
func forEach(r *reader, c *call) value {
	if v, ok := c.get("membername"); ok && known(v) {
		return r.method(c.in, strings.ToLower(shown(v)), c.words)
	}
	if len(c.words) > 0 && c.words[0].Kind() != "block" && c.words[0].Bare && known(c.words[0]) && shown(c.words[0]) != "" {
		return r.method(c.in, strings.ToLower(shown(c.words[0])), c.words[1:])
	}
	return c.in
}

func wmiMethod(r *reader, c *call) value {
	v, _ := c.get("argumentlist", "arguments")
	if line := field(v, "commandline"); shown(line) != "" {
		v = line
	}
	for _, line := range paths(v) {
		r.nested(line)
	}
	if shown(v) == "$map" {
		r.doubt(Variable)
	}
	return value{}
}

// setAlias gives a cmdlet another name.
func setAlias(r *reader, c *call) value {
	name, to := programName(shown(c.param(0, "name"))), programName(shown(c.param(1, "value")))
	if full, ok := r.alias(to); ok {
		to = full
	}
	if len(r.aliases) < 1000 {
		r.aliases[name] = to
	}
	return value{}
}

// invokes runs a script that is an object, or a program by its name.
func invokes(r *reader, c *call) value {
	switch v := c.in; {
	case functionOf(v) != nil:
		return r.invoke(functionOf(v), c.words, value{})
	case v.Kind() == "invoker":
		return r.evaluate(argument(c.words, 0))
	case v.Kind() == "code":
		return r.evaluate(v)
	case len(c.words) > 0 && known(v):
		return r.run(append([]value{v}, c.words...), value{})
	default:
		return made("invoke", append([]value{v}, c.words...))
	}
}

func (r *reader) powershellWith(words []value, in value) value {
	for i := 0; i < len(words); i++ {
		name := strings.TrimLeft(shown(words[i]), "-/–—")
		if shown(words[i]) == "" || name == shown(words[i]) {
			if strings.HasSuffix(strings.ToLower(name), ".ps1") {
				r.file(name)
				return value{}
			}
			return r.nestedWords(words[i:])
		}
		name = strings.ToLower(name)
		begins := func(option string) bool { return strings.HasPrefix(option, name) }
		next := argument(words, i+1)
		switch {
		case name == "":
			return r.evaluate(in)
		case begins("encodedcommand"), name == "ec":
			if i+1 < len(words) {
				return r.encoded(next)
			}
		case begins("command"), name == "commandwithargs", name == "cwa":
			if shown(next) == "-" {
				return r.evaluate(in)
			}
			return r.nestedWords(words[i+1:])
		case begins("file"):
			if i+1 < len(words) {
				r.file(shown(next))
			}
			return value{}
		case begins("executionpolicy"), begins("windowstyle"), begins("version") && name != "v", begins("inputformat"), begins("outputformat"), is("options", name):
			i++
		}
	}
	if shown(in) != "" || in.Remote() != "" || in.Hidden() != "" {
		return r.evaluate(in)
	}
	return value{}
}

// nestedWords reads words that together are a script.
func (r *reader) nestedWords(words []value) value {
	if len(words) == 0 || words[0].Kind() == "block" { // it was read where it stands
		return value{}
	}
	of := made("", words)
	// What is a variable here is one there.
	v := written(line(words), of.Remote() == "" && of.Hidden() == "" || known(values.List(words...)))
	return r.runText(v.MadeOf(of.Origin())) // a script that starts another is no eval
}

// encoded reads a script in base64 of UTF-16.
func (r *reader) encoded(v value) value {
	raw, ok := decode.Base64(shown(v))
	if !ok || len(raw) > mostText*2 {
		r.does(effect.RunHidden, "encoded command")
		return value{}
	}
	isPlain := func(s string) bool { // mostly ASCII
		odd := strings.Map(func(c rune) rune {
			if c > 0x7e {
				return 'x'
			}
			return -1
		}, s)
		return len(odd)*4 < len(s)
	}
	text := decode.UTF16(raw)
	if strings.Count(text, "\x00") == 0 && !isPlain(text) && isPlain(raw) {
		text = raw
	}
	return r.nested(text)
}

// file notes that a script is run.
func (r *reader) file(p string) {
	if !r.loads(p) && len(r.out.Scripts) < MaxEffects {
		r.out.Scripts = append(r.out.Scripts, strings.ReplaceAll(p, `\`, "/"))
	}
}
