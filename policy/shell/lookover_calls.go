package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// homesQuoted writes the home directory as a text.
var homesQuoted = strings.NewReplacer(`os.Getenv("HOME")`, `"~"`, `std::env::var("HOME")`, `"~"`, `env::var("HOME")`, `"~"`, `System.getenv("HOME")`, `"~"`, `System.getProperty("user.home")`, `"~"`, `ENV["HOME"]`, `"~"`, "homedir()", `"~"`, `(getenv "HOME")`, `"~"`, `(System/getProperty "user.home")`, `"~"`, `(System/getenv "HOME")`, `"~"`, `System.get_env("HOME")`, `"~"`)

// givers are words of programs that give something away, in lower case.
var givers = []string{"post", "put", "upload", "-query", "send", "request-data", "write", "dial", "body", "puts"}

// mostCalls is how many calls of a name are looked at.
const mostCalls = 32

// givenIn notes files that a program of any language reads and sends: the names
// of files beside what reads them, if there is also what sends and to where.
func givenIn(a *invocation.Act, program string) {
	if len(program) > follow.MostGiven { // larger ones are applications, which read settings and ask services
		return
	}
	to := follow.AddressIn(program)
	if to == "" {
		return
	}
	lower := strings.ToLower(program)
	gives := false
	for _, word := range givers {
		gives = gives || strings.Contains(lower, word)
	}
	if !gives || len(lower) != len(program) {
		return
	}
	for _, name := range output.ReadersOf {
		follow.EachAfter(lower, name, func(before, _ string) {
			p := program[len(before)+len(name):]
			if p = fileNamed(p[:min(len(p), 200)], name == "[open "); p != "" {
				a.Add(effect.Effect{Verb: effect.Send, Object: to, From: follow.Place(a, p)})
			}
		})
	}
}

// fileNamed is the path that a call begins with, within what makes a path of it:
// Path.of("x"). In Tcl it may stand without quotes.
func fileNamed(s string, bare bool) string {
	at := strings.IndexAny(s, `"'`)
	if bare && (at != 0) {
		p := s[:len(s)-len(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/~"))]
		return p
	}
	if at < 0 || strings.Trim(s[:at], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.:( ") != "" {
		return ""
	}
	p, ok := follow.QuotedText(s[at:])
	if !ok || p == "" || strings.Contains(p, "://") || strings.ContainsAny(p, "\n ") {
		return ""
	}
	return p
}

// page notes a program in a web page: whoever asks for it tells the machine what to
// run.
func (r *reader) page(text string) {
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, "<?") && !strings.HasPrefix(text, "<%") || len(text) > follow.MostShell {
		return
	}
	a := invocation.Act{Command: &invocation.Command{Name: "page"}, R: &r.Reader, Number: -1, At: r.Scope.At}
	lower := strings.ToLower(text)
	if invocation.ContainsAny(lower, []string{"$_get", "$_post", "$_request", "$_cookie", "request.getparameter"}) && (strings.Contains(text, "`") || invocation.ContainsAny(lower, []string{"system(", "exec(", "passthru(", "popen(", "eval(", "assert("})) {
		a.Does(effect.ReverseShell, "a web page")
	}
	follow.OpensShell(&a, text)
}
