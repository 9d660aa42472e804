package output

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// MadeTemp stands for a directory that mktemp has made.
const MadeTemp = "/tmp/tmp.XXXXXXXXXX"

// temporary is the name that mktemp prints.
func temporary(a *invocation.Act) string {
	if set, _ := a.KnownVariable("TMPDIR"); set == "" && (len(a.Args) == 0 || len(a.Args) == 1 && a.Args[0] == "-d") {
		return MadeTemp
	}
	return "/tmp/" + invocation.DoubtfulTemp
}

// Outline is how a file is read of which only the outline is asked for: how much is
// in it, whether something is, what its parts are called. That shows no secret of
// any file, unlike what displays lets pass for files of variables, whose lines have
// names.
const Outline = "outline"

// outlines says of the files that a command reads, itself or through cat, that it
// only asks for their outline, if it does. Each question must be written out: many
// of them, made of a variable, would spell a secret.
func outlines(a *invocation.Act) {
	var may string
	switch a.Name {
	case "grep", "egrep", "fgrep", "rg":
		may = "cqivEFwxnsh"
	case "wc":
		may = "lcwm"
	case "jq", "gojq", "yq":
		may = "rcM"
	default:
		return
	}
	letters := ""
	var room [2]string
	words := room[:0]
	for _, arg := range a.Args {
		body, dashes := invocation.CutDashes(arg)
		switch {
		case dashes == 0 && len(words) < len(room):
			words = append(words, arg)
		case dashes == 1 && body != "" && len(letters)+len(body) <= mostLetters && strings.Trim(body, may) == "":
			letters += body // one word of them, nearly always
		default:
			return
		}
	}
	from := a.Number
	reads := readBy(a, from)
	if len(reads) == 0 && a.In.By == "cat" && from > 0 { // cat FILE |
		cat := &a.R.Reading.Commands[from-1]
		if cat.Name != "cat" || len(cat.Args) != 1 || !asksOnce(a, cat) || strings.Contains(strings.Replace(cat.Text, " 2>/dev/null", "", 1), ">") || !strings.Contains(a.R.Src, cat.Text+" | "+a.Text) { // it prints nowhere else
			return
		}
		if reads = readBy(a, from-1); len(reads) == 1 && slices.Equal(a.In.Sources, []string{reads[0].Object}) {
			words = append(words, cat.Args[0])
		}
	}
	if len(reads) != 1 || len(words) == 0 || strings.ContainsAny(invocation.LastOf(words), "*?[{") {
		return
	}
	if asksOutline(a.Name, letters, words[:len(words)-1], invocation.LastOf(words)) && asksOnce(a, a.Command) {
		reads[0].How, reads[0].Kind = Outline, effect.Outline
	}
}

// asksOnce reports whether a command runs exactly as written, independent of the output
// of other commands.
func asksOnce(a *invocation.Act, c *invocation.Command) bool {
	return c.Depth == 0 && !c.More && !c.Remote && !a.Guess && c.IsWritten() &&
		(!strings.ContainsAny(c.Text, madeUp) || !strings.ContainsAny(withoutHome.Replace(c.Text), madeUp))
}

// mostLetters is how many options such a question has at most.
const mostLetters = 16

// madeUp is in commands that are not written out.
const madeUp = "$`<"

var withoutHome = strings.NewReplacer("$HOME/", "", "${HOME}/", "")

// readBy are the reads of a command.
func readBy(a *invocation.Act, number int) []*effect.Effect {
	var list []*effect.Effect
	for i := len(a.R.Reading.Effects) - 1; i >= 0 && number >= 0; i-- {
		e := &a.R.Reading.Effects[i]
		if e.Command < number {
			break
		}
		if e.Verb == effect.Read && e.Command == number {
			list = append(list, e)
		}
	}
	return list
}

// asksOutline reports whether a program that is given these letters of options and
// words asks for the outline of a file.
func asksOutline(program, letters string, words []string, file string) bool {
	switch program {
	case "wc":
		return len(words) == 0
	case "jq", "gojq", "yq":
		return len(words) == 1 && slices.Contains(outlineQueries, strings.ReplaceAll(words[0], " ", "")) && isStructured(file)
	}
	switch {
	case len(words) != 1:
		return false
	case strings.ContainsAny(letters, "cq"):
		return true
	case strings.ContainsAny(letters, "iv"):
		return false
	}
	switch words[0] {
	case "current-context", "^current-context", "current-context:", "^current-context:":
		return path.Base(file) == "config" || strings.HasSuffix(file, "kubeconfig")
	case `^\[`, `^\[.*\]`, `^\[.*\]$`:
		return slices.Contains(sectioned, path.Base(file)) && !strings.Contains(letters, "F")
	}
	return false
}

// outlineQueries are for names, or for what names another program.
var outlineQueries = strings.Fields(`keys keys[] keys_unsorted length .credHelpers .credsStore .auths|keys .auths|keys[] .credHelpers|keys
	.contexts[].name .clusters[].name .users[].name .current-context ."current-context" .["current-context"]`)

// isStructured reports whether a file holds names and values by its name.
func isStructured(file string) bool {
	switch path.Ext(file) {
	case ".json", ".yaml", ".yml":
		return true
	}
	return path.Base(file) == "config"
}

// sectioned are files in sections, whose names stand in lines of their own.
var sectioned = strings.Fields("credentials config .databrickscfg .pypirc .s3cfg .boto rclone.conf")
