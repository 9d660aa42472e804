package script

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// shell notes a text that a shell runs, and returns its output.
func (r *reader) shell(v value) value {
	out := madeBy(&v)
	for _, s := range v.pieces() {
		u := about(library.Shell, s)
		u.Names, u.From, u.Hidden = marked(s), v.sources(), v.hidden()
		r.use(u)
		r.prints(&out, strings.Fields(s[:min(len(s), 512)]))
	}
	r.foreign(&v)
	return out
}

// foreign notes that what runs comes over a connection or from an address.
func (r *reader) foreign(v *value) {
	switch {
	case v.remote() == "":
	case v.remote() == r.connected && r.sockets:
		r.given = true
	default:
		r.use(library.Use{What: library.Eval, Text: shown(v.remote())})
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
		words := item.flatItems()
		if i >= mostItems || !r.looks(perItem*len(words)) {
			u.Known = false
			break
		}
		for i := range words {
			addWord(&u, &words[i])
		}
		out.taint(&item)
	}
	r.use(u)
	r.foreign(&items[0])
	r.prints(&out, u.Args)
	return out
}

func addWord(u *library.Use, v *value) {
	s := v.piece()
	if v.form == isNum && v.text == "None" {
		return
	}
	u.Known = u.Known && isKnown(s) && len(v.or()) == 0
	u.Args = append(u.Args, shown(s))
	u.From = merge(u.From, v.sources())
}

// output is what is known of what a command prints.
func output(words []string) value {
	var out origin
	if len(words) == 0 {
		return value{}
	}
	switch words[0][strings.LastIndexByte(words[0], '/')+1:] {
	case "cat", "head", "tail", "base64", "xxd", "grep", "tac", "strings":
		for _, w := range words[1:] {
			if !strings.HasPrefix(w, "-") && len(out.sources) < mostSources && !strings.ContainsAny(w, "|<>;&"+mark) {
				out.sources = append(out.sources, w)
			}
		}
	case "env", "printenv", "set":
		out.sources = []string{library.Environment}
	case "curl", "wget", "fetch":
		out.remote = "the network"
		for _, w := range words[1:] {
			if strings.Contains(w, "://") {
				out.remote = strings.Trim(w, `"'`)
			}
		}
	}
	return value{}.madeOf(madeFrom(out))
}

// command runs a value as a shell's text, or as a program if it is a list.
func (r *reader) command(v value) value {
	if v.form == isList {
		return r.argv(v.items())
	}
	return r.shell(v)
}

// write notes that a file is written with what is known of its contents.
func (r *reader) write(path, contents value) int {
	use := 0
	u := library.Use{What: library.WriteFile, Hidden: contents.hidden()}
	written(&u, &contents)
	if s, ok := contents.known(); ok {
		u.Content = s
	} else if contents.form != isUnknown {
		u.Content = mark
	}
	for _, s := range path.pieces() {
		u.Text, u.Known = shown(s), isKnown(s)
		use = r.use(u)
	}
	return use
}

// read notes that a file is read and returns its contents.
func (r *reader) read(path value) value {
	out := value{}
	for _, s := range path.pieces() {
		if isAddress(s) {
			address := text(s)
			address.taint(&path)
			fetched := r.fetch(address)
			out.taint(&fetched)
			continue
		}
		r.use(about(library.ReadFile, s))
		if isKnown(s) {
			out = out.madeOf(out.origin().and(fromSources(s)))
		}
	}
	return out
}

// opened opens a file in a mode as fopen has them.
func (r *reader) opened(path value, mode string) value {
	f := value{form: isFile, text: path.text}
	if strings.ContainsAny(mode, "wax+c>") {
		f.use = int32(r.write(path, value{}))
	}
	if !strings.ContainsAny(mode, "waxc>") || strings.Contains(mode, "+") {
		contents := r.read(path)
		f = f.madeOf(madeFrom(origin{sources: contents.sources(), remote: contents.remote()}))
	}
	return f
}

// put writes to an open file.
func (r *reader) put(f, contents value) {
	if f.use == 0 || int(f.use) > len(r.uses) {
		return
	}
	u := &r.uses[f.use-1]
	written(u, &contents)
	s, ok := contents.known()
	if !ok || u.Content == mark || len(u.Content)+len(s) > mostText || !r.makes(len(u.Content)+len(s)) {
		u.Content = mark
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
	out := value{form: isClient}
	for _, s := range address.pieces() {
		u := about(library.Fetch, s)
		if len(address.sources()) > 0 {
			u.What, u.From = library.Send, address.sources()
		}
		r.use(u)
		out = out.madeOf(fromRemote(s))
	}
	return out
}

// send notes that data are given to an address and returns what it answers.
func (r *reader) send(address value, data ...value) value {
	out := value{form: isClient}
	u := library.Use{What: library.Send, From: address.sources()}
	for i := range data {
		made := value{}
		made.taint(&data[i])
		u.From = merge(u.From, made.sources())
		if _, ok := data[i].known(); !ok && data[i].form != isList {
			u.Content = mark
		}
		if data[i].form == isRef && isEnvironment(data[i].text) {
			u.From = merge(u.From, []string{library.Environment})
		}
	}
	for _, s := range address.pieces() {
		u.Text, u.Known = shown(s), isKnown(s)
		r.use(u)
		out = out.madeOf(fromRemote(s))
	}
	return out
}

// tell notes that something was put into a connection, if it was made from
// something.
func (r *reader) tell(socket value, data ...value) {
	made := value{}
	for i := range data {
		made.taint(&data[i])
	}
	to := socket.text
	if to == "" || socket.form != isSocket && r.connected != "" {
		to = r.connected
	}
	if len(made.sources()) > 0 && to != "" {
		r.send(text(to), made)
	}
}

// connect notes a connection.
func (r *reader) connect(address value) value {
	s := address.piece()
	if address.form == isList && len(address.items()) >= 2 {
		s = address.items()[0].piece() + ":" + address.items()[1].piece()
	}
	r.use(about(library.Connect, s))
	r.connected, r.sockets = s, true
	return value{form: isSocket, text: s}.madeOf(fromRemote(s))
}

// evaluate runs a text as a program of the same language.
func (r *reader) evaluate(v value) value {
	switch {
	case v.form != isString:
		r.unreadable(&v)
		return value{}
	case r.evals >= MaxEval || r.depth+12 >= MaxDepth:
		r.refuse("evals")
		return value{}
	}
	r.evals++
	r.depth += 8
	for _, s := range v.pieces() {
		if !isKnown(s) {
			r.unreadable(&v)
		}
		if len(s) > r.bytes {
			r.refuse("bytes")
			break
		}
		r.bytes -= len(s)
		r.program(s)
	}
	r.depth -= 8
	r.evals--
	return value{}
}

// runFile notes that a file of the same language is run.
func (r *reader) runFile(v value) value {
	for _, s := range v.pieces() {
		if isAddress(s) {
			r.use(library.Use{What: library.Eval, Text: shown(s)})
		} else {
			r.use(about(library.RunFile, s))
		}
	}
	return value{}
}

// about is a use of a text.
func about(what library.What, s string) library.Use {
	return library.Use{What: what, Text: shown(s), Known: isKnown(s)}
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
		if content, known := mode.known(); known && content != "" {
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
	out.taint(&printed)
	if awaits(words) {
		out.form, out.text = isFile, toShell
	}
}

// written adds what is put into a file to a use.
func written(u *library.Use, contents *value) {
	u.From = merge(u.From, contents.sources())
	if contents.remote() != "" {
		u.From = merge(u.From, []string{shown(contents.remote())})
	}
}

// unreadable notes that something is run as a program that nobody can read.
func (r *reader) unreadable(v *value) {
	r.use(library.Use{What: library.Eval, Text: shown(v.remote()), Hidden: v.hidden()})
}

// texts does something for all texts that a value or its items can be.
func (r *reader) texts(v value, do func(s string)) {
	for _, item := range r.flat(v) {
		for _, s := range item.pieces() {
			do(s)
		}
	}
}
