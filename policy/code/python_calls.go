package code

import (
	"slices"
	"strings"
)

// pythonProcess is subprocess.run and its relatives.
func pythonProcess(r *reader, c *call) value {
	args, dir := c.get(0, "args"), c.named("cwd")
	before := r.dir
	if s, ok := dir.known(); ok {
		r.dir = r.inDir(s)
	}
	defer func() { r.dir = before }()
	shell := c.named("shell")
	input := c.named("input")
	if s, ok := input.known(); ok && args.form != isString && len(args.items()) > 0 && isShell(args.items()[0].text) {
		r.shell(text(s))
	}
	if args.form == isList {
		if shell.form != isUnknown && shell.text != "False" && len(args.items()) > 0 {
			return r.shell(args.items()[0])
		}
		return r.argv(args.items())
	}
	return r.shell(args)
}

func isShell(name string) bool {
	switch name[strings.LastIndexByte(name, '/')+1:] {
	case "sh", "bash", "zsh", "dash", "ksh", "fish":
		return true
	}
	return false
}

// pythonExec is os.execvp and its relatives.
func pythonExec(r *reader, c *call) value {
	args := c.values()
	name := c.name[strings.LastIndexByte(c.name, '.')+1:]
	if strings.HasPrefix(name, "spawn") && len(args) > 0 {
		args = args[1:]
	}
	if len(args) == 0 {
		return value{}
	}
	words := []value{args[0]}
	rest := args[1:]
	if len(rest) > 0 && rest[0].form == isList {
		rest = rest[0].items()
	} else if strings.Contains(name, "v") && len(rest) > 0 {
		words = append(words, rest[0])
		rest = nil
	}
	if len(rest) > 1 {
		words = append(words, rest[1:]...)
	}
	return r.argv(words)
}

func pythonLink(r *reader, c *call) value {
	r.write(c.get(1, "dst"), value{}.madeOf(fromSources(c.get(0, "src").names()...)))
	return value{}
}

// names are the texts of a value that are known.
func (v value) names() []string {
	var out []string
	for _, s := range v.pieces() {
		if isKnown(s) {
			out = append(out, s)
		}
	}
	return out
}

func pythonOpen(r *reader, c *call) value {
	return r.openMode(c.get(0, "file", "name"), c.get(1, "mode"))
}

func (r *reader) openMode(path, mode value) value {
	if path.form == isNum {
		return value{}
	}
	m, ok := mode.known()
	switch {
	case ok:
		return r.opened(path, m)
	case mode.form == isUnknown:
		return r.opened(path, "r")
	default:
		return r.opened(path, "r+")
	}
}

func readsFirst(r *reader, c *call) value { return r.read(c.get(0)) }

func readsSelf(r *reader, c *call) value {
	if c.self.form != isString && c.self.form != isUnknown {
		return r.other(&c.self, c)
	}
	return r.read(c.self)
}

func writesSelf(r *reader, c *call) value {
	r.writeSelf(c, c.get(0))
	return value{}
}

func (r *reader) writeSelf(c *call, contents value) {
	if c.self.form == isString || c.self.form == isUnknown {
		r.write(c.self, contents)
	}
}

func deletesSelf(recursive bool) builtin {
	return func(r *reader, c *call) value {
		if c.self.form != isClient && c.self.form != isSocket && c.self.form != isFile {
			r.remove(recursive, c.self)
		}
		return value{}
	}
}

func movesSelf(r *reader, c *call) value {
	if c.self.form != isString {
		return r.other(&c.self, c)
	}
	return moves(r, &call{args: append([]argument{{value: c.self}}, c.args...)})
}

func readsHandle(r *reader, c *call) value { return answers(r, c) }

func writesHandle(r *reader, c *call) value {
	if c.self.form == isSocket {
		r.tell(c.self, c.get(0))
		return value{}
	}
	if r.into(&c.self, c.values()...) {
		return value{}
	}
	if c.self.form == isFile {
		if v := c.get(0); strings.Contains(c.name, "lines") {
			r.put(c.self, r.joined(text(""), v))
		} else {
			r.put(c.self, v)
		}
	}
	return value{}
}

func addsToArchive(r *reader, c *call) value {
	if c.self.form == isFile && c.self.use > 0 {
		contents := r.read(c.get(0))
		r.put(c.self, contents)
	}
	return value{}
}

func loadsObject(r *reader, c *call) value {
	if v := c.get(0); v.hidden() != "" || v.remote() != "" {
		r.use(Use{What: Eval, Text: shown(v.remote()), Hidden: v.hidden()})
	}
	return r.other(&value{}, c)
}

func makesFunction(_ *reader, c *call) value {
	v := c.get(0)
	made := origin{hidden: v.hidden(), remote: v.remote()}
	if made.hidden == "" && made.remote == "" {
		made.hidden = "code"
	}
	return value{form: isSecretly}.madeOf(madeFrom(made))
}

func pythonDecode(r *reader, c *call) value { return r.decodeAs(c.get(0), c.get(1)) }

func pythonDecodes(r *reader, c *call) value { return r.decodeAs(c.self, c.get(0)) }

// decodeAs is decode with the name of a codec.
func (r *reader) decodeAs(v, codec value) value {
	name, _ := codec.known()
	switch strings.ReplaceAll(strings.ToLower(name), "_", "") {
	case "rot13", "rot-13":
		return r.decoded(v, "rot13", rot13)
	case "hex", "hexcodec":
		return r.decoded(v, "hex", fromHex)
	case "base64", "base64codec":
		return r.decoded(v, "base64", fromBase64)
	case "zlib", "zip", "zlibcodec":
		return r.decoded(v, "zlib", inflated)
	default:
		return v
	}
}

// textOf is str(x) and bytes([1, 2]).
func textOf(r *reader, c *call) value {
	v := c.get(0)
	switch {
	case v.form == isList && c.name != "str":
		return r.letters(v.items())
	case v.form == isNum:
		return text(v.text)
	case v.form == isRef && isEnvironment(v.text):
		return r.environment()
	default:
		return v
	}
}

func reverses(r *reader, c *call) value {
	v := c.get(0)
	if v.form == isUnknown && len(c.args) == 0 {
		v = c.self
	}
	if v.form == isList {
		items := slices.Clone(v.items())
		slices.Reverse(items)
		return v.with(items, nil)
	}
	return r.decoded(v, "reverse", reversed)
}

func startsTarget(r *reader, c *call) value {
	f, args := c.named("target"), c.named("args")
	if f.form != isRef {
		return value{}
	}
	return r.callWith(f, args.flatItems())
}

func imports(_ *reader, c *call) value {
	v := c.get(0)
	if s, ok := v.known(); ok {
		if top, _, nested := strings.Cut(s, "."); nested && len(c.args) == 1 && c.name == "__import__" { // which gives the outermost
			return ref(top)
		}
		return ref(s)
	}
	if v.hidden() != "" || v.remote() != "" {
		return value{form: isSecretly}.madeOf(decodedBy("names"))
	}
	return value{}
}

func getsMember(r *reader, c *call) value { return r.memberNamed(c.get(0), c.get(1)) }

func (r *reader) memberNamed(v, name value) value {
	if s, ok := name.known(); ok {
		return r.member(&v, s)
	}
	if v.form == isRef && r.dangerous(v.text) || v.form == isSecretly {
		return value{form: isSecretly}.madeOf(decodedBy("names"))
	}
	return value{}
}

func (r *reader) formatCall(c *call) value {
	if c.self.form != isString {
		return r.other(&c.self, c)
	}
	items := c.values()
	for i := range c.args {
		if c.args[i].name != "" && len(c.self.or()) == 0 && isKnown(c.self.text) { // {name}
			items = append(items, c.args[i].value)
			c.self.text = strings.ReplaceAll(c.self.text, "{"+c.args[i].name+"}", "{"+itoa(len(items)-1)+"}")
			r.bytes -= len(c.self.text)
			if r.bytes < 0 {
				r.refuse("bytes")
				break
			}
		}
	}
	return r.format(c.self, items)
}

func replaces(r *reader, c *call) value {
	if len(c.args) == 1 {
		return movesSelf(r, c)
	}
	from, ok := c.get(0).known()
	to, ok2 := c.get(1).known()
	if !ok || !ok2 || len(to) > 64 || from == "" {
		return r.other(&c.self, c)
	}
	return r.decoded(c.self, c.self.hidden(), func(s string) (string, bool) {
		out := strings.ReplaceAll(s, from, to)
		return out, len(out) <= mostText
	})
}

func lowers(r *reader, c *call) value {
	return r.decoded(c.self, c.self.hidden(), func(s string) (string, bool) { return strings.ToLower(s), true })
}

func splits(r *reader, c *call) value {
	s, ok := c.self.known()
	if !ok || len(s) > 4096 || !r.looks(perItem/2*len(s)) {
		return r.other(&c.self, c)
	}
	if sep, ok := c.get(0).known(); ok && sep != "" {
		return textList(strings.Split(s, sep))
	}
	return textList(strings.Fields(s))
}

func walks(_ *reader, c *call) value {
	return listOf(listOf(c.get(0, "top"), text("*"), text("*")))
}

func changesDir(r *reader, c *call) value {
	if s, ok := c.get(0).known(); ok {
		r.dir = r.inDir(s)
	} else {
		r.dir = "$dir"
	}
	return value{}
}
