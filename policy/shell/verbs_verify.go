package shell

import (
	"path"
	"strings"
)

// verifyVerbs are programs that fail if a file is not what somebody says it is.
var verifyVerbs = map[string]verb{
	"sha256sum": checksum, "sha384sum": checksum, "sha512sum": checksum, "gsha256sum": checksum, "gsha512sum": checksum, "shasum": checksum, "b2sum": checksum,
	"cosign": signature, "minisign": signature,
}

// verified is a path of which a fact is sure, with what was known of the file
// before it was checked.
type verified struct {
	path   string
	fact   fact
	before *File
}

// checksum is sha256sum -c: what is run behind it with && is what the sums say.
func checksum(a *act) {
	if !a.Has("c") && !a.Has("--check") || a.Is("shasum") && a.Flag("a") != "256" && a.Flag("a") != "512" && a.Flag("a") != "384" {
		return
	}
	lists := a.Operands("a")
	if len(lists) == 0 || lists[0] == "-" {
		if a.in.known {
			a.sums(a.in.text)
		}
		return
	}
	for _, list := range lists {
		switch f := a.r.file(a.path(list)); {
		case f == nil:
		case f.Known:
			a.sums(f.Content)
		case f.Remote != "":
			a.sumsBeside(list, f.Remote)
		}
	}
}

// sums reads a list of sums: what they are of is verified.
func (a *act) sums(list string) {
	if !a.r.pay(len(list)) {
		return
	}
	for text := range strings.Lines(list) {
		sum, name, ok := strings.Cut(strings.TrimSpace(text), " ")
		if ok && len(sum) >= 64 && strings.Trim(strings.ToLower(sum), "0123456789abcdef") == "" {
			a.verify(strings.TrimPrefix(strings.TrimLeft(name, " "), "*"))
		}
	}
}

// sumsBeside is sums for a list that was fetched: it is of what lies beside it,
// here and there.
func (a *act) sumsBeside(list, from string) {
	name := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(list, ".sha256"), ".sha256sum"), ".sha512"), ".sha512sum")
	if name == list {
		return
	}
	if f := a.r.file(a.path(name)); f != nil && path.Dir(f.Remote) == path.Dir(from) {
		a.verify(name)
	}
}

// signature is cosign verify-blob and minisign -V.
func signature(a *act) {
	if a.Is("minisign") {
		if a.Has("V") {
			a.verify(a.Flag("m"))
		}
		return
	}
	if a.Sub == "verify-blob" || a.Sub == "verify-blob-attestation" {
		a.verify(lastOf(a.Args))
	}
}

// signedFile is gpg --verify SIGNATURE FILE.
func (a *act) signedFile(operands []string) {
	switch len(operands) {
	case 1:
		if name := strings.TrimSuffix(strings.TrimSuffix(operands[0], ".asc"), ".sig"); name != operands[0] {
			a.verify(name)
		}
	case 2:
		a.verify(operands[1])
	}
}

// verify takes a release that was fetched for what it says it is, until the
// commands end that run only if it is.
func (a *act) verify(name string) {
	if name == "" || unknown(name) || a.guess || a.Depth > 0 || a.More || a.Remote || len(a.r.verified) >= mostVerified {
		return
	}
	p := a.path(name)
	f := a.r.file(p)
	if f == nil || f.Content != "" || !isRelease(f.Remote) {
		return
	}
	if a.r.wrote == nil {
		a.r.wrote = map[string]*File{}
	}
	a.r.verified = append(a.r.verified, verified{path: p, before: f})
	now := *f
	now.Remote = ""
	a.r.wrote[p] = &now
}

// mostVerified is of how many paths something is sure at a time.
const mostVerified = 16

// doubtAgain takes back what was sure since there were so many: what follows runs
// also if it is not so.
func (r *reader) doubtAgain(n int) {
	for i := len(r.verified) - 1; i >= n; i-- {
		v := &r.verified[i]
		if v.fact != checked {
			continue
		}
		if now := r.wrote[v.path]; now != nil && now.Remote == "" {
			r.wrote[v.path] = v.before
		}
	}
	if len(r.verified) > n {
		r.verified = r.verified[:n]
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
	return releaseHosts[host]
}

var releaseHosts = valued(`kind.sigs.k8s.io dl.k8s.io get.helm.sh releases.hashicorp.com go.dev dl.google.com nodejs.org static.rust-lang.org download.docker.com dl.min.io awscli.amazonaws.com
	binaries.cockroachdb.com dl.dagger.io get.pulumi.com downloads.apache.org archive.apache.org repo1.maven.org services.gradle.org ziglang.org downloads.python.org www.python.org cdn.teleport.dev artifacts.elastic.co fastdl.mongodb.org
	get.k3s.io dl.deno.land downloads.haskell.org www.php.net getcomposer.org julialang-s3.julialang.org dl.influxdata.com dl.grafana.com`)
