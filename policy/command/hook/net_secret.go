package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// LeakVerbs are ways in which programs give away what they are told, beside what
// else they do.
var LeakVerbs = map[string]invocation.Verb{
	"ffmpeg": streams, "gst-launch-1.0": streams,
	"swift":  Described("s4cmd"), // which is a language, too
	"docker": imageLeaks, "podman": imageLeaks, "nerdctl": imageLeaks, "buildah": imageLeaks,
	"consul": tellsFiles, "vault": tellsFiles, "bao": tellsFiles, "kubectl": tellsFiles, "oc": tellsFiles, "nomad": tellsFiles,
	"helm": registryLogin, "skopeo": registryLogin, "crane": registryLogin, "regctl": registryLogin,
	"pip": asksRegistry, "pip3": asksRegistry, "uv": asksRegistry, "npm": asksRegistry, "pnpm": asksRegistry, "yarn": asksRegistry, "bun": asksRegistry, "gem": asksRegistry, "cargo": asksRegistry, "go": asksRegistry, "composer": asksRegistry,
	"gh-pages": publishesDirectory, "surge": publishesDirectory, "netlify": publishesDirectory, "ntl": publishesDirectory, "vercel": publishesDirectory, "vc": publishesDirectory, "wrangler": publishesDirectory, "firebase": publishesDirectory,
}

// bakedVariable is how is noted what was put into an image.
const bakedVariable = "image holds"

// imageLeaks are contents that are put into an image or a container, and images
// that are given away then.
func imageLeaks(a *invocation.Act) {
	if a.Sub == "login" {
		registryLogin(a)
		return
	}
	switch {
	case slices.Contains(a.Args, "build"):
		bakes(a)
		fallthrough
	case a.Sub == "commit", a.Sub == "run", a.Sub == "exec":
		for _, source := range follow.ContentsGiven(a) {
			a.Add(effect.Effect{Verb: effect.SetVariable, Object: bakedVariable, From: source})
		}
	case slices.Contains(a.Args, "cp"):
		for _, p := range a.Operands() {
			if invocation.MayBePrivate(p) && !strings.Contains(p, ":") {
				a.Add(effect.Effect{Verb: effect.SetVariable, Object: bakedVariable, From: a.Path(p)})
			}
		}
	}
	if slices.Contains(a.Args, "push") || slices.Contains(a.Args, "--push") {
		for _, e := range a.R.Reading.Effects {
			if e.Verb == effect.SetVariable && e.Object == bakedVariable {
				a.Add(effect.Effect{Verb: effect.Send, Object: "registry", From: e.From, Wide: e.Wide})
			}
		}
	}
}

// headers is what a request says of who asks.
type headers struct {
	text   string
	owners []string
	long   bool
}

// headersOf looks at the headers once, for however many hosts there are.
func headersOf(lines []string) headers {
	text := strings.Join(lines, "\n")
	h := headers{text: text[:min(len(text), invocation.MostHeaders)], long: len(text) > invocation.MostHeaders}
	h.owners = invocation.OwnersIn(h.text)
	return h
}

// tell reports whether a host is told a secret that is not for it.
func (h *headers) tell(host string) bool {
	return h.long && !invocation.IsInside(host) || invocation.IsTold(h.owners, host) || len(strangeVariables(h.text, host)) > 0
}

// strangeVariables are the secrets of vendors in a text that says who asks, where
// those who are asked are others.
func strangeVariables(text, host string) []string {
	var found []string
	for _, name := range invocation.VariablesIn(text) {
		if invocation.IsSecretOf(name) && fileops.IsStrange(name, host) {
			found = invocation.With(found, "$"+name)
		}
	}
	return found
}

// namesVariables is printenv NAME.
func namesVariables(a *invocation.Act, in *command.Reading) {
	for _, name := range follow.Few(a, in.Values("name")) {
		if fileops.RevealsVariable(a, name); invocation.IsConnectionName(name) {
			a.Looks(false, a.R.Sourced...)
			a.R.Heard = invocation.Merge(a.R.Heard, a.R.Sourced)
		}
	}
}

// signedFile is gpg --verify SIGNATURE FILE.
func signedFile(a *invocation.Act, operands []string) {
	switch len(operands) {
	case 1:
		if name := strings.TrimSuffix(strings.TrimSuffix(operands[0], ".asc"), ".sig"); name != operands[0] {
			fileops.Verify(a, name)
		}
	case 2:
		fileops.Verify(a, operands[1])
	}
}
