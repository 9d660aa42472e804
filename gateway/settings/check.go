package settings

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// check checks the settings as a whole: files that must exist, secrets that
// must be found, and values that contradict each other.
func (l *loading) check() {
	l.checkFile()
	l.checkPaths()
	for _, p := range providers {
		l.checkUpstream(p)
	}
	l.checkAdmin()
	l.checkReach()
	if l.settings.Failure.Judge == JudgeAllow {
		l.warningf(l.origin("failure.judge"), "use block or policy where it matters", "failure.judge lets pass what no policy could judge")
	}
}

// origin is where the value of a key comes from.
func (l *loading) origin(path string) origin { return l.settings.origins[path] }

// checkFile warns if other users can read or change more of the configuration
// file than they should.
func (l *loading) checkFile() {
	where := origin{name: l.settings.File}
	if l.literal && l.openToOthers(0o044) {
		l.warningf(where, "run chmod 600 on it, or write sha256 or key_env", "the file has a key in it that others on this machine can read")
	}
	if l.openToOthers(0o002) {
		l.warningf(where, "run chmod o-w on it", "others on this machine can change the file, and so switch policies off")
	}
}

func (l *loading) openToOthers(rights fs.FileMode) bool {
	return runtime.GOOS != "windows" && l.mode.IsRegular() && l.mode.Perm()&rights != 0
}

// checkPaths opens the files that must exist and checks the directories.
func (l *loading) checkPaths() {
	s := l.settings
	for _, name := range s.Policies {
		if !strings.HasPrefix(name, presetPrefix) && !isDir(name) { // the files of a folder are read later
			l.readable(l.places[place{"policies", name}], "policies", name)
		}
	}
	l.readable(l.origin("tls.cert"), "tls.cert", s.TLS.Cert)
	l.readable(l.origin("tls.key"), "tls.key", s.TLS.Key)
	if s.TLS.Cert != "" && s.TLS.Key == "" {
		l.problemf(l.origin("tls.cert"), "set tls.key as well, or neither", "tls.cert has no tls.key")
	}
	if s.TLS.Key != "" && s.TLS.Cert == "" {
		l.problemf(l.origin("tls.key"), "set tls.cert as well, or neither", "tls.key has no tls.cert")
	}
	if s.Data == "" {
		l.warningf(l.origin("data"), "name one with --data or SLUICE_DATA", "there is no home directory, and so no default data directory")
	}
	l.directory("data", s.Data)
	if s.AuditLog != "" && s.AuditLog != "-" {
		info, err := os.Stat(s.AuditLog)
		if err == nil && info.IsDir() {
			l.problemf(l.origin("audit_log"), "name a file in it", "audit_log is %s, a directory", quotePath(s.AuditLog))
		}
		if dir := filepath.Dir(s.AuditLog); errors.Is(err, fs.ErrNotExist) && !isDir(dir) {
			l.problemf(l.origin("audit_log"), "create it, or name another file", "audit_log is in %s, which is not a directory", quotePath(dir))
		}
	}
}

// readable opens a file that is needed, if one is named. What is not a regular
// file, such as a pipe, is left alone: it can be read only once.
func (l *loading) readable(where origin, key, name string) {
	if name == "" {
		return
	}
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		l.problemf(where, "name a file in it", "%s names %s, a directory", key, quotePath(name))
		return
	}
	if err == nil && info.Mode().IsRegular() {
		var f *os.File
		if f, err = os.Open(name); err == nil { //nolint:gosec // the user says which file is read
			err = f.Close()
		}
	}
	if err != nil {
		l.problemf(where, "name a file that exists and that you can read", "%s cannot be read: %s", key, fileError(name, err))
	}
}

// directory refuses what exists and is not a directory. A missing one will be
// created.
func (l *loading) directory(key, name string) {
	if info, err := os.Stat(name); name != "" && err == nil && !info.IsDir() {
		l.problemf(l.origin(key), "name a directory", "%s is %s, a file", key, quotePath(name))
	}
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// checkUpstream finds a provider's key and checks its URL.
func (l *loading) checkUpstream(p provider) {
	u := p.field(l.settings)
	path := "upstreams." + p.name
	if u.KeyEnv != "" {
		where := l.origin(path + ".key_env")
		if text, ok := l.variable(where, path+".key_env", u.KeyEnv); ok {
			if strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
				l.problemf(where, "set it to the key alone", "%s names a variable with spaces or other characters that no key has", path+".key_env")
			}
			u.Key = NewSecret(text)
		}
	}
	if u.URL == nil {
		return // its problem is known
	}
	where := l.origin(path + ".url")
	if u.URL.Scheme == "http" && !isLoopback(u.URL.Hostname()) {
		l.warningf(where, "use https", "%s.url sends keys and conversations unencrypted over the network", path)
	}
	if host, port, ok := splitAddress(l.settings.Listen); ok && port != "0" && port == portOf(u.URL.Scheme, u.URL.Port()) {
		here := isLoopback(host) || host == "" || host == "0.0.0.0" || host == "::"
		if there := u.URL.Hostname(); here && isLoopback(there) || strings.EqualFold(host, there) {
			l.problemf(where, "name the provider, or listen on another port", "%s.url is the gateway itself: requests would loop forever", path)
		}
	}
}

func portOf(scheme, port string) string {
	switch {
	case port != "":
		return port
	case scheme == "https":
		return "443"
	default:
		return "80"
	}
}

var variablePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// variable finds a secret by the name of its variable. Messages do not repeat
// the name: people sometimes write the secret itself there.
func (l *loading) variable(where origin, key, name string) (string, bool) {
	if !variablePattern.MatchString(name) {
		l.problemf(where, "set a variable to the secret and write the name of the variable", "%s is not the name of a variable", key)
		return "", false
	}
	text := strings.TrimSpace(l.env[name])
	if text == "" {
		l.problemf(where, "set it, or remove the key", "%s names a variable that is not set or empty", key)
		return "", false
	}
	return text, true
}

// The length of a token: long enough not to be guessed, short enough for a
// header.
const (
	leastToken = 20
	mostToken  = 4096
)

// checkAdmin finds the token of the admin API.
func (l *loading) checkAdmin() {
	a := &l.settings.Admin
	where := l.origin("admin.token_env")
	var text string
	switch {
	case a.TokenEnv != "" && a.TokenFile != "":
		l.problemf(where, "keep one of them", "admin has both token_env and token_file")
		return
	case a.TokenEnv != "":
		l.settings.secrets = append(l.settings.secrets, a.TokenEnv)
		found, ok := l.variable(where, "admin.token_env", a.TokenEnv)
		if !ok {
			return
		}
		text = found
	case a.TokenFile != "":
		where = l.origin("admin.token_file")
		data, _, err := readFile(a.TokenFile, mostToken)
		if err != nil {
			l.problemf(where, "name a file that exists and that you can read", "admin.token_file cannot be read: %s", fileError(a.TokenFile, err))
			return
		}
		text = strings.TrimSpace(string(data))
	default:
		return
	}
	sum := sha256.Sum256([]byte(text))
	switch {
	case len(text) < leastToken || len(text) > mostToken || strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c >= 0x7f }):
		l.problemf(where, "make one with "+makeToken, "the admin token is not %d to %d plain characters without spaces", leastToken, mostToken)
	case slices.ContainsFunc(l.settings.Keys, func(k Key) bool { return k.SHA256 == sum }):
		l.problemf(where, "make one with "+makeToken, "the admin token is also the key of a client, who could then change the gateway")
	default:
		a.Token = NewSecret(text)
	}
}

// makeToken is a command that makes a token.
const makeToken = "head -c 24 /dev/urandom | base64" //nolint:gosec // a recipe, not a secret

// checkReach checks who can reach the gateway, and with which credentials.
func (l *loading) checkReach() {
	s := l.settings
	where := l.origin("listen")
	host, _, ok := splitAddress(s.Listen)
	public := ok && !isLoopback(host)
	switch {
	case !public || s.NeedsKeys() || l.makesKeys:
	case s.Insecure:
		l.warningf(where, "add keys", "everybody who can reach %s can use the gateway", s.Listen)
	default:
		l.problemf(where, "listen on 127.0.0.1, or issue a key with `sluice keys new NAME`, or add `keys:` to the configuration file (make a key with "+makeKey+
			") or set SLUICE_KEYS=NAME=KEY, or set --insecure if the network is trusted",
			"listen is %s, which other machines can reach, and there are no keys", s.Listen)
	}
	if public && s.TLS.Cert == "" {
		l.warningf(where, "set tls.cert and tls.key, unless a proxy in front of it does that", "keys and conversations of clients on other machines are not encrypted")
	}
	for _, p := range providers {
		key := "upstreams." + p.name + ".key_env"
		switch {
		case p.field(s).KeyEnv == "" || s.NeedsKeys() || l.makesKeys:
		case public:
			l.problemf(l.origin(key), "add keys, or let clients bring the provider's key", "%s would let everybody who can reach %s use your %s key", key, s.Listen, p.title)
		default:
			l.warningf(l.origin(key), "add keys, or remove it", "%s is never used: it is for clients with a Sluice key, and there are no keys", key)
		}
	}
}
