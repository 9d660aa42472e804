package shell

import (
	"regexp"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

// act is a command at the moment in which it would run, for those who know what
// its program does: a verb of the tables in verbs.go.
type act struct {
	*Command

	r *reader
	// number is the command's place in the reading, -1 if it is only a guess.
	number int
	// at is where it runs: relative paths begin there.
	at effect.Place
	// in is what is known of its input.
	in flow
	// args are the arguments as they were given, mixed if one of them is made of
	// something else; values are what words makes of them.
	args   []arg
	mixed  bool
	values []value
	guess  bool
	// first is where its effects begin in the reading.
	first int
	// invoked is the command for the catalogue, once somebody asked, and of what
	// command.
	invoked   command.Invocation
	invokedOf *Command
	// ran is the program that it was given on its input, where it is an
	// interpreter and that is known.
	ran string
	// inner is what the commands print that it runs, nil if it runs none, or does not
	// pass that on.
	inner *flow
	// store is what data found, nil if it was not asked.
	store *sql.Store
}

// Operands is that of the command; the list lasts as long as the reader.
func (a *act) Operands(valueFlags ...string) []string {
	if a.r == nil {
		return a.Command.Operands(valueFlags...)
	}
	return a.AppendOperands(a.r.words.room(len(a.Args)), valueFlags...)
}

// words are the arguments with what is known of them beside their text.
func (a *act) words() []value {
	if a.values == nil && len(a.args) > 0 {
		texts := a.r.texts.take(len(a.args))
		a.values = a.r.values.take(len(a.args))
		for i := range a.args {
			given := &a.args[i]
			texts[i] = text{given.as, given.bare}
			a.values[i].texts, a.values[i].plain = texts[i:i+1:i+1], given.of == nil
			if given.of != nil {
				a.values[i].taint(given.of)
			}
		}
	}
	return a.values
}

// mixture are the words if one of them is made of something else; those of most
// commands are not.
func (a *act) mixture() []value {
	if !a.mixed {
		return nil
	}
	return a.words()
}

// add notes an effect of the command. Verb and Object are enough; who runs it
// and how it is called are filled in.
func (a *act) add(e effect.Effect) {
	e.Sudo, e.Remote, e.Guess = e.Sudo || a.Sudo, e.Remote || a.Remote, e.Guess || a.guess
	e.Command = a.number
	if e.How == "" {
		e.How = a.Name
	}
	switch e.Verb {
	case effect.Send:
		a.sent(&e)
	case effect.Kill:
		a.killed(&e)
	case effect.Run:
		if dir, name, ok := strings.Cut(e.Object, "/**/"); ok { // whatever was found by that name
			e.Object = dir + "/" + inSome + "/" + name
		}
		a.r.mark(Unseen)
	case effect.Drop:
		e.Scratch = e.Scratch || a.data().IsScratch(e.Object) || a.guess && a.r.wasScratch(&e)
	default:
	}
	a.r.effect(e)
}

// sent says of something that is sent what it was made from.
func (a *act) sent(e *effect.Effect) {
	if name, ok := strings.CutPrefix(e.From, "$"); ok && isSecretName(name) && !strings.ContainsAny(name, "/(") {
		if e.From = environment; belongs(name, e.Object) {
			e.From = ""
		}
		return
	}
	a.wholeSent(e, e.From)
	for _, origin := range a.r.origins(e.From)[1:] {
		further := *e
		further.From = origin
		a.r.effect(further)
		a.wholeSent(e, origin)
	}
	if e.From == rows {
		e.From = ""
	}
}

// belongs reports whether a variable with a secret is for the host that it is
// sent to: GITHUB_TOKEN for api.github.com. One that names nobody is for anybody.
func belongs(variable, host string) bool {
	for i := strings.IndexByte(host, '$'); i >= 0; i = strings.IndexByte(host, '$') { // what is sent is no part of to whom
		end := i + 1
		for end < len(host) && (isNameByte(host[end]) || host[end] == '{' || host[end] == '}') {
			end++
		}
		host = host[:i] + host[end:]
	}
	named := false
	for word := range strings.SplitSeq(strings.ToLower(variable), "_") {
		switch word {
		case "api", "key", "token", "secret", "access", "password", "passwd", "apikey", "id", "auth", "my", "app", "test", "dev", "user", "admin", "private", "credential", "credentials", "pat", "bot", "bearer", "service", "client", "webhook", "jwt", "session", "ci", "db", "staging":
			continue
		}
		named = true
		if len(word) > 1 && strings.Contains(strings.ToLower(host), word) {
			return true
		}
	}
	return !named
}

// guardName is the name of the guard's own process.
const guardName = "sluice"

// killed adds the name that a process was looked for by, and says whether a
// pattern means the guard.
func (a *act) killed(e *effect.Effect) {
	if len(e.Object) >= 4 && strings.Contains(guardName, e.Object) && (a.Name == "pkill" || a.Name == "killall") {
		e.Object = guardName
	}
	if strings.ContainsAny(e.Object, "[.*+?(") && len(e.Object) < 256 {
		if re, err := regexp.Compile("(?i)" + e.Object); err == nil && re.MatchString("sluice") && !re.MatchString("x") {
			e.Object = guardName
		}
	}
	for i := range a.words() {
		w := &a.words()[i]
		names := append([]string{w.about}, w.sources...)
		if isGuardPort(w.about) || w.hidden != "" && e.Verb == effect.Kill && a.Name != "kill" { // nobody hides another name
			names = append(names, guardName)
		}
		for _, name := range names {
			if name != "" {
				further := *e
				further.Object = name
				a.r.effect(further)
			}
		}
	}
}

// does is add for an effect that is nothing but its verb and object.
func (a *act) does(verb effect.Verb, object string) {
	a.add(effect.Effect{Verb: verb, Object: object})
}

// path is a path as the command means it: cleaned and as absolute as it is known
// to be. On another machine only its text counts, and where a cd there went.
func (a *act) path(p string) string {
	at := a.at
	if a.Remote && !a.r.scope.away {
		at = effect.Place{}
	}
	resolved, known := at.Resolve(p)
	link := "" // the longest name that leads elsewhere
	for name := range a.r.links {
		if rest, ok := strings.CutPrefix(resolved, name); ok && strings.HasPrefix(rest, "/") && len(name) > len(link) {
			link = name
		}
	}
	if link != "" {
		resolved = strings.TrimSuffix(a.r.links[link], "/") + resolved[len(link):]
	}
	if !known || unknown(resolved) {
		a.r.mark(Path)
	}
	return resolved
}

// reads, writes and deletes note effects on files. Names that are no files, such
// as "-" and /dev/null, are left out.
func (a *act) reads(paths ...string) { a.files(effect.Read, paths) }

func (a *act) writes(paths ...string) { a.files(effect.Write, paths) }

func (a *act) deletes(wide bool, paths ...string) {
	for _, p := range paths {
		if isNoFile(p) {
			continue
		}
		if to := a.leadsTo(p); to != "" {
			a.add(effect.Effect{Verb: effect.Delete, Object: to, Wide: wide || strings.ContainsAny(p, "*?[")})
		}
		path := a.path(p)
		spares := a.sparesHistory(p) || len(a.r.verified) > 0 && !strings.Contains(path, ".git") && a.isMade(path)
		a.add(effect.Effect{Verb: effect.Delete, Object: path, Wide: wide || strings.ContainsAny(p, "*?["), Scratch: spares})
		if wide && a.Name != "mv" {
			a.deletesMoved(path)
		}
		if strings.Count(p, "/..") >= mostUp && unknown(p) { // so far up there is nothing but the root
			top := p[strings.LastIndex(p, "/..")+len("/.."):]
			a.add(effect.Effect{Verb: effect.Delete, Object: "/" + strings.TrimLeft(top, "/"), Wide: wide, Guess: true})
		}
	}
}

// leadsTo is where a path lies that goes through another name for a directory,
// empty if it goes through none that is known: what is removed behind a link is
// not where it seems to be.
func (a *act) leadsTo(p string) string {
	if a.Remote || a.r.set.Files == nil && len(a.r.links) == 0 {
		return ""
	}
	resolved, _ := a.at.Resolve(p)
	if strings.HasSuffix(p, "/") && resolved != "/" {
		resolved += "/"
	}
	for i, n := len(resolved)-1, 0; i > 0 && n < mostUp*2; i-- {
		if resolved[i] != '/' {
			continue
		}
		n++
		to := a.r.links[resolved[:i]]
		if to == "" && a.r.set.Files != nil {
			if f := a.r.set.Files.File(resolved[:i]); f != nil {
				to = f.Link
			}
		}
		if to != "" {
			if to = strings.TrimSuffix(strings.TrimSuffix(to, "/")+resolved[i:], "/"); to == "" {
				to = "/"
			}
			return to
		}
	}
	return ""
}

// mostUp is how far a path goes up from a place that is not known before it is
// taken to lead to the root.
const mostUp = 4

func (a *act) files(verb effect.Verb, paths []string) {
	for _, p := range paths {
		switch {
		case isNoFile(p):
		case verb == effect.Write && strings.Contains(p, "/**/"):
			for _, p := range a.changed(p) {
				a.does(verb, a.path(p))
			}
		default:
			a.does(verb, a.path(p))
		}
	}
}

// isNoFile reports whether a name stands for no file that anything happens to.
func isNoFile(p string) bool {
	switch p {
	case "", "-", "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/urandom", "/dev/random", "/dev/fd/0", "/dev/fd/1", "/dev/fd/2", "NUL", "nul":
		return true
	}
	return false
}

// sources are the files, and "environment" or "secret", that are in the
// command's input or were put into its arguments by $(cat file) and the like.
func (a *act) sources() []string {
	list := a.in.sources
	for _, source := range list {
		list = merge(list, a.r.origins(source))
	}
	for i := range a.mixture() {
		list = merge(list, a.words()[i].sources)
	}
	return list
}

// remote is the address that the command's input or arguments were fetched
// from, empty if they were not.
func (a *act) remote() string {
	if a.in.remote != "" {
		return a.in.remote
	}
	for i := range a.mixture() {
		if a.words()[i].remote != "" {
			return a.words()[i].remote
		}
	}
	return ""
}

// script reads a text that the command gives to a shell, here and now.
func (a *act) script(text string) { a.r.inner(text, a.origin(), a.in) }

// remotely is script for another machine or a container.
func (a *act) remotely(text string) {
	from := a.origin()
	from.remote, from.within = true, nil
	a.r.away(func() { a.r.inner(text, from, a.in) })
}

// argv reads a command that the command runs from a list, without a shell.
func (a *act) argv(words []string) { a.r.argv(words, a.origin(), a.in) }

// passes notes that the command prints what a command prints that it runs.
func (a *act) passes(out flow) {
	if a.inner == nil {
		a.inner = &out
		return
	}
	both := a.inner.through(a.Name)
	both.sources, both.shows = merge(both.sources, out.sources), merge(both.shows, out.shows)
	a.inner = &both
}

// doubt notes that the command may do more than what was noted.
func (a *act) doubt(reason string) { a.r.mark(reason) }

// origin is what commands inside this one inherit.
func (a *act) origin() origin {
	return origin{sudo: a.Sudo, remote: a.Remote, more: a.More, env: a.Env, guess: a.guess, within: a.r.from.within}
}

// unknown reports whether a text holds something that the shell puts in when it
// runs, and that was not known.
func unknown(text string) bool { return effect.Expands(text) }
