package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// mostGlimpse is how many characters of a secret say nothing of it.
const mostGlimpse = 8

// shows is what can be read from a command's output: the files whose contents it
// prints, variables with secrets, and "secret" for what programs say that keep
// them.
func (r *reader) shows(a *act) []string {
	a.shownElsewhere()
	if len(a.in.sources) > 0 && slices.Contains(a.in.sources, environment) && a.looksForSecrets() && a.grepShows() {
		a.reveals("variables with secrets")
	}
	if a.huntsSecrets() {
		a.reveals("passwords among other things")
	}
	list := r.heard
	contents, words := false, false
	if a.hasToShow() {
		contents, words = a.displays()
		a.outlines()
	}
	if contents {
		list = merge(list, a.in.shows)
	}
	for i := range a.mixture() {
		if words || contents && a.words()[i].made != nil {
			list = merge(list, a.words()[i].shows)
		}
	}
	for i := a.first; i < len(r.reading.Effects); i++ {
		e := &r.reading.Effects[i]
		switch {
		case e.Command != a.number || a.number < 0:
		case e.Verb == effect.Read && contents:
			list = with(list, e.Object)
			for _, origin := range r.origins(e.Object)[1:] {
				switch {
				case isFileSource(origin):
					a.does(effect.Read, origin)
				case origin == secret: // another program has put it there
					a.reveals("secrets in " + e.Object)
				}
			}
		case e.Verb == effect.Reveal && e.Object == environment:
			for _, file := range r.sourced { // what they set is in it
				a.looks(false, file)
			}
			list = merge(list, r.sourced)
		case e.Verb == effect.Reveal && strings.HasPrefix(e.Object, "$"):
			list = with(list, e.Object)
		case e.Verb == effect.Reveal && a.keepsSecrets():
		case e.Verb == effect.Reveal:
			list = with(list, secret)
		}
	}
	return list
}

// hasToShow reports whether there is something that a command could print: in its
// input, in its words or in what it reads.
func (a *act) hasToShow() bool {
	if len(a.in.shows) > 0 {
		return true
	}
	for i := range a.mixture() {
		if len(a.words()[i].shows) > 0 {
			return true
		}
	}
	for i := a.first; i < len(a.r.reading.Effects); i++ {
		if e := &a.r.reading.Effects[i]; e.Verb == effect.Read && e.Command == a.number {
			return true
		}
	}
	return false
}

// tells marks the effects whose contents are in what the whole text prints, which
// is what the conversation gets.
func (r *reader) tells() {
	if len(r.heard) == 0 {
		return
	}
	all := len(r.heard) >= mostSources // there may be more
	said := slices.Contains(r.heard, secret)
	for i := range r.reading.Effects {
		e := &r.reading.Effects[i]
		switch e.Verb {
		case effect.Read:
			e.Shown = all || slices.Contains(r.heard, e.Object)
		case effect.Reveal:
			e.Shown = e.Object != environment && (all || said && !strings.HasPrefix(e.Object, "$") || slices.Contains(r.heard, e.Object))
		default:
		}
	}
	for _, name := range r.heard {
		if name == secret && !slices.ContainsFunc(r.reading.Effects, func(e effect.Effect) bool { return e.Verb == effect.Reveal && e.Shown }) {
			r.shown(effect.Reveal, "variables with secrets")
			continue
		}
		if variable, ok := strings.CutPrefix(name, "$"); ok && isCredentialName(variable) {
			r.shown(effect.Reveal, name)
			continue
		}
		if slices.Contains(r.sourced, name) {
			r.shown(effect.Read, name)
		}
		for _, origin := range r.origins(name)[1:] { // of what was given to it
			if isFileSource(origin) {
				r.shown(effect.Read, origin)
			}
		}
		if to := r.links[name]; to != "" {
			r.shown(effect.Read, to)
		}
	}
}

// contentsOf leaves variables out.
func contentsOf(list []string) []string {
	if !slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(s, "$") }) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return strings.HasPrefix(s, "$") })
}

// isFileSource reports whether a source is a file of this machine.
func isFileSource(name string) bool {
	return name != environment && name != secret && name != database && name != repository && !fromAfar(name)
}

// shown notes something that the conversation gets, if that is not noted already.
func (r *reader) shown(does effect.Verb, object string) {
	for i := range r.reading.Effects {
		if e := &r.reading.Effects[i]; e.Verb == does && e.Object == object {
			e.Shown = true
			return
		}
	}
	r.effect(effect.Effect{Verb: does, Object: object, Shown: true, Command: -1, How: "output"})
}

// named is ${!x} where x is not known: one of several variables, or of all.
func (r *reader) named(of *value, written string) value {
	v := open(written)
	for _, t := range of.texts {
		switch {
		case !unknown(t.as) && isCredentialName(t.as):
			v.shows = with(v.shows, "$"+t.as)
		case unknown(t.as) && slices.Contains(of.sources, environment):
			v.shows = with(v.shows, secret)
		}
	}
	return v
}

// isScreen reports whether a name of a file stands for what a command prints.
func isScreen(p string) bool {
	switch p {
	case "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2", "/proc/self/fd/1", "/proc/self/fd/2":
		return true
	}
	return false
}

// isCredentialName reports whether a variable's name says that its value is a
// secret, and not something about one: where it lies, how long it lasts.
func isCredentialName(name string) bool {
	name = strings.ToUpper(name)
	if !isSecretName(name) && !strings.HasSuffix(name, "_KEY") && !strings.HasSuffix(name, "_PASS") && !strings.HasSuffix(name, "_PAT") && !strings.HasSuffix(name, "_PWD") && name != "PGPASSFILE" {
		return false
	}
	last := name[strings.LastIndexByte(name, '_')+1:]
	switch last {
	case "ID", "FILE", "PATH", "URL", "URI", "NAME", "NAMES", "ARN", "LENGTH", "LEN", "TTL", "TYPE", "HEADER", "DIR", "COUNT", "LIMIT", "PREFIX", "HOST", "ENDPOINT", "EXPIRY", "EXPIRES", "EXPIRATION", "SET", "OK",
		"TOKENS", "VERSION", "TOKENIZER", "PARALLELISM", "SIZE", "ENABLED", "REQUIRED", "POLICY", "VAR", "REGEX", "PATTERN", "STATUS", "AGE", "STORE", "PROVIDER", "HELPER", "INDEX", "FIELD", "COLUMN", "PUB", "PUBLIC":
		return false
	}
	switch name {
	case "PRIMARY_KEY", "CACHE_KEY", "SORT_KEY", "PARTITION_KEY", "PUBLIC_KEY", "FOREIGN_KEY", "S3_KEY", "OBJECT_KEY", "JSON_KEY", "SSH_PUBLIC_KEY", "OLD_PWD", "REDIS_KEY", "GROUP_KEY":
		return false
	}
	return !strings.Contains(name, "PUBLIC_KEY") && !strings.Contains(name, "PUBLISHABLE") && !strings.HasPrefix(name, "CACHE_")
}

// keepsSecrets reports whether a program writes the secrets that it is asked for
// to a file instead of printing them.
func (a *act) keepsSecrets() bool {
	switch a.Name {
	case "vercel":
		return !slices.ContainsFunc(a.Args, isScreen)
	case "gcloud":
		return slices.Contains(a.Args, "create")
	case "doppler":
		return slices.Contains(a.Args, "download") && !a.Has("--no-file")
	case "az":
		return slices.Contains(a.Args, "download")
	}
	return false
}

// shownElsewhere notes reads that are no effects of the command by themselves: a
// shell that says what it runs, and variables of a file that something prints.
func (a *act) shownElsewhere() {
	a.r.showsRare(a)
	effects := a.r.reading.Effects[a.first:]
	if a.isCode() || isCodeName(a.Name) {
		prints := a.printsResult()
		for i, arg := range a.Args {
			if prints && i > 0 {
				arg = "print " + arg
			}
			a.codeReads(arg)
			a.readsJoined(arg)
			a.codeSends(arg)
		}
		a.readsJoined(a.ran)
		if a.in.known {
			a.codeReads(a.in.text)
			a.codeSends(a.in.text)
		} else {
			a.codeSends(a.ran)
		}
		if !slices.ContainsFunc(effects, func(e effect.Effect) bool { return e.Verb == effect.Listen }) {
			a.codeServes()
		}
		if containsAny(strings.Join(a.Args, " "), capturing) && !a.codeShows() {
			a.r.heard = nil
		}
	}
	if isShell(a.Name) && (a.Has("x") || a.Has("v") || a.Has("--verbose")) {
		for _, e := range effects {
			if e.Verb == effect.Run {
				a.r.heard = with(a.r.heard, e.Object)
				a.does(effect.Read, e.Object)
			}
		}
	}
	prints := slices.ContainsFunc(a.Args, printsEnviron)
	if prints && slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "dotenv") }) {
		a.looks(false, ".env")
		a.r.heard = with(a.r.heard, a.path(".env"))
	}
	if prints || len(a.Args) > 0 && slices.ContainsFunc(effects, func(e effect.Effect) bool { return e.Verb == effect.Reveal && e.Object == environment }) {
		for _, file := range a.envFiles() {
			a.looks(false, file)
			a.r.heard = with(a.r.heard, a.path(file))
		}
	}
}
