package invocation

import (
	"path"
	"regexp"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

// Act is a command at the moment in which it would run, for those who know what
// its program does: a verb of the tables in verbs.go.
type Act struct {
	*Command
	// Own is the description by which the command is taken for one of the program that it
	// has the name of, nil if it is called that.
	Own *command.Program
	// Spare are words that the description of the program says nothing about.
	Spare []string

	R *Reader
	// number is the command's place in the reading, -1 if it is only a guess.
	Number int
	// at is where it runs: relative paths begin there.
	At effect.Place
	// in is what is known of its input.
	In Flow
	// args are the arguments as they were given, mixed if one of them is made of
	// something else; values are what words makes of them.
	Given  []Arg
	Mixed  bool
	values []Value
	Guess  bool
	// Kinds are the kinds of the effects that the description of its program gives, by
	// their verbs.
	Kinds map[effect.Verb]effect.Kind
	// told is what a description says of an effect beside what it is about, while the
	// effect is noted.
	told told
	// first is where its effects begin in the reading.
	First int
	// invoked is the command for the catalogue, once somebody asked, and of what
	// command.
	Invoked   command.Invocation
	InvokedOf *Command
	// ran is the program that it was given on its input, where it is an
	// interpreter and that is known.
	Ran string
	// inner is what the commands print that it runs, nil if it runs none, or does not
	// pass that on.
	Inner *Flow
	// Body is what it sends beside files, where that stands in its words and is known as a whole.
	Body string
	// store is what data found, nil if it was not asked.
	Store *sql.Store
}

// Words are the arguments with what is known of them beside their text.
func (a *Act) Words() []Value {
	if a.values == nil && len(a.Given) > 0 {
		a.values = make([]Value, len(a.Given))
		for i := range a.Given {
			a.values[i] = a.Given[i].Value()
			a.values[i].Plain = a.Given[i].Of == nil
		}
	}
	return a.values
}

// Mixture are the words if one of them is made of something else; those of most
// commands are not.
func (a *Act) Mixture() []Value {
	if !a.Mixed {
		return nil
	}
	return a.Words()
}

// told is what a description says of an effect beside what it is about.
type told struct {
	kind              effect.Kind
	several, possible bool
}

// Add notes an effect of the command. Verb and Object are enough; who runs it
// and how it is called are filled in.
func (a *Act) Add(e effect.Effect) {
	e.Sudo, e.Remote, e.Guess = e.Sudo || a.Sudo, e.Remote || a.Remote, e.Guess || a.Guess
	e.Command = a.Number
	if e.How == "" {
		e.How = a.program()
	}
	switch e.Verb {
	case effect.Fetch, effect.Connect, effect.Send:
		if e.Guess && HostOf(e.Object) == "" { // a variable that is nothing leaves nobody to talk to
			return
		}
	default:
	}
	e.Several, e.Possible = e.Several || a.told.several && e.Wide, e.Possible || a.told.possible
	switch {
	case e.Kind != "":
	case e.How == effect.ToolInstall:
		e.Kind = effect.Tool
	case a.told.kind != "":
		e.Kind = a.told.kind
	default:
		e.Kind = a.Kinds[e.Verb]
	}
	switch e.Verb {
	case effect.Send:
		a.sent(&e)
	case effect.Kill, effect.Control:
		a.killed(&e)
	case effect.Run:
		if dir, name, ok := strings.Cut(e.Object, "/**/"); ok { // whatever was found by that name
			e.Object = dir + "/" + InSome + "/" + name
		}
		a.R.Mark(Unseen)
	case effect.Drop:
		e.Scratch = e.Scratch || a.Data().IsScratch(e.Object) || a.Guess && a.R.wasScratch(&e)
	default:
	}
	a.R.Effect(e)
}

// As notes effects that are of a kind.
func (a *Act) As(kind effect.Kind, notes func()) {
	before := a.told
	a.told.kind = kind
	notes()
	a.told = before
}

// program is the first name of the command's program, however it was called.
func (a *Act) program() string {
	if a.R.Set.Programs != nil {
		return a.R.Set.Programs.FirstName(a.Name)
	}
	return command.Builtin().FirstName(a.Name)
}

// sent says of something that is sent what it was made from.
func (a *Act) sent(e *effect.Effect) {
	if name, ok := strings.CutPrefix(e.From, "$"); ok && IsSecretOf(name) && !strings.ContainsAny(name, "/(") {
		if e.From = Environment; !a.tells(name, e.Object) {
			e.From = ""
		}
		return
	}
	switch {
	case e.Content != "":
	case e.From == "" && a.Body != "":
		e.Content = a.Body
	default:
		e.Content = a.carried(e.From)
	}
	a.wholeSent(e, e.From)
	for _, origin := range a.R.Origins(e.From)[1:] {
		further := *e
		further.From = origin
		a.R.Effect(further)
		if path.Base(origin) != "src" { // an archive of the sources alone
			a.wholeSent(e, origin)
		}
	}
	if e.From == Rows {
		e.From = ""
	}
}

// carried is the text that is sent, if it is known: that of a file, or of the input.
func (a *Act) carried(from string) string {
	if from == "" {
		return a.In.Text
	}
	if f := a.R.File(from); f != nil && f.Known {
		return f.Content
	}
	return ""
}

// GuardName is the name of the guard's own process.
const GuardName = "sluice"

// killed adds the name that a process was looked for by, and says whether a
// pattern means the guard.
func (a *Act) killed(e *effect.Effect) {
	if len(e.Object) >= 4 && strings.Contains(GuardName, e.Object) && (a.Name == "pkill" || a.Name == "killall") {
		e.Object = GuardName
	}
	if strings.ContainsAny(e.Object, "[.*+?(") && len(e.Object) < 256 {
		if re, err := regexp.Compile("(?i)" + e.Object); err == nil && re.MatchString("sluice") && !re.MatchString("x") {
			e.Object = GuardName
		}
	}
	for i := range a.Words() {
		w := &a.Words()[i]
		names := append([]string{w.About}, w.Sources...)
		if IsGuardPort(w.About) || w.Hidden != "" && e.Verb == effect.Kill && a.Name != "kill" { // nobody hides another name
			names = append(names, GuardName)
		}
		for _, name := range names {
			if name != "" {
				further := *e
				further.Object = name
				a.R.Effect(further)
			}
		}
	}
}

// Does is add for an effect that is nothing but its verb and object.
func (a *Act) Does(verb effect.Verb, object string) {
	a.Add(effect.Effect{Verb: verb, Object: object})
}

// Path is a path as the command means it: cleaned and as absolute as it is known
// to be. On another machine only its text counts, and where a cd there went.
func (a *Act) Path(p string) string {
	at := a.At
	if a.Remote && !a.R.Scope.away {
		at = effect.Place{}
	}
	resolved, known := at.Resolve(p)
	link := "" // the longest name that leads elsewhere
	for name := range a.R.Links {
		if rest, ok := strings.CutPrefix(resolved, name); ok && strings.HasPrefix(rest, "/") && len(name) > len(link) {
			link = name
		}
	}
	if link != "" {
		resolved = strings.TrimSuffix(a.R.Links[link], "/") + resolved[len(link):]
	}
	if !known || Unknown(resolved) {
		a.R.Mark(Path)
	}
	return resolved
}

// WritesFiles notes that files are written.
func (a *Act) WritesFiles(paths ...string) { a.Files(effect.Write, paths) }

// DeletesFiles notes that files are deleted; wide: with everything in them.
func (a *Act) DeletesFiles(wide bool, paths ...string) {
	for _, p := range paths {
		if IsNoFile(p) {
			continue
		}
		if to := a.leadsTo(p); to != "" {
			a.Add(effect.Effect{Verb: effect.Delete, Object: to, Wide: wide || strings.ContainsAny(p, "*?[")})
		}
		resolved := a.Path(p)
		spares := a.sparesHistory(p) || len(a.R.Verified) > 0 && !strings.Contains(resolved, ".git") && a.isMade(resolved)
		a.Add(effect.Effect{Verb: effect.Delete, Object: resolved, Wide: wide || strings.ContainsAny(p, "*?["), Scratch: spares})
		if wide && a.Name != "mv" {
			a.deletesMoved(resolved)
		}
		if strings.Count(p, "/..") >= mostUp && Unknown(p) { // so far up there is nothing but the root
			top := p[strings.LastIndex(p, "/..")+len("/.."):]
			a.Add(effect.Effect{Verb: effect.Delete, Object: "/" + strings.TrimLeft(top, "/"), Wide: wide, Guess: true})
		}
	}
}

// leadsTo is where a path lies that goes through another name for a directory,
// empty if it goes through none that is known: what is removed behind a link is
// not where it seems to be.
func (a *Act) leadsTo(p string) string {
	if a.Remote || a.R.Set.Files == nil && len(a.R.Links) == 0 {
		return ""
	}
	resolved, _ := a.At.Resolve(p)
	if strings.HasSuffix(p, "/") && resolved != "/" {
		resolved += "/"
	}
	for i, n := len(resolved)-1, 0; i > 0 && n < mostUp*2; i-- {
		if resolved[i] != '/' {
			continue
		}
		n++
		to := a.R.Links[resolved[:i]]
		if to == "" && a.R.Set.Files != nil {
			if f := a.R.Set.Files.File(resolved[:i]); f != nil {
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

// Files notes an effect on files. Names that are no files are left out.
func (a *Act) Files(verb effect.Verb, paths []string) {
	for _, p := range paths {
		switch {
		case IsNoFile(p):
		case verb == effect.Write && strings.Contains(p, "/**/"):
			for _, p := range a.changed(p) {
				a.Does(verb, a.Path(p))
			}
		default:
			a.Does(verb, a.Path(p))
		}
	}
}

// IsNoFile reports whether a name stands for no file that anything happens to.
func IsNoFile(p string) bool {
	switch p {
	case "", "-", "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/urandom", "/dev/random", "/dev/fd/0", "/dev/fd/1", "/dev/fd/2", "NUL", "nul":
		return true
	}
	return false
}

// Sources are the files, and "environment" or "secret", that are in the
// command's input or were put into its arguments by $(cat file) and the like.
func (a *Act) Sources() []string {
	list := a.In.Sources
	for _, source := range list {
		list = Merge(list, a.R.Origins(source))
	}
	for i := range a.Mixture() {
		list = Merge(list, a.Words()[i].Sources)
	}
	return list
}

// remote is the address that the command's input or arguments were fetched
// from, empty if they were not.
func (a *Act) remote() string {
	if a.In.Remote != "" {
		return a.In.Remote
	}
	for i := range a.Mixture() {
		if a.Words()[i].Remote != "" {
			return a.Words()[i].Remote
		}
	}
	return ""
}

// Script reads a text that the command gives to a shell, here and now.
func (a *Act) Script(text string) { a.R.Shell.Inner(text, a.Origin(), a.In) }

// Remotely is script for another machine or a container.
func (a *Act) Remotely(text string) {
	from := a.Origin()
	from.Remote, from.Within = true, nil
	a.R.Away(func() { a.R.Shell.Inner(text, from, a.In) })
}

// Argv reads a command that the command runs from a list, without a shell.
func (a *Act) Argv(words []string) { a.R.Shell.Argv(words, a.Origin(), a.In) }

// Passes notes that the command prints what a command prints that it runs.
func (a *Act) Passes(out Flow) {
	if a.Inner == nil {
		a.Inner = &out
		return
	}
	both := a.Inner.Through(a.Name)
	both.Sources, both.Shows = Merge(both.Sources, out.Sources), Merge(both.Shows, out.Shows)
	a.Inner = &both
}

// Doubt notes that the command may do more than what was noted.
func (a *Act) Doubt(reason string) {
	if reason == Subcommand {
		a.R.MarkStrange(a.Name)
	}
	a.R.Mark(reason)
}

// Origin is what commands inside this one inherit.
func (a *Act) Origin() Origin {
	return Origin{Sudo: a.Sudo, Remote: a.Remote, More: a.More, Env: a.Env, Guess: a.Guess, Within: a.R.From.Within}
}

// Unknown reports whether a text holds something that the shell puts in when it
// runs, and that was not known.
func Unknown(text string) bool { return effect.Expands(text) }
