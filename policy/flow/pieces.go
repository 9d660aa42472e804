package flow

import (
	"slices"
	"strings"
)

// maxPieces is how many parts of an argument are looked at.
const maxPieces = 64

// piecesOf are the parts of a normal text that say something by themselves: the
// addresses, hosts and mail addresses in it, or the path that it is.
func piecesOf(text string) []string {
	var all []string
	for token := range strings.FieldsFuncSeq(text, isBetween) {
		if len(all) >= maxPieces {
			break
		}
		switch {
		case strings.Contains(token, "://"):
			_, rest, _ := strings.Cut(token, "://")
			all = address(all, rest)
		case strings.IndexByte(token, '@') > 0:
			local, host, _ := strings.Cut(token, "@")
			host, _, _ = strings.Cut(host, ":") // scp
			if host = strings.Trim(host, "./-"); isHost(host, true) {
				all = append(all, local+"@"+host, host)
			}
		default:
			host, rest := token, ""
			if i := strings.IndexAny(token, "/:?#"); i >= 0 {
				host, rest = token[:i], token[i:]
			}
			if isHost(strings.Trim(host, ".-"), token == text) {
				all = address(all, host+rest)
			}
		}
	}
	if isPath(text) {
		all = append(all, text)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// isBetween reports whether a character stands between words of an argument.
func isBetween(r rune) bool { return strings.ContainsRune(" ,;()[]{}<>|=", r) }

// address adds an address without its scheme: its host, or, on a host that
// everybody uses, what is meant there.
func address(all []string, rest string) []string {
	rest = rest[:strings.IndexAny(rest+"?", "?#")]
	rest = strings.TrimRight(rest, "/.")
	host, way, _ := strings.Cut(rest, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	name, _, _ := strings.Cut(host, ":")
	if name == "" || isLocal(name) || !isHost(name, true) {
		return all
	}
	if !isCommon(name) {
		return append(all, name)
	}
	// The owner and the project, the package, the channel.
	if way == "" {
		return all
	}
	parts := strings.SplitN(way, "/", 3)
	return append(all, host+"/"+strings.Join(parts[:min(len(parts), 2)], "/"))
}

// isAddress reports whether a text is one address and nothing else. Where it
// leads is what counts of it, not how it is written.
func isAddress(text string) bool {
	return !strings.Contains(text, " ") && (strings.Contains(text, "://") || strings.IndexByte(text, '@') > 0)
}

// commonHosts are used by everybody, so that their names say nothing.
var commonHosts = set("github.com api.github.com raw.githubusercontent.com gist.github.com gitlab.com bitbucket.org pypi.org files.pythonhosted.org registry.npmjs.org npmjs.com www.npmjs.com unpkg.com " +
	"cdn.jsdelivr.net crates.io static.crates.io proxy.golang.org pkg.go.dev go.dev golang.org rubygems.org hub.docker.com docker.io registry-1.docker.io ghcr.io quay.io gcr.io " +
	"deb.debian.org archive.ubuntu.com dl.google.com storage.googleapis.com s3.amazonaws.com hooks.slack.com slack.com api.slack.com discord.com google.com www.google.com docs.google.com " +
	"huggingface.co stackoverflow.com en.wikipedia.org repo1.maven.org maven.org example.com example.org")

func isCommon(host string) bool { return commonHosts[host] }

// hostEnds are how hosts end that stand in a text without saying that they are
// hosts. Others could as well be names of files.
var hostEnds = set("com net org io dev app xyz info site online top ru cn me co ai cloud biz to cc ws uk de fr nl eu us tk pw link live fun tech space")

// fileEnds are how files end that look like hosts.
var fileEnds = set("go js ts jsx tsx py rb rs java kt c h cc cpp hpp cs php sh bash md txt json yaml yml toml xml html css scss sql lock mod sum log csv ini cfg conf env png jpg svg pdf zip gz tar exe dll so a o")

// isHost reports whether a word is the name or number of a machine. alone: it is
// all that there is, so that it may be one of an unusual sort.
func isHost(word string, alone bool) bool {
	if len(word) < 4 || len(word) > 253 || isLocal(word) {
		return false
	}
	dots, digits := 0, 0
	for i := range len(word) {
		switch c := word[i]; {
		case c == '.':
			if i == 0 || word[i-1] == '.' {
				return false
			}
			dots++
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c && c <= 'z', c == '-', c == '_', c >= 0x80:
		default:
			return false
		}
	}
	if dots == 0 {
		return false
	}
	end := word[strings.LastIndexByte(word, '.')+1:]
	switch {
	case digits+dots == len(word):
		return dots == 3
	case hostEnds[end]:
		return true
	}
	return alone && len(end) >= 2 && !fileEnds[end] && strings.Trim(end, "abcdefghijklmnopqrstuvwxyz") == ""
}

// isPath reports whether a text is a path that says something by itself.
func isPath(text string) bool {
	return len(text) >= 12 && len(text) < minText && (strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~/")) && strings.Count(text, "/") >= 2 && !strings.Contains(text, " ")
}
