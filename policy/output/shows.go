package output

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// MostGlimpse is how many characters of a secret say nothing of it.
const MostGlimpse = 8

// Shows is what can be read from a command's output: the files whose contents it
// prints, variables with secrets, and "secret" for what programs say that keep
// them.
func Shows(r *invocation.Reader, a *invocation.Act) []string {
	shownElsewhere(a)
	if len(a.In.Sources) > 0 && slices.Contains(a.In.Sources, invocation.Environment) && looksForSecrets(a) && grepShows(a) {
		guard.Reveals(a, "variables with secrets")
	}
	if huntsSecrets(a) {
		guard.Reveals(a, "passwords among other things")
	}
	list := r.Heard
	contents, words, part := false, false, false
	if hasToShow(a) {
		contents, words = displays(a)
		outlines(a)
		part = contents && findsSettings(a)
	}
	if contents {
		list = invocation.Merge(list, partly(a.In.Shows, part))
	}
	for i := range a.Mixture() {
		if words || contents && a.Words()[i].Made != nil {
			list = invocation.Merge(list, a.Words()[i].Shows)
		}
	}
	for i := a.First; i < len(r.Reading.Effects); i++ {
		e := &r.Reading.Effects[i]
		switch {
		case e.Command != a.Number || a.Number < 0:
		case e.Verb == effect.Read && contents:
			list = invocation.Merge(list, partly([]string{e.Object}, part))
			for _, origin := range r.Origins(e.Object)[1:] {
				switch {
				case isFileSource(origin):
					a.Does(effect.Read, origin)
				case origin == invocation.Secret: // another program has put it there
					guard.Reveals(a, "secrets in "+e.Object)
				}
			}
		case e.Verb == effect.Reveal && e.Object == invocation.Environment:
			for _, file := range r.Sourced { // what they set is in it
				a.Looks(false, file)
			}
			list = invocation.Merge(list, r.Sourced)
		case e.Verb == effect.Reveal && strings.HasPrefix(e.Object, "$"):
			list = invocation.With(list, e.Object)
		case e.Verb == effect.Reveal && keepsSecrets(a):
		case e.Verb == effect.Reveal:
			list = invocation.With(list, invocation.Secret)
		}
	}
	return list
}

// hasToShow reports whether there is something that a command could print: in its
// input, in its words or in what it reads.
func hasToShow(a *invocation.Act) bool {
	if len(a.In.Shows) > 0 {
		return true
	}
	for i := range a.Mixture() {
		if len(a.Words()[i].Shows) > 0 {
			return true
		}
	}
	for i := a.First; i < len(a.R.Reading.Effects); i++ {
		if e := &a.R.Reading.Effects[i]; e.Verb == effect.Read && e.Command == a.Number {
			return true
		}
	}
	return false
}

// Tells marks the effects whose contents are in what the whole text prints, which
// is what the conversation gets.
func Tells(r *invocation.Reader) {
	if len(r.Heard) == 0 {
		return
	}
	all := len(r.Heard) >= invocation.MostSources // there may be more
	said := slices.Contains(r.Heard, invocation.Secret)
	for i := range r.Reading.Effects {
		e := &r.Reading.Effects[i]
		switch e.Verb {
		case effect.Read:
			e.Shown = all || slices.Contains(r.Heard, e.Object)
			if !e.Shown && slices.Contains(r.Heard, settingsIn+e.Object) {
				e.Shown = true
				e.Kind = cmp.Or(e.Kind, effect.Settings)
			}
		case effect.Reveal:
			e.Shown = e.Object != invocation.Environment && (all || said && !strings.HasPrefix(e.Object, "$") || slices.Contains(r.Heard, e.Object))
		default:
		}
	}
	for _, name := range r.Heard {
		if of, ok := strings.CutPrefix(name, settingsIn); ok {
			tellsPart(r, of)
			continue
		}
		if name == invocation.Secret && !slices.ContainsFunc(r.Reading.Effects, func(e effect.Effect) bool { return e.Verb == effect.Reveal && e.Shown }) {
			shown(r, effect.Reveal, "variables with secrets")
			continue
		}
		if variable, ok := strings.CutPrefix(name, "$"); ok && guard.IsCredentialName(variable) {
			shown(r, effect.Reveal, name)
			continue
		}
		if slices.Contains(r.Sourced, name) {
			shown(r, effect.Read, name)
		}
		for _, origin := range r.Origins(name)[1:] { // of what was given to it
			if isFileSource(origin) {
				shown(r, effect.Read, origin)
			}
		}
		if to := r.Links[name]; to != "" {
			shown(r, effect.Read, to)
		}
	}
}

// ContentsOf leaves variables out. Of files of which only settings are shown it has the files.
func ContentsOf(list []string) []string {
	if !slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(s, "$") || strings.HasPrefix(s, settingsIn) }) {
		return list
	}
	var files []string
	for _, s := range list {
		if !strings.HasPrefix(s, "$") {
			files = invocation.With(files, strings.TrimPrefix(s, settingsIn))
		}
	}
	return files
}

// isFileSource reports whether a source is a file of this machine.
func isFileSource(name string) bool {
	return name != invocation.Environment && name != invocation.Secret && name != invocation.Database && name != invocation.Repository && !invocation.FromAfar(name)
}

// settingsIn stands before a file of which only the lines of settings are shown.
const settingsIn = "settings in "

// partly is what a command shows of what it reads: all of it, or only settings.
func partly(list []string, part bool) []string {
	if !part {
		return list
	}
	var settings []string
	for _, s := range list {
		switch {
		case s == invocation.Secret: // named as variables are
		case strings.HasPrefix(s, "$"), strings.HasPrefix(s, settingsIn):
			settings = invocation.With(settings, s)
		default:
			settings = invocation.With(settings, settingsIn+s)
		}
	}
	return settings
}

// tellsPart notes that the conversation gets settings of a file, and of those that it was made from.
func tellsPart(r *invocation.Reader, file string) {
	if slices.Contains(r.Heard, file) {
		return
	}
	more := r.Origins(file)[1:]
	if slices.Contains(r.Sourced, file) {
		more = append(slices.Clip(more), file)
	}
	if to := r.Links[file]; to != "" {
		more = append(slices.Clip(more), to)
	}
	for _, of := range more {
		if isFileSource(of) && !isShown(r, of) {
			r.Effect(effect.Effect{Verb: effect.Read, Object: of, Kind: effect.Settings, Shown: true, Command: -1, How: "output"})
		}
	}
}

// isShown reports whether a file is among those that the conversation gets to see.
func isShown(r *invocation.Reader, file string) bool {
	return slices.ContainsFunc(r.Reading.Effects, func(e effect.Effect) bool { return e.Verb == effect.Read && e.Object == file && e.Shown })
}

// shown notes something that the conversation gets, if that is not noted already.
func shown(r *invocation.Reader, does effect.Verb, object string) {
	for i := range r.Reading.Effects {
		if e := &r.Reading.Effects[i]; e.Verb == does && e.Object == object && e.Kind != effect.Settings {
			e.Shown = true
			return
		}
	}
	r.Effect(effect.Effect{Verb: does, Object: object, Shown: true, Command: -1, How: "output"})
}

// Named is ${!x} where x is not known: one of several variables, or of all.
func Named(of *invocation.Value, written string) invocation.Value {
	v := invocation.Open(written)
	for _, t := range of.Texts {
		switch {
		case !invocation.Unknown(t.As) && guard.IsCredentialName(t.As):
			v.Shows = invocation.With(v.Shows, "$"+t.As)
		case invocation.Unknown(t.As) && slices.Contains(of.Sources, invocation.Environment):
			v.Shows = invocation.With(v.Shows, invocation.Secret)
		}
	}
	return v
}

// IsScreen reports whether a name of a file stands for what a command prints.
func IsScreen(p string) bool {
	switch p {
	case "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2", "/proc/self/fd/1", "/proc/self/fd/2":
		return true
	}
	return false
}

// keepsSecrets reports whether a program writes the secrets that it is asked for
// to a file instead of printing them.
func keepsSecrets(a *invocation.Act) bool {
	switch a.Name {
	case "vercel":
		return !slices.ContainsFunc(a.Args, IsScreen)
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
func shownElsewhere(a *invocation.Act) {
	showsRare(a.R, a)
	effects := a.R.Reading.Effects[a.First:]
	if a.IsCode() || says(a, "code") {
		prints := printsResult(a)
		for i, arg := range a.Args {
			if prints && i > 0 {
				arg = "print " + arg
			}
			codeReads(a, arg)
			ReadsJoined(a, arg)
			codeSends(a, arg)
		}
		ReadsJoined(a, a.Ran)
		if a.In.Known {
			codeReads(a, a.In.Text)
			codeSends(a, a.In.Text)
		} else {
			codeSends(a, a.Ran)
		}
		if invocation.ContainsAny(strings.Join(a.Args, " "), capturing) && !codeShows(a) {
			a.R.Heard = nil
		}
	}
	if follow.IsShell(a.Name) && (a.Has("x") || a.Has("v") || a.Has("--verbose")) {
		for _, e := range effects {
			if e.Verb == effect.Run {
				a.R.Heard = invocation.With(a.R.Heard, e.Object)
				a.Does(effect.Read, e.Object)
			}
		}
	}
	prints := slices.ContainsFunc(a.Args, printsEnviron)
	if prints && slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "dotenv") }) {
		a.Looks(false, ".env")
		a.R.Heard = invocation.With(a.R.Heard, a.Path(".env"))
	}
	if prints || len(a.Args) > 0 && slices.ContainsFunc(effects, func(e effect.Effect) bool { return e.Verb == effect.Reveal && e.Object == invocation.Environment }) {
		for _, file := range EnvFiles(a) {
			a.Looks(false, file)
			a.R.Heard = invocation.With(a.R.Heard, a.Path(file))
		}
	}
}
