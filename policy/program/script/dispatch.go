package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// mostName is how long a name with its modules may be.
const mostName = 256

// member is what a name means on a value.
func (r *reader) member(v *value, name string) value {
	if name == "call" && v.calls() != nil {
		return *v
	}
	if v.form == isRef && len(v.items()) == 0 {
		if len(v.text)+len(name) > mostName {
			return value{}
		}
		full := r.canonical(v.text + "." + name)
		if known, ok := r.names[full]; ok {
			return known
		}
		if known, ok := r.constant(full); ok {
			return known
		}
		if name == "__dict__" || name == "__globals__" {
			return *v
		}
		return ref(full)
	}
	switch {
	case v.form == isSecretly, v.form == isFile && v.text == toShell && name == "stdin":
		return *v
	case v.form == isRef && v.text == ".git": // of a repository
		return ref(".git." + name).holding(&v.items()[0])
	case v.form == isString && (r.language == library.Python || r.language == library.Ruby):
		switch name {
		case "parent", "dirname":
			return r.parent(*v)
		case "path": // of an entry of a directory
			return *v
		case "name", "stem", "suffix":
			return madeBy(v)
		}
	}
	return ref("." + name).holding(v)
}

// canonical writes a name as the tables do.
func (r *reader) canonical(name string) string {
	if strings.IndexByte(name, ':') >= 0 {
		name = strings.ReplaceAll(name, "::", ".")
	}
	if dot := strings.IndexByte(name, '.'); dot > 0 && name[dot+1:] != "new" {
		switch name[:dot] {
		case "builtins", "__builtins__", "__builtin__", "Kernel", "CORE", "main", "base", "_G", "Object":
			name = name[dot+1:]
		}
	}
	if r.language == library.PHP && !strings.Contains(name, "$") {
		name = strings.ToLower(name)
	}
	return name
}

// call is what calling a value gives. It notes what that does.
func (r *reader) call(v *value, c *call) value {
	if !r.step() {
		return value{}
	}
	if r.language == library.Perl { // &{"name"}(...)
		v = v.only()
	}
	if f := v.calls(); f != nil {
		if len(f.params) == 0 && (r.language != library.Perl || len(c.args) == 0) { // as it was read where it stands
			return *v
		}
		return r.invoke(f, c)
	}
	switch v.form {
	case isSecretly:
		r.unreadable(v)
		return value{}
	case isString:
		if s, ok := v.known(); ok && (r.language == library.PHP || r.language == library.Perl) && len(s) < 64 {
			named := ref(r.canonical(s))
			return r.call(&named, c)
		}
		if r.language == library.PHP && (v.hidden() != "" || v.remote() != "") {
			r.unreadable(v)
		}
	case isRef:
		return r.callRef(v, c)
	default: // what it is when it is called is not known
	}
	return r.other(v, c)
}

func (r *reader) callRef(v *value, c *call) value {
	name, of := v.text, v.items()
	if len(of) == 0 {
		name = r.canonical(name)
	} else {
		c.self = of[0]
	}
	c.name = name
	last := name[strings.LastIndexByte(name, '.')+1:]
	own := r.functions[last]
	if own != nil && (last == name || len(of) == 1 && of[0].form == isUnknown || strings.HasPrefix(name, "self.")) {
		return r.invoke(own, c)
	}
	if out, ok := r.described(r.table.Call(name), c); ok || last == name {
		if !ok {
			return r.unknown(v, c)
		}
		return out
	}
	if len(of) == 0 {
		c.self = ref(name[:len(name)-len(last)-1])
	}
	calls := r.table.Call("." + last)
	if out, ok := r.described(calls, c); ok {
		return out
	}
	if own != nil && calls == nil {
		return r.invoke(own, c)
	}
	return r.unknown(v, c)
}

// other is a call of something that is not known: what comes out is made from
// what goes in.
func (r *reader) other(v *value, c *call) value {
	out := value{}
	out.taint(v)
	for i := range c.args {
		out.taint(&c.args[i].value)
	}
	return out
}

// apply calls a function value for each of the items.
func (r *reader) apply(f, items value) value {
	if f.form != isRef && f.form != isString && f.calls() == nil {
		return madeBy(&items)
	}
	list := items.items()
	if items.form != isList {
		list = []value{items}
	}
	var out []value
	for i := range list[:min(len(list), mostItems)] {
		if !r.step() {
			break
		}
		out = append(out, r.callWith(f, list[i:i+1]))
	}
	return listOf(out...)
}

// callWith calls a function value with values.
func (r *reader) callWith(f value, values []value) value {
	c := call{args: slices.Grow([]argument(nil), len(values))}
	for _, v := range values {
		c.args = append(c.args, argument{value: v})
	}
	return r.call(&f, &c)
}

// constant is the value of a name that a language defines.
func (r *reader) constant(name string) (value, bool) {
	switch name {
	case "__file__", "__FILE__", "$0":
		return text(mark + "file" + mark), true
	}
	s, ok := r.table.Constant(name)
	if strings.HasPrefix(s, "0o") {
		return value{form: isNum, text: s}, ok
	}
	return text(s), ok
}

// itemOf is an element of something that has a name.
func (r *reader) itemOf(v, key value) value {
	if list, bound := r.names[v.text]; bound && list.form == isList { // from sys import argv
		return r.item(list, key, value{})
	}
	if out, is := r.programItem(&v, &key); is {
		return out
	}
	s, ok := key.known()
	guarded := r.table.Guarded(v.text)
	switch {
	case isEnvironment(v.text):
		if ok {
			return r.variable(s)
		}
	case !ok:
		if guarded && !r.ownNames(v.text, &key) {
			return value{form: isSecretly}.madeOf(decodedBy("names"))
		}
	case v.text == "Dir": // Dir["*.rb"]
		return text(s)
	case slices.Contains(namespaces, v.text):
		return r.lookup(s)
	case len(v.items()) == 1:
		return madeBy(&v)
	case guarded:
		return r.member(&v, s)
	}
	return value{}
}

// ownNames reports whether a key of all names begins like those that the program defines,
// and so is not one that runs or deletes something: globals()[f"step_{i}"].
func (r *reader) ownNames(of string, key *value) bool {
	if of != "globals" || key.form != isString || key.several() || key.hidden() != "" || key.remote() != "" {
		return false
	}
	begin, _, _ := strings.Cut(key.text, mark)
	if len(begin) < 3 || strings.HasPrefix(begin, "__") || r.table.Begins(begin) || r.table.Guarded(begin) {
		return false
	}
	for name, v := range r.names {
		if v.form == isRef && strings.HasPrefix(name, begin) {
			return false
		}
	}
	return true
}

// variable is the value of one variable of the environment.
func (r *reader) variable(name string) value {
	switch name {
	case "HOME", "USERPROFILE":
		return text("~")
	case "TMPDIR", "TEMP", "TMP":
		return text("/tmp")
	case "PWD":
		return text(".")
	}
	v := text(mark + plain(name) + mark)
	if r.env != nil {
		if s, ok := r.env(name); ok {
			v = text(r.made(s))
		}
	}
	if library.NamesSecret(name) {
		v = v.madeOf(fromEnvironment)
	}
	return v
}

// environment is the whole of it.
func (r *reader) environment() value {
	if !slices.ContainsFunc(r.uses, func(u library.Use) bool { return u.What == library.Env }) {
		r.use(library.Use{What: library.Env, Text: library.Environment, Known: true})
	}
	return value{}.madeOf(fromEnvironment)
}

// namespaces are maps of all names.
var namespaces = []string{"sys.modules", "globals", "locals", "vars", "__builtins__", "builtins", "$GLOBALS", "_G"}
