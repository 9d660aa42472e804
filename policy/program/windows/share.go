package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// onDrive is a path with slashes without what names the provider or the device
// before it: \\?\C:\x, FileSystem::C:\x, and \\host\c$\x, which is a drive.
func onDrive(p string) string {
	if at := strings.Index(p, "::"); at > 0 && strings.HasSuffix(strings.ToLower(p[:at]), "filesystem") {
		p = p[at+2:]
	}
	for _, device := range []string{"//?/", "//./", "/?/"} {
		rest, ok := strings.CutPrefix(p, device)
		unc, shared := strings.CutPrefix(rest, "UNC/")
		if ok && !shared {
			return rest
		}
		if ok {
			p = "//" + unc
			break
		}
	}
	_, rest, _ := strings.Cut(strings.TrimPrefix(p, "//"), "/")
	if strings.HasPrefix(p, "//") && len(rest) >= 2 && isWord(rest[0]) && rest[1] == '$' && (len(rest) == 2 || rest[2] == '/') {
		return strings.ToUpper(rest[:1]) + ":/" + strings.TrimPrefix(rest[2:], "/")
	}
	return p
}

// share returns the address of a path on another machine: \\host\share\x.
func share(p string) (address string, ok bool) {
	p = strings.ReplaceAll(p, `\`, "/")
	if rest, ok := strings.CutPrefix(p, "//?/UNC/"); ok {
		p = "//" + rest
	}
	rest, ok := strings.CutPrefix(p, "//")
	if !ok {
		return "", false
	}
	host, dir, ok := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "@") // \\host@SSL\x is by HTTP
	switch strings.ToLower(host) {
	case "", "?", ".", "localhost", "127.0.0.1", "wsl$", "wsl.localhost", "tsclient":
		return "", false
	}
	return "smb://" + host + "/" + dir, ok && dir != ""
}

// mapped notes that a drive stands for a share: net use, subst, New-PSDrive.
func (r *reader) mapped(drive, to string) {
	if _, ok := share(to); !ok || len(r.drives) >= 64 {
		return
	}
	r.drives[strings.ToLower(strings.TrimSuffix(drive, ":"))] = to
}

// undriven is a path with the share that its drive stands for.
func (r *reader) undriven(p string) string {
	drive, rest, ok := strings.Cut(p, ":")
	if !ok || len(r.drives) == 0 {
		return p
	}
	if to := r.drives[strings.ToLower(drive)]; to != "" {
		return to + "/" + strings.TrimLeft(rest, `/\`)
	}
	return p
}

// keep remembers that what is at a path came from an address.
func (r *reader) keep(p, from string) {
	if from == "" || len(r.fetched) >= MaxEffects {
		return
	}
	r.fetched[p] = from
}

// cameFrom is the address that what is at a path came from, or the directory
// that it is in.
func (r *reader) cameFrom(p string) string {
	if address, ok := share(r.undriven(p)); ok {
		return address
	}
	if len(r.fetched) == 0 {
		return ""
	}
	p = r.path(p)
	for range MaxDepth {
		if from := r.fetched[p]; from != "" {
			return from
		}
		at := strings.LastIndexByte(p, '/')
		if at <= 0 {
			break
		}
		p = p[:at]
	}
	return ""
}

// loads notes that what is in a file runs: a library, a module, a package. It
// reports whether it came from elsewhere.
func (r *reader) loads(p string) bool {
	from := p
	if !strings.Contains(p, "://") {
		from = r.cameFrom(p)
	}
	switch from {
	case "":
		return false
	case Decoder:
		r.does(effect.RunHidden, from)
	default:
		r.does(effect.RunRemote, from)
	}
	return true
}

// web is an address as programs take it that fetch.
func web(address string) string {
	if address == "" || strings.Contains(address, "://") || strings.HasPrefix(address, "$") || strings.HasPrefix(address, "/") || !strings.ContainsAny(address, ".:") && address != "localhost" {
		return address
	}
	return "http://" + address
}

// tellsName notes that a name is looked up that was made from something: it is told.
func (r *reader) tellsName(v value) {
	if len(v.Sources()) > 0 {
		r.sends(shown(v), v)
	}
}

func (r *reader) moves(from, to value) {
	r.deletes(false, from)
	for _, p := range paths(from) {
		r.writes(to, readFrom(r.path(p)))
	}
}

func (r *reader) downloads(from, to value) {
	from = written(web(shown(from)), known(from)).MadeOf(from.Origin())
	r.does(effect.Fetch, shown(from))
	if len(from.Sources()) > 0 {
		r.sends(shown(from), from)
	}
	r.writes(to, fetched(shown(from)))
}
