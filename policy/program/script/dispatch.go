package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

// mostName is how long a name with its modules may be.
const mostName = 256

// member is what a name means on a value.
func (r *reader) member(v *value, name string) value {
	if name == "call" && v.Calls() != nil {
		return *v
	}
	if v.Form == values.IsName && len(v.Items()) == 0 {
		if len(v.Text)+len(name) > mostName {
			return value{}
		}
		full := r.canonical(v.Text + "." + name)
		if known, ok := r.names[full]; ok {
			return known
		}
		if known, ok := r.constant(full); ok {
			return known
		}
		if name == "__dict__" || name == "__globals__" {
			return *v
		}
		return values.Name(full)
	}
	switch {
	case v.Form == values.IsHidden, v.Form == values.IsFile && v.Text == toShell && name == "stdin":
		return *v
	case v.Form == values.IsName && v.Text == ".git": // of a repository
		return values.Name(".git." + name).Holding(&v.Items()[0])
	case v.Form == values.IsText && (r.language == library.Python || r.language == library.Ruby):
		switch name {
		case "parent", "dirname":
			return r.Parent(*v)
		case "path": // of an entry of a directory
			return *v
		case "name", "stem", "suffix":
			return values.MadeBy(v)
		}
	}
	return values.Name("." + name).Holding(v)
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
	if !r.Step() {
		return value{}
	}
	if r.language == library.Perl { // &{"name"}(...)
		v = v.Only()
	}
	if f := functionOf(v); f != nil {
		if len(f.params) == 0 && (r.language != library.Perl || len(c.args) == 0) { // as it was read where it stands
			return *v
		}
		return r.invoke(f, c)
	}
	switch v.Form {
	case values.IsHidden:
		r.unreadable(v)
		return value{}
	case values.IsText:
		if s, ok := v.Known(); ok && (r.language == library.PHP || r.language == library.Perl) && len(s) < 64 {
			named := values.Name(r.canonical(s))
			return r.call(&named, c)
		}
		if r.language == library.PHP && (v.Hidden() != "" || v.Remote() != "") {
			r.unreadable(v)
		}
	case values.IsName:
		return r.callRef(v, c)
	default: // what it is when it is called is not known
	}
	return r.other(v, c)
}

func (r *reader) callRef(v *value, c *call) value {
	name, of := v.Text, v.Items()
	if len(of) == 0 {
		name = r.canonical(name)
	} else {
		c.self = of[0]
	}
	c.name = name
	r.notes(name, c)
	last := name[strings.LastIndexByte(name, '.')+1:]
	own := r.functions[last]
	if own != nil && (last == name || len(of) == 1 && of[0].Form == values.IsUnknown || strings.HasPrefix(name, "self.")) {
		return r.invoke(own, c)
	}
	if out, ok := r.described(r.table.Call(name), c); ok || last == name {
		if !ok {
			return r.unknown(v, c)
		}
		return out
	}
	if len(of) == 0 {
		c.self = values.Name(name[:len(name)-len(last)-1])
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

// notes tells what a call loads, and what it prints, to those who ask.
func (r *reader) notes(name string, c *call) {
	if s, known := c.get(0).Known(); known && r.given.Load != nil && slices.Contains(r.table.Way("loads"), name) {
		r.given.Load(s)
	}
	if r.given.Prints && slices.Contains(r.table.Way("prints"), name) {
		r.shows(c.values())
	}
}

// shows notes what is printed: of several texts only Python prints all, with blanks.
func (r *reader) shows(texts []value) {
	if v := values.List(texts...); len(texts) == 1 || len(texts) > 1 && r.language == library.Python {
		r.use(about(library.Print, r.Joined(values.Text(" "), v).Text))
	} else {
		r.use(library.Use{What: library.Print})
	}
}

// other is a call of something that is not known: what comes out is made from
// what goes in.
func (r *reader) other(v *value, c *call) value {
	out := value{}
	out.Taint(v)
	for i := range c.args {
		out.Taint(&c.args[i].value)
	}
	return out
}

// apply calls a function value for each of the items.
func (r *reader) apply(f, items value) value {
	if f.Form != values.IsName && f.Form != values.IsText && f.Calls() == nil {
		return values.MadeBy(&items)
	}
	list := items.Items()
	if items.Form != values.IsList {
		list = []value{items}
	}
	var out []value
	for i := range list[:min(len(list), values.MostItems)] {
		if !r.Step() {
			break
		}
		out = append(out, r.callWith(f, list[i:i+1]))
	}
	return values.List(out...)
}

// callWith calls a function value with values.
func (r *reader) callWith(f value, given []value) value {
	c := call{args: slices.Grow([]argument(nil), len(given))}
	for _, v := range given {
		c.args = append(c.args, argument{value: v})
	}
	return r.call(&f, &c)
}

// constant is the value of a name that a language defines.
func (r *reader) constant(name string) (value, bool) {
	switch name {
	case "__file__", "__FILE__", "$0":
		return values.Text(values.Mark + "file" + values.Mark), true
	}
	s, ok := r.table.Constant(name)
	if strings.HasPrefix(s, "0o") {
		return value{Form: values.IsNumber, Text: s}, ok
	}
	return values.Text(s), ok
}

// itemOf is an element of something that has a name.
func (r *reader) itemOf(v, key value) value {
	if list, bound := r.names[v.Text]; bound && list.Form == values.IsList { // from sys import argv
		return r.item(list, key, value{})
	}
	if out, is := r.programItem(&v, &key); is {
		return out
	}
	s, ok := key.Known()
	guarded := r.table.Guarded(v.Text)
	switch {
	case values.IsEnvironment(v.Text):
		if ok {
			return r.variable(s)
		}
	case !ok:
		if guarded && !r.ownNames(v.Text, &key) {
			return value{Form: values.IsHidden}.MadeOf(values.DecodedBy("names"))
		}
	case v.Text == "Dir": // Dir["*.rb"]
		return values.Text(s)
	case slices.Contains(namespaces, v.Text):
		return r.lookup(s)
	case len(v.Items()) == 1:
		return values.MadeBy(&v)
	case guarded:
		return r.member(&v, s)
	}
	return value{}
}

// ownNames reports whether a key of all names begins like those that the program defines,
// and so is not one that runs or deletes something: globals()[f"step_{i}"].
func (r *reader) ownNames(of string, key *value) bool {
	if of != "globals" || key.Form != values.IsText || key.Several() || key.Hidden() != "" || key.Remote() != "" {
		return false
	}
	begin, _, _ := strings.Cut(key.Text, values.Mark)
	if len(begin) < 3 || strings.HasPrefix(begin, "__") || r.table.Begins(begin) || r.table.Guarded(begin) {
		return false
	}
	for name, v := range r.names {
		if v.Form == values.IsName && strings.HasPrefix(name, begin) {
			return false
		}
	}
	return true
}

// variable is the value of one variable of the environment.
func (r *reader) variable(name string) value {
	switch name {
	case "HOME", "USERPROFILE":
		return values.Text("~")
	case "TMPDIR", "TEMP", "TMP":
		return values.Text("/tmp")
	case "PWD":
		return values.Text(".")
	}
	v := values.Text(values.Mark + values.Plain(name) + values.Mark)
	if r.given.Env != nil {
		if s, ok := r.given.Env(name); ok {
			v = values.Text(r.Made(s))
		}
	}
	if library.NamesSecret(name) {
		v = v.MadeOf(values.FromEnvironment)
	}
	return v
}

// environment is the whole of it.
func (r *reader) environment() value {
	if !slices.ContainsFunc(r.uses, func(u library.Use) bool { return u.What == library.Env }) {
		r.use(library.Use{What: library.Env, Text: library.Environment, Known: true})
	}
	return value{}.MadeOf(values.FromEnvironment)
}

// namespaces are maps of all names.
var namespaces = []string{"sys.modules", "globals", "locals", "vars", "__builtins__", "builtins", "$GLOBALS", "_G"}
