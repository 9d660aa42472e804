package script

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

// shell notes a text that a shell runs, and returns its output.
func (r *reader) shell(v value) value {
	out := values.MadeBy(&v)
	for _, s := range v.Pieces() {
		u := about(library.Shell, s)
		u.Names, u.From, u.Hidden = values.Marked(s), v.Sources(), v.Hidden()
		r.use(u)
		r.prints(&out, strings.Fields(s[:min(len(s), 512)]))
	}
	r.foreign(&v)
	return out
}

// foreign notes that what runs comes over a connection or from an address.
func (r *reader) foreign(v *value) {
	switch {
	case v.Remote() == "":
	case v.Remote() == r.connected && r.sockets:
		r.handed = true
	default:
		r.use(library.Use{What: library.Eval, Text: values.Shown(v.Remote())})
	}
}

// argv notes a program that is run with arguments, and returns its output.
func (r *reader) argv(items []value) value {
	u := library.Use{What: library.Argv, Known: true}
	out := value{}
	if len(items) == 0 {
		return out
	}
	for i, item := range items {
		words := item.FlatItems()
		if i >= values.MostItems || !r.Looks(values.PerItem*len(words)) {
			u.Known = false
			break
		}
		for i := range words {
			addWord(&u, &words[i])
		}
		out.Taint(&item)
	}
	r.use(u)
	r.foreign(&items[0])
	r.prints(&out, u.Args)
	return out
}

func addWord(u *library.Use, v *value) {
	s := v.Piece()
	if v.Form == values.IsNumber && v.Text == "None" {
		return
	}
	u.Known = u.Known && values.IsKnown(s) && len(v.Or()) == 0
	u.Args = append(u.Args, values.Shown(s))
	u.From = values.Merge(u.From, v.Sources())
}

// output is what is known of what a command prints.
func output(words []string) value {
	var out values.Origin
	if len(words) == 0 {
		return value{}
	}
	switch words[0][strings.LastIndexByte(words[0], '/')+1:] {
	case "cat", "head", "tail", "base64", "xxd", "grep", "tac", "strings":
		for _, w := range words[1:] {
			if !strings.HasPrefix(w, "-") && len(out.Sources) < values.MostSources && !strings.ContainsAny(w, "|<>;&"+values.Mark) {
				out.Sources = append(out.Sources, w)
			}
		}
	case "env", "printenv", "set":
		out.Sources = []string{library.Environment}
	case "curl", "wget", "fetch":
		out.Remote = "the network"
		for _, w := range words[1:] {
			if strings.Contains(w, "://") {
				out.Remote = strings.Trim(w, `"'`)
			}
		}
	}
	return value{}.MadeOf(values.MadeFrom(out))
}

// command runs a value as a shell's text, or as a program if it is a list.
func (r *reader) command(v value) value {
	if v.Form == values.IsList {
		return r.argv(v.Items())
	}
	return r.shell(v)
}

// write notes that a file is written with what is known of its contents.
func (r *reader) write(path, contents value) int {
	use := 0
	u := library.Use{What: library.WriteFile, Hidden: contents.Hidden()}
	written(&u, &contents)
	if s, ok := contents.Known(); ok {
		u.Content = s
	} else if contents.Form != values.IsUnknown {
		u.Content = values.Mark
	}
	for _, s := range path.Pieces() {
		u.Text, u.Known = values.Shown(s), values.IsKnown(s)
		use = r.use(u)
	}
	return use
}

// read notes that a file is read and returns its contents.
func (r *reader) read(path value) value {
	out := value{}
	for _, s := range path.Pieces() {
		if isAddress(s) {
			address := values.Text(s)
			address.Taint(&path)
			fetched := r.fetch(address)
			out.Taint(&fetched)
			continue
		}
		r.use(about(library.ReadFile, s))
		if values.IsKnown(s) {
			out = out.MadeOf(out.Origin().And(values.FromSources(s)))
		}
	}
	return out
}

// opened opens a file in a mode as fopen has them.
func (r *reader) opened(path value, mode string) value {
	f := value{Form: values.IsFile, Text: path.Text}
	if strings.ContainsAny(mode, "wax+c>") {
		f.Use = int32(r.write(path, value{}))
	}
	if !strings.ContainsAny(mode, "waxc>") || strings.Contains(mode, "+") {
		contents := r.read(path)
		f = f.MadeOf(values.MadeFrom(values.Origin{Sources: contents.Sources(), Remote: contents.Remote()}))
	}
	return f
}

// put writes to an open file.
func (r *reader) put(f, contents value) {
	if f.Use == 0 || int(f.Use) > len(r.uses) {
		return
	}
	u := &r.uses[f.Use-1]
	written(u, &contents)
	s, ok := contents.Known()
	if !ok || u.Content == values.Mark || len(u.Content)+len(s) > values.MostText || !r.Makes(len(u.Content)+len(s)) {
		u.Content = values.Mark
		return
	}
	u.Content += s
}

func isAddress(s string) bool {
	for _, scheme := range []string{"http://", "https://", "ftp://", "ftps://"} {
		if len(s) > len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// fetch notes that an address is asked and returns what it answers. What is put
// into the address is given away.
func (r *reader) fetch(address value) value {
	if len(address.Sources()) > 0 {
		return r.send(address)
	}
	out := value{Form: values.IsClient}
	for _, s := range address.Pieces() {
		r.use(about(library.Fetch, s))
		out = out.MadeOf(values.FromRemote(s))
	}
	return out
}

// send notes that data are given to an address and returns what it answers.
func (r *reader) send(address value, data ...value) value {
	out := value{Form: values.IsClient}
	u := library.Use{What: library.Send, From: address.Sources()}
	for i := range data {
		made := values.MadeBy(&data[i])
		u.From = values.Merge(u.From, made.Sources())
		if _, ok := data[i].Known(); !ok && data[i].Form != values.IsList {
			u.Content = values.Mark
		}
	}
	for _, s := range address.Pieces() {
		u.Text, u.Known = values.Shown(s), values.IsKnown(s)
		r.use(u)
		out = out.MadeOf(values.FromRemote(s))
	}
	return out
}

// tell notes that something was put into a connection, if it was made from
// something.
func (r *reader) tell(socket value, data ...value) {
	made := value{}
	for i := range data {
		made.Taint(&data[i])
	}
	to := socket.Text
	if to == "" || socket.Form != values.IsSocket && r.connected != "" {
		to = r.connected
	}
	if len(made.Sources()) > 0 && to != "" {
		r.send(values.Text(to), made)
	}
}

// connect notes a connection.
func (r *reader) connect(address value) value {
	s := address.Piece()
	if address.Form == values.IsList && len(address.Items()) >= 2 {
		s = address.Items()[0].Piece() + ":" + address.Items()[1].Piece()
	}
	r.use(about(library.Connect, s))
	r.connected, r.sockets = s, true
	return value{Form: values.IsSocket, Text: s}.MadeOf(values.FromRemote(s))
}

// evaluate runs a text as a program of the same language.
func (r *reader) evaluate(v value) value {
	switch {
	case v.Form != values.IsText:
		r.unreadable(&v)
		return value{}
	case r.evals >= MaxEval || r.depth+12 >= MaxDepth:
		r.refuse("evals")
		return value{}
	}
	r.evals++
	r.depth += 8
	for _, s := range v.Pieces() {
		if !values.IsKnown(s) {
			r.unreadable(&v)
		}
		if len(s) > r.Bytes {
			r.refuse("bytes")
			break
		}
		r.Bytes -= len(s)
		r.program(s)
	}
	r.depth -= 8
	r.evals--
	return value{}
}

// runFile notes that a file of the same language is run.
func (r *reader) runFile(v value) value {
	for _, s := range v.Pieces() {
		if isAddress(s) {
			r.use(library.Use{What: library.Eval, Text: values.Shown(s)})
		} else {
			r.use(about(library.RunFile, s))
		}
	}
	return value{}
}

// about is a use of a text.
func about(what library.What, s string) library.Use {
	return library.Use{What: what, Text: values.Shown(s), Known: values.IsKnown(s)}
}

// remove notes that files are deleted.
func (r *reader) remove(recursive bool, v value) {
	r.texts(v, func(s string) {
		u := about(library.DeleteFile, s)
		u.Recursive = recursive
		r.use(u)
	})
}

// mode notes a change of who may use a file. What is not known of that stands for itself.
func (r *reader) mode(path, mode value, unknown string) value {
	r.texts(path, func(s string) {
		u := about(library.Mode, s)
		if content, known := mode.Known(); known && content != "" {
			u.Content = content
		} else {
			u.Content = unknown
		}
		r.use(u)
	})
	return value{}
}

// prints is what comes out of a command, or what can be written to it.
func (r *reader) prints(out *value, words []string) {
	printed := output(words)
	out.Taint(&printed)
	if awaits(words) {
		out.Form, out.Text = values.IsFile, toShell
	}
}

// written adds what is put into a file to a use.
func written(u *library.Use, contents *value) {
	u.From = values.Merge(u.From, contents.Sources())
	if from := contents.Remote(); from != "" {
		u.From = values.Merge(u.From, []string{values.Shown(from)})
	}
}

// unreadable notes that something is run as a program that nobody can read.
func (r *reader) unreadable(v *value) {
	r.use(library.Use{What: library.Eval, Text: values.Shown(v.Remote()), Hidden: v.Hidden()})
}

// texts does something for all texts that a value or its items can be.
func (r *reader) texts(v value, do func(s string)) {
	for _, item := range r.Flat(v) {
		for _, s := range item.Pieces() {
			do(s)
		}
	}
}
