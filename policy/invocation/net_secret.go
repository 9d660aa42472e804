package invocation

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	secrets "github.com/sluice-project/sluice/policy/secret"
)

// MayBePrivate reports whether a word is the name of a file as those with secrets
// have.
func MayBePrivate(p string) bool {
	base := path.Base(p)
	switch path.Ext(base) {
	case ".pem", ".key", ".p12", ".pfx", ".kdbx", ".jks", ".keystore", ".tfstate", ".tfvars", ".env":
		return true
	}
	return len(base) > 2 && base[0] == '.' && base[1] != '.' || strings.Contains(p, "/.") || strings.HasPrefix(base, "id_") || strings.Contains(base, "credential") || strings.Contains(base, "secret") || strings.HasPrefix(base, "serviceAccount") || strings.HasPrefix(base, "service-account")
}

// Vendors are those whose secrets are known by a name, in variables and in the rules that find
// them, with parts of the hosts that they are for.
func Vendors() map[string][]string { return command.Builtin().Table("vendors") }

// tells reports whether a command tells a host a variable with a secret that is not for it. One
// that names nobody is for anybody where it says who asks.
func (a *Act) tells(variable, host string) bool {
	for word := range strings.SplitSeq(strings.ToLower(variable), "_") {
		if parts, ok := Vendors()[word]; ok && HasAny(host, parts) {
			return false
		}
	}
	belongs, named := belongs(variable, host)
	switch {
	case named && !ofStore(variable):
		return !belongs
	case belongs && named || IsInside(HostOf(host)):
		return false
	default:
		return a.hands(variable, !named)
	}
}

// ofStore reports whether a variable is named for a store and for nobody else.
func ofStore(variable string) bool {
	for word := range strings.SplitSeq(strings.ToLower(variable), "_") {
		if word == "db" {
			return true
		}
	}
	return false
}

// hands reports whether a variable is in the arguments or the input of a command elsewhere than
// where it says who asks: behind the name of a field or an option for that, in such a header. In
// the query of an address a key of nobody in particular says that, too.
func (a *Act) hands(variable string, nobodys bool) bool {
	for i, arg := range a.Args {
		if !strings.Contains(arg, "$") || i > 0 && isCredentialOption(a.Args[i-1]) {
			continue
		}
		if words := a.Words(); i < len(words) && !slices.Contains(words[i].Sources, "$"+variable) {
			continue // in single quotes a dollar is a dollar
		}
		if nobodys && strings.Contains(arg, "://") {
			arg, _, _ = strings.Cut(arg, "?")
		}
		if !IsCredential(arg) && !isCredentialOption(arg) && handsOver(arg, variable) {
			return true
		}
	}
	switch {
	case !slices.Contains(a.In.Sources, "$"+variable) || a.In.By == "jq": // which puts it into a field
		return false
	default:
		return a.In.Text == "" || len(a.In.Text) > MostHeaders || handsOver(a.In.Text, variable)
	}
}

// handsOver reports whether a text has a variable that stands behind no name of a credential.
func handsOver(text, variable string) bool {
	for {
		i := strings.IndexByte(text, '$')
		if i < 0 {
			return false
		}
		before, after := text[:i], strings.TrimLeft(text[i+1:], "{!#")
		end := 0
		for end < len(after) && IsNameByte(after[end]) {
			end++
		}
		if after[:end] == variable && !endsInCredential(before) {
			return true
		}
		text = after[end:]
	}
}

// endsInCredential reports whether a text ends in the name of a field for what says who asks.
func endsInCredential(text string) bool {
	field := strings.TrimRight(strings.ToLower(text), "\"'\\ ")
	for _, scheme := range []string{"bearer", "basic", "token", "apikey"} {
		if rest, ok := strings.CutSuffix(field, scheme); ok && strings.HasSuffix(strings.TrimRight(rest, " \"'"), ":") {
			return true
		}
	}
	field, separated := strings.TrimRight(field, ":=\"'\\ "), strings.HasSuffix(field, ":") || strings.HasSuffix(field, "=")
	return separated && isCredentialWord(field[strings.LastIndexAny(field, "?&,;{ \"'/\n")+1:])
}

func isCredentialWord(word string) bool {
	for _, part := range []string{"auth", "token", "key", "secret", "pass", "pwd", "cookie", "credential", "signature"} {
		if strings.Contains(word, part) {
			return true
		}
	}
	return false
}

// isCredentialOption reports whether an option says who asks.
func isCredentialOption(arg string) bool {
	name, dashes := CutDashes(arg)
	if dashes == 0 {
		return false
	}
	name, _, _ = strings.Cut(strings.ToLower(name), "=")
	return dashes == 1 && (strings.HasPrefix(arg, "-u") || strings.HasPrefix(arg, "-p") || arg == "-a" || arg == "-b" || arg == "-E") || name == "user" || isCredentialWord(name)
}

// HasAny reports whether a text has one of the parts.
func HasAny(text string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// IsInside reports whether a host can only be one of this machine's own network.
func IsInside(host string) bool {
	switch {
	case host == "", !strings.Contains(host, "."), strings.HasPrefix(host, "127."), strings.HasPrefix(host, "10."), strings.HasPrefix(host, "192.168."), host == "0.0.0.0":
		return true
	}
	for _, end := range []string{".local", ".internal", ".lan", ".svc", ".test", ".localhost", ".home.arpa"} {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	return false
}

// What is looked at for secrets: an address, and the headers of a request. Longer
// ones carry something by their length alone.
const (
	mostURL     = 1 << 10
	MostHeaders = 4 << 10
)

// leastSecret is the length from which on a text can have a secret.
const leastSecret = 20

// ShowsSecret reports whether an address tells its host a secret of a vendor to
// which the host does not belong.
func ShowsSecret(address, host string) bool {
	if len(address) > mostURL {
		return !IsInside(host)
	}
	return IsTold(OwnersIn(secrets.Apart(address)), host)
}

// OwnersIn are the vendors whose secrets stand in a text.
func OwnersIn(text string) []string {
	if len(text) < leastSecret {
		return nil
	}
	var owners []string
	for _, found := range secrets.Find(text) {
		if owner, _, _ := strings.Cut(found.Rule, "-"); !command.Builtin().In("ownerless", owner) {
			owners = With(owners, owner)
		}
	}
	return owners
}

// IsTold reports whether one of the vendors is somebody else than the host.
func IsTold(owners []string, host string) bool {
	if IsInside(host) {
		return false
	}
	for _, owner := range owners {
		if !strings.Contains(host, owner) && !HasAny(host, Vendors()[owner]) {
			return true
		}
	}
	return false
}

// IsSecretOf is isSecretName, also for the keys of vendors: STRIPE_KEY.
func IsSecretOf(name string) bool {
	if IsSecretName(name) {
		return true
	}
	first, rest, ok := strings.Cut(strings.ToLower(name), "_")
	return ok && Vendors()[first] != nil && (strings.HasSuffix(rest, "key") || strings.HasSuffix(rest, "pat") || strings.HasSuffix(rest, "auth"))
}

// Reachable is an address from which everybody reads the same host: what cannot
// be read before the host's last names is left out, and what cannot be read behind
// it.
func Reachable(address string) string {
	scheme, rest := "", address
	if i := strings.Index(address, "://"); i >= 0 && IsCluster(strings.ReplaceAll(address[:i], "+", "")) {
		scheme, rest = address[:i+3], address[i+3:]
	}
	odd := func(c byte) bool { return c <= ' ' || c == 0x7f || strings.IndexByte("\\\"'`%<>^{|}", c) >= 0 }
	end := 0 // of the host, brackets of substitutions counted
	for depth := 0; end < len(rest); end++ {
		switch rest[end] {
		case '(', '{':
			depth++
		case ')', '}':
			depth = max(depth-1, 0)
		}
		if depth == 0 && strings.IndexByte("/?#", rest[end]) >= 0 {
			break
		}
	}
	host, after := rest[:end], rest[end:]
	for i := range len(after) {
		if odd(after[i]) && !isEncoded(after[i:]) {
			after = ""
			break
		}
	}
	plain := host
	for i := len(host) - 1; i >= 0; i-- {
		if odd(host[i]) || strings.IndexByte("()$", host[i]) >= 0 && strings.ContainsAny(host, "(`{") {
			if plain = strings.TrimLeft(host[i+1:], "."); strings.ContainsAny(plain, "@") || !strings.Contains(plain, ".") {
				plain = "unreadable-address" + portOf(host[i+1:])
			}
			break
		}
	}
	return scheme + plain + after
}

// isEncoded reports whether a text begins with an encoded byte: %61.
func isEncoded(s string) bool {
	if len(s) < 3 || s[0] != '%' {
		return false
	}
	_, err := strconv.ParseUint(s[1:3], 16, 8)
	return err == nil
}

// portOf is what a text is if it is a port and nothing else, with its colon.
func portOf(s string) string {
	port, ok := strings.CutPrefix(s, ":")
	if _, err := strconv.ParseUint(port, 10, 16); !ok || err != nil {
		return ""
	}
	return s
}

// Serves notes that a directory is shown to whoever connects. All addresses of this
// machine are none of its own.
func (a *Act) Serves(address, dir string) {
	if address = strings.TrimPrefix(strings.TrimPrefix(address, "tcp://"), "0.0.0.0"); address == "" {
		address = ":"
	}
	a.Add(effect.Effect{Verb: effect.Listen, Object: address, From: a.Path(dir), Wide: true})
}

// And is a verb that does what else is known, unless it has said already that
// secrets are printed.
func (does Verb) And(more Verb) Verb {
	if does == nil {
		return more
	}
	return func(a *Act) {
		before := len(a.R.Reading.Effects)
		does(a)
		for i := range a.R.Reading.Effects[before:] {
			if a.R.Reading.Effects[before+i].Verb == effect.Reveal {
				return
			}
		}
		more(a)
	}
}
