package fileops

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/invocation"
)

// VerifySums is sha256sum -c: what is run behind it with && is what the sums say.
func VerifySums(a *invocation.Act, in *command.Reading) {
	lists := in.Values("path")
	if len(lists) == 0 || lists[0] == "-" {
		if a.In.Known {
			sums(a, a.In.Text)
		}
		return
	}
	for _, list := range lists {
		switch f := a.R.File(a.Path(list)); {
		case f == nil:
		case f.Known:
			sums(a, f.Content)
		case f.Remote != "":
			sumsBeside(a, list, f.Remote)
		}
	}
}

// sums reads a list of sums: what they are of is verified.
func sums(a *invocation.Act, list string) {
	if !a.R.Pay(len(list)) {
		return
	}
	for text := range strings.Lines(list) {
		sum, name, ok := strings.Cut(strings.TrimSpace(text), " ")
		if ok && len(sum) >= 64 && strings.Trim(strings.ToLower(sum), "0123456789abcdef") == "" {
			Verify(a, strings.TrimPrefix(strings.TrimLeft(name, " "), "*"))
		}
	}
}

// sumsBeside is sums for a list that was fetched: it is of what lies beside it,
// here and there.
func sumsBeside(a *invocation.Act, list, from string) {
	name := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(list, ".sha256"), ".sha256sum"), ".sha512"), ".sha512sum")
	if name == list {
		return
	}
	if f := a.R.File(a.Path(name)); f != nil && path.Dir(f.Remote) == path.Dir(from) {
		Verify(a, name)
	}
}

// Verify takes a release that was fetched for what it says it is, until the
// commands end that run only if it is.
func Verify(a *invocation.Act, name string) {
	if name == "" || invocation.Unknown(name) || a.Guess || a.Depth > 0 || a.More || a.Remote || len(a.R.Verified) >= MostVerified {
		return
	}
	p := a.Path(name)
	f := a.R.File(p)
	if f == nil || f.Content != "" || !isRelease(f.Remote) {
		return
	}
	if a.R.Wrote == nil {
		a.R.Wrote = map[string]*invocation.File{}
	}
	a.R.Verified = append(a.R.Verified, invocation.Verified{Path: p, Before: f})
	now := *f
	now.Remote = ""
	a.R.Wrote[p] = &now
}

// MostVerified is of how many paths something is sure at a time.
const MostVerified = 16

// DoubtAgain takes back what was sure since there were so many: what follows runs
// also if it is not so.
func DoubtAgain(r *invocation.Reader, n int) {
	for i := len(r.Verified) - 1; i >= n; i-- {
		v := &r.Verified[i]
		if v.Fact != invocation.Checked {
			continue
		}
		if now := r.Wrote[v.Path]; now != nil && now.Remote == "" {
			r.Wrote[v.Path] = v.Before
		}
	}
	if len(r.Verified) > n {
		r.Verified = r.Verified[:n]
	}
}

// isRelease reports whether an address is a version of a program where its makers
// put them.
func isRelease(address string) bool {
	rest, ok := strings.CutPrefix(address, "https://")
	if !ok {
		return false
	}
	host, file, _ := strings.Cut(rest, "/")
	if host == "github.com" || host == "gitlab.com" || host == "codeberg.org" {
		return strings.Contains(file, "/releases/")
	}
	return command.Builtin().In("release-hosts", host)
}
