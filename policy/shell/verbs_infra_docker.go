package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

var dockerTakes = valued(`H host c context config l log-level connection url n namespace f filter file format p project-name profile env-file project-directory t timeout time tag
	v volume mount name e env w workdir u user network net publish expose entrypoint label m memory cpus restart platform pid ipc uts userns cap-add cap-drop
	security-opt device add-host dns hostname h volumes-from a attach cidfile cpu-shares gpus group-add health-cmd init-path ip isolation link log-driver log-opt
	mac-address network-alias pull runtime shm-size stop-signal stop-timeout storage-opt sysctl tmpfs ulimit volume-driver workdir-path annotation cgroupns cgroup-parent secret ssh build-arg target output o s signal index`)

// dockerRunTakes: -t is a terminal there.
var dockerRunTakes = dockerTakes.without("t", "f", "n", "s", "o", "H")

// dockerPrograms are images that are one program.
var dockerPrograms = map[string]string{
	"aws-cli": "aws", "terraform": "terraform", "kubectl": "kubectl", "curl": "curl", "git": "git", "helm": "helm", "rclone": "rclone", "opentofu": "tofu", "mc": "mc", "wrangler": "wrangler",
}

// dockerFew are the flags with a value of commands on containers that are there.
var dockerFew = valued("filter t time timeout s signal format")

func docker(a *act) {
	// The flags of run end at the image: what follows is the container's.
	global := cutLine(a.Args, dockerTakes, firstEnds)
	words := global.operands
	if len(words) == 0 {
		return
	}
	if words[0] == "container" && len(words) > 1 {
		words = words[1:]
	}
	topic := words[0]
	switch topic {
	case "run", "create":
		first, commands := len(a.r.reading.Effects), len(a.r.reading.Commands)
		a.dockerRun(words[1:])
		if topic == "run" && isThrownAway(words[1:]) {
			a.dockerSpares(first, commands)
		}
		return
	case "compose":
		a.composeLine(words[1:])
		return
	}
	values := dockerFew
	if topic == "build" || topic == "buildx" || topic == "image" {
		values = dockerTakes
	}
	l := cutLine(words[1:], values, gnu)
	switch sub := l.operand(0); topic {
	case "volume":
		a.dockerVolumes(&l, sub)
	case "system", "builder", "buildx", "image", "network":
		switch {
		case topic == "system" && sub == "prune" && l.has("volumes"), sub == "reset":
			a.destroys("volumes", true)
		case topic == "network" && (sub == "rm" || sub == "remove"):
			a.destroys("network "+strings.Join(l.from(1), " "), false)
		case topic == "image" && (sub == "rm" || sub == "remove"):
			a.dockerEach("image ", l.from(1))
		case topic == "image" && sub == "push":
			a.publishes(l.operand(1))
		case topic == "buildx" && l.has("push"):
			a.publishes(l.value("t", "tag"))
		}
	case "rm", "remove", "kill", "stop", "pause":
		a.dockerEach("container ", l.operands)
		if host := a.dockerProduction(&global); host != "" && topic != "pause" {
			a.destroys("container "+strings.Join(l.operands, " ")+host, false)
		}
		if l.exact("v") || l.has("volumes") {
			a.destroys("volumes of containers", true)
		}
	case "rmi":
		a.dockerEach("image ", l.operands)
	case "push":
		a.publishes(sub)
	case "build":
		if l.has("push") {
			a.publishes(l.value("t", "tag"))
		}
		if strings.Contains(sub, "://") {
			a.does(effect.Fetch, sub)
		}
	case "cp":
		a.dockerCopies(sub, l.operand(1))
	case "swarm", "stack", "service", "secret", "node", "context":
		switch sub {
		case "leave", "rm", "remove":
			names := strings.Join(l.from(1), " ")
			all := topic == "service" && unknown(names) && strings.Contains(names, "service ls") && !strings.Contains(names, "filter") && !strings.Contains(names, "grep")
			a.destroys(topic+" "+names+a.dockerProduction(&global), topic == "stack" || topic == "swarm" || topic == "secret" || all)
		case "deploy", "update", "scale":
			a.applies(topic + " " + strings.Join(l.from(1), " "))
		}
	case "pod", "machine":
		if sub == "rm" || sub == "reset" {
			a.destroys(topic+" "+strings.Join(l.from(1), " "), topic == "machine" || l.has("a", "all"))
		}
	case "plugin":
		if sub == "install" {
			a.does(effect.Install, "docker plugin "+l.operand(1))
		}
	}
}

func (a *act) dockerVolumes(l *line, sub string) {
	switch sub {
	case "rm", "remove":
		for _, name := range l.from(1) {
			a.destroys("volume "+name, len(l.operands) != 2 || !a.ownVolume(name))
		}
		if len(l.operands) == 1 && (a.More || l.exact("a") || l.has("all")) {
			a.destroys("volumes", true)
		}
	case "prune":
		a.destroys("unused volumes", !a.hereOnly() || !labelledForTests(l.values("filter")))
	}
}

// labelledForTests reports whether filters leave nothing but what has a label that
// says that it is for tests.
func labelledForTests(filters []string) bool {
	for _, filter := range filters {
		label, ok := strings.CutPrefix(filter, "label=")
		if !ok || unknown(label) || strings.Contains(label, "example") || effect.PurposeOf(label) != effect.ForTests {
			return false
		}
		if _, value, given := strings.Cut(label, "="); given && value == "false" {
			return false
		}
	}
	return len(filters) > 0
}

// ownVolume reports whether a volume is one that a project on this machine can make
// again: compose names them after the project, shop_pgdata.
func (a *act) ownVolume(name string) bool {
	project, volume, ok := strings.Cut(name, "_")
	if !ok || project == "" || volume == "" || unknown(name) || strings.ContainsAny(name, "*?[{") || isProduction(name) || keepsForOthers(name) {
		return false
	}
	return a.hereOnly()
}

// hereOnly reports whether docker works on this machine, and on nothing but what the
// command names.
func (a *act) hereOnly() bool {
	if a.More || a.Remote {
		return false
	}
	for _, flag := range []string{"H", "host", "c", "context", "connection", "url", "r", "remote"} {
		if a.Has(flag) || a.Flag(flag) != "" {
			return false
		}
	}
	for _, variable := range []string{"DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST"} {
		if value, _ := a.variable(variable); value != "" {
			return false
		}
	}
	return true
}

// keepsForOthers reports whether a name says that what it names is kept for later,
// or that others use it.
func keepsForOthers(name string) bool {
	name = strings.ToLower(name)
	for _, word := range [...]string{"backup", "archive", "staging", "live", "master", "vault", "customer", "shared", "sluice"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

func (a *act) dockerEach(what string, names []string) {
	for _, name := range names {
		a.destroys(what+name, false)
	}
	if a.More && len(names) == 0 {
		a.destroys(what+"*", false)
	}
}

func (a *act) dockerCopies(from, to string) {
	switch {
	case strings.Contains(from, ":") && !strings.HasPrefix(from, "/"):
		a.add(effect.Effect{Verb: effect.Write, Object: a.path(to), From: from})
	default:
		a.reads(from)
		if _, file, ok := strings.Cut(to, ":"); ok && from == "/dev/null" {
			a.remotely("truncate -s 0 " + quote(file))
		}
	}
}

// compose is docker-compose and docker compose.
func compose(a *act) { a.composeLine(a.Args) }

func (a *act) composeLine(words []string) {
	// -v is a volume for run, but all volumes for down and rm.
	l := cutLine(words, dockerTakes.without("v", "t"), firstEnds)
	if len(l.operands) == 0 {
		return
	}
	rest := cutLine(l.operands[1:], composeTakes, gnu)
	scaled := cutLine(l.operands[1:], valued("scale"), gnu)
	for _, scale := range append(scaled.values("scale"), rest.operands...) {
		if service, count, ok := strings.Cut(scale, "="); ok && count == "0" {
			a.stops(service)
		}
	}
	switch l.operands[0] {
	case "stop", "pause":
		a.stops(rest.operands...)
	case "kill":
		a.kills(false, rest.operands...)
	case "down", "rm":
		for _, service := range rest.operands {
			a.destroys("container "+service, false)
		}
		if rest.exact("v") || rest.has("volumes") {
			a.destroys("volumes of the project"+a.composeProduction(&l), true)
		} else {
			a.destroys("containers", false)
		}
	case "run":
		a.dockerRun(l.operands[1:])
	case "push":
		a.publishes(strings.Join(rest.operands, " "))
	}
}

// composeTakes are the flags with a value behind the word.
var composeTakes = valued("filter t time timeout signal format rmi")

// composeProduction names the project, if something says that others use it.
func (a *act) composeProduction(l *line) string {
	names := append(l.values("f", "file", "p", "project-name", "env-file", "profile"), a.Flag("context"), a.fromEnvironment("COMPOSE_PROJECT_NAME", "COMPOSE_FILE", "DOCKER_CONTEXT", "DOCKER_HOST"))
	for _, name := range names {
		if isProduction(name) {
			return " in prod: " + name
		}
	}
	return ""
}

// dockerProduction names the machine that docker works on, if others use it.
func (a *act) dockerProduction(l *line) string {
	for _, name := range append(l.values("H", "host", "c", "context", "connection", "url"), a.fromEnvironment("DOCKER_HOST", "DOCKER_CONTEXT")) {
		if isProduction(name) {
			return " in prod: " + name
		}
	}
	return ""
}

// dockerRun reads docker run FLAGS IMAGE COMMAND: what of this machine is given
// to the container, and what the command does with it.
func (a *act) dockerRun(words []string) {
	l := cutLine(words, dockerRunTakes, firstEnds)
	var mounts []hostMount
	for _, v := range a.few(l.values("v", "volume")) {
		from, to, ok := strings.Cut(v, ":")
		if effect.IsWindows(v) && len(v) > 2 {
			from, to, ok = strings.Cut(v[2:], ":")
			from = v[:2] + from
		}
		if to, _, _ := strings.Cut(to, ":"); ok && isHostPath(from) {
			mounts = append(mounts, hostMount{a.path(from), path.Clean(to)})
		}
	}
	for _, m := range a.few(l.values("mount")) {
		if mount, ok := a.mountOf(m); ok {
			mounts = append(mounts, mount)
		}
	}
	a.dockerGrants(&l, mounts)
	if len(l.operands) == 0 {
		return
	}
	image, command := l.operands[0], l.operands[1:]
	image, _, _ = strings.Cut(image[strings.LastIndexByte(image, '/')+1:], ":")
	if entry := l.value("entrypoint"); entry != "" {
		command = append([]string{entry}, command...)
	} else if program := dockerPrograms[image]; program != "" {
		command = append([]string{program}, command...)
	}
	if len(command) == 0 {
		return
	}
	if len(mounts) == 0 {
		a.remotely(quoted(command))
		return
	}
	dir := l.value("w", "workdir")
	if dir == "" {
		dir = "/"
	}
	text := make([]string, len(command))
	for i, word := range command {
		text[i] = onHost(word, mounts)
	}
	a.script("cd " + quote(onHost(dir, mounts)) + "; " + quoted(text))
}

// dockerOwn are the flags of docker run that give a container nothing of the machine.
var dockerOwn = valued("rm i interactive t tty name e env w workdir u user platform pull entrypoint init q quiet hostname h")

// isThrownAway reports whether a container that is run is gone afterwards with all
// that it could change: it has no files and no powers but its own.
func isThrownAway(words []string) bool {
	l := cutLine(words, dockerRunTakes, firstEnds)
	for i := range l.flags {
		if !dockerOwn[l.flags[i].name] {
			return false
		}
	}
	return l.exact("rm")
}

// dockerSpares says of what was deleted in a container that is thrown away that it
// is nobody's, unless something in it may have reached out.
func (a *act) dockerSpares(first, commands int) {
	for i := commands; i < len(a.r.reading.Commands); i++ {
		if !insideBox[a.r.reading.Commands[i].Name] {
			return
		}
	}
	for i := first; i < len(a.r.reading.Effects); i++ {
		if e := &a.r.reading.Effects[i]; e.Verb == effect.Delete && e.Remote {
			e.Scratch = true
		}
	}
}

// insideBox are programs that work on the files of the container that they run in.
var insideBox = valued(`sh bash ash dash sudo rm find ls cat echo cd mkdir touch cp mv test [ true false set export apt-get apt apk dnf yum pip npm make which id whoami uname df du stat head tail grep sleep exit`)

// dockerGrants notes what lets the container out of its box.
func (a *act) dockerGrants(l *line, mounts []hostMount) {
	if l.has("privileged") || l.value("pid") == "host" || l.value("userns") == "host" || strings.Contains(strings.Join(l.values("cap-add"), " "), "SYS_ADMIN") || strings.EqualFold(l.value("cap-add"), "ALL") {
		a.does(effect.Grant, "host")
	}
	for _, m := range mounts {
		switch {
		case strings.HasSuffix(m.from, "docker.sock"), strings.HasSuffix(m.from, "containerd.sock"), strings.HasSuffix(m.from, "podman.sock"):
			a.does(effect.Grant, "host")
		case m.from == "/", m.from == a.at.Home, m.from == "~", m.from == "/etc", m.from == "/root", m.from == "/home", m.from == "/Users", m.from == "/var", m.from == "/usr", m.from == "/boot", m.from == "/proc", m.from == "/dev", m.from == "/sys":
			a.does(effect.Grant, "host files "+m.from)
		}
	}
	for _, device := range l.values("device") {
		if strings.HasPrefix(device, "/dev/sd") || strings.HasPrefix(device, "/dev/nvme") || strings.HasPrefix(device, "/dev/mem") {
			a.does(effect.Grant, "host")
		}
	}
}
