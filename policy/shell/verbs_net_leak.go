package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// leakVerbs are ways in which programs give away what they are told, beside what
// else they do.
var leakVerbs = map[string]verb{
	"ffmpeg": streams, "gst-launch-1.0": streams,
	"swift":  described("s4cmd"), // which is a language, too
	"docker": imageLeaks, "podman": imageLeaks, "nerdctl": imageLeaks, "buildah": imageLeaks,
	"consul": tellsFiles, "vault": tellsFiles, "bao": tellsFiles, "kubectl": tellsFiles, "oc": tellsFiles, "nomad": tellsFiles,
	"helm": registryLogin, "skopeo": registryLogin, "crane": registryLogin, "regctl": registryLogin,
	"pip": asksRegistry, "pip3": asksRegistry, "uv": asksRegistry, "npm": asksRegistry, "pnpm": asksRegistry, "yarn": asksRegistry, "bun": asksRegistry, "gem": asksRegistry, "cargo": asksRegistry, "go": asksRegistry, "composer": asksRegistry,
	"gh-pages": publishesDirectory, "surge": publishesDirectory, "netlify": publishesDirectory, "ntl": publishesDirectory, "vercel": publishesDirectory, "vc": publishesDirectory, "wrangler": publishesDirectory, "firebase": publishesDirectory,
}

// contentsGiven are the files, and what programs keep, in a command's input and
// arguments. Of variables others tell.
func (a *act) contentsGiven() []string {
	return slices.DeleteFunc(slices.Clone(a.sources()), func(s string) bool { return strings.HasPrefix(s, "$") })
}

// bakedVariable is how is noted what was put into an image.
const bakedVariable = "image holds"

// imageLeaks are contents that are put into an image or a container, and images
// that are given away then.
func imageLeaks(a *act) {
	if a.Sub == "login" {
		registryLogin(a)
		return
	}
	switch {
	case slices.Contains(a.Args, "build"):
		a.bakes()
		fallthrough
	case a.Sub == "commit", a.Sub == "run", a.Sub == "exec":
		for _, source := range a.contentsGiven() {
			a.add(effect.Effect{Verb: effect.SetVariable, Object: bakedVariable, From: source})
		}
	case slices.Contains(a.Args, "cp"):
		for _, p := range a.Operands() {
			if mayBePrivate(p) && !strings.Contains(p, ":") {
				a.add(effect.Effect{Verb: effect.SetVariable, Object: bakedVariable, From: a.path(p)})
			}
		}
	}
	if slices.Contains(a.Args, "push") || slices.Contains(a.Args, "--push") {
		for _, e := range a.r.reading.Effects {
			if e.Verb == effect.SetVariable && e.Object == bakedVariable {
				a.add(effect.Effect{Verb: effect.Send, Object: "registry", From: e.From, Wide: e.Wide})
			}
		}
	}
}

// mayBePrivate reports whether a word is the name of a file as those with secrets
// have.
func mayBePrivate(p string) bool {
	base := path.Base(p)
	switch path.Ext(base) {
	case ".pem", ".key", ".p12", ".pfx", ".kdbx", ".jks", ".keystore", ".tfstate", ".tfvars", ".env":
		return true
	}
	return len(base) > 2 && base[0] == '.' && base[1] != '.' || strings.Contains(p, "/.") || strings.HasPrefix(base, "id_") || strings.Contains(base, "credential") || strings.Contains(base, "secret") || strings.HasPrefix(base, "serviceAccount") || strings.HasPrefix(base, "service-account")
}

// codeSends notes what a program sends that nobody reads otherwise: files with
// private names, where it talks to another machine at all.
func (a *act) codeSends(code string) {
	if strings.HasPrefix(a.Name, "python") || a.Name == "node" || len(code) > mostKnown || !containsAny(strings.ToLower(code), []string{"post", "send", "put", "upload", "-query", "socket", "connect", "url-retrieve"}) {
		return
	}
	to := hostIn(code)
	if to == "" {
		return
	}
	n := 0
	for token := range strings.FieldsFuncSeq(code, func(c rune) bool { return strings.ContainsRune(" \t\n\"'`()[]{},;<>=", c) }) {
		if strings.Contains(token, "://") || !mayBePrivate(token) || token[0] == '.' && !containsAny(token, dotNames) {
			continue
		}
		if n++; n > mostAddresses {
			break
		}
		a.add(effect.Effect{Verb: effect.Send, Object: to, From: a.path(token)})
	}
	for _, arg := range a.few(a.Args) {
		if !strings.ContainsAny(arg, " (;") && mayBePrivate(arg) && arg != code {
			a.add(effect.Effect{Verb: effect.Send, Object: to, From: a.path(arg)})
		}
	}
}

// dotNames are the hidden files that hold secrets.
var dotNames = []string{".env", ".ssh", ".aws", ".netrc", ".npmrc", ".pgpass", ".git-credentials", ".docker", ".kube", ".gnupg", ".config", ".vault", ".pypirc", ".azure", ".cargo"}

// hostIn is the machine that a program names: an address, or what it connects to.
func hostIn(code string) string {
	if i := strings.Index(code, "://"); i >= 0 {
		end := strings.IndexAny(code[i+3:]+" ", " \"'`)],;")
		return "http" + code[i:i+3+end]
	}
	for _, call := range []string{"connect(", "->new(", "connect ", "socket ", "PeerAddr=>", "tcp://"} {
		if _, rest, ok := strings.Cut(code, call); ok {
			host := strings.TrimLeft(rest, "\"' \t({")
			if end := strings.IndexAny(host, "\"',:; )"); end > 0 && strings.Contains(host[:end], ".") {
				return host[:end]
			}
		}
	}
	return ""
}

// codeServes notes an interpreter that shows a directory to whoever connects.
func (a *act) codeServes() {
	switch {
	case strings.HasPrefix(a.Name, "php"):
		for _, address := range a.after("-S") {
			for _, dir := range a.after("-t", "--docroot") {
				a.serves(address, dir)
			}
		}
	case strings.HasPrefix(a.Name, "ruby") && slices.Contains(a.Args, "-run"):
		if i := slices.Index(a.Args, "httpd"); i >= 0 {
			dir := "."
			if i+1 < len(a.Args) && !strings.HasPrefix(a.Args[i+1], "-") {
				dir = a.Args[i+1]
			}
			a.serves("", dir)
		}
	}
	for _, code := range a.Args {
		if strings.Contains(code, "createServer(") && strings.Contains(code, "listen(") && containsAny(code, []string{"process.env.HOME", "homedir()", `readFileSync("/"`, "readFileSync('/'"}) {
			a.serves("", "~")
		}
	}
}
