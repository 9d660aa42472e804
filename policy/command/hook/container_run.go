package hook

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// containerRuns is docker run FLAGS IMAGE COMMAND: what of this machine is given to
// the container, and what the command does with it.
func containerRuns(a *invocation.Act, in *command.Reading) {
	first, commands := len(a.R.Reading.Effects), len(a.R.Reading.Commands)
	composeRuns(a, in)
	if isThrownAway(in) {
		dockerSpares(a, first, commands)
	}
}

// composeRuns is docker compose run: what the service has is in a file.
func composeRuns(a *invocation.Act, in *command.Reading) {
	mounts := hostMounts(a, in)
	containerGrants(a, in, mounts)
	containerCommand(a, in, mounts)
}

// hostMounts are the directories of this machine that a container is given.
func hostMounts(a *invocation.Act, in *command.Reading) []guard.HostMount {
	var mounts []guard.HostMount
	for _, v := range follow.Few(a, in.Values("volume")) {
		from, to, ok := strings.Cut(v, ":")
		if effect.IsWindows(v) && len(v) > 2 {
			from, to, ok = strings.Cut(v[2:], ":")
			from = v[:2] + from
		}
		if to, _, _ := strings.Cut(to, ":"); ok && guard.IsHostPath(from) {
			mounts = append(mounts, guard.HostMount{From: a.Path(from), To: path.Clean(to)})
		}
	}
	for _, m := range follow.Few(a, in.Values("mount")) {
		if mount, ok := guard.MountOf(a, m); ok {
			mounts = append(mounts, mount)
		}
	}
	return mounts
}

// asksImageRegistry notes the machine that keeps an image whose name says which that is. The
// usual one is not said.
func asksImageRegistry(a *invocation.Act, in *command.Reading) {
	for _, image := range follow.Few(a, in.Values("image")) {
		image = image[strings.LastIndex(image, "://")+1:]
		host, _, ok := strings.Cut(strings.TrimPrefix(image, "//"), "/")
		if ok && invocation.IsOutside(invocation.HostOf(host)) || strings.HasPrefix(image, "$") {
			a.Does(effect.Connect, host)
		}
	}
}

// containerCommand reads the command that runs in a container.
func containerCommand(a *invocation.Act, in *command.Reading, mounts []guard.HostMount) {
	images := in.Values("image")
	if len(images) == 0 {
		return
	}
	asksImageRegistry(a, in)
	image := images[len(images)-1]
	image, _, _ = strings.Cut(image[strings.LastIndexByte(image, '/')+1:], ":")
	words := in.Values("argv")
	if entry := in.Value("entrypoint"); entry != "" {
		words = append([]string{entry}, words...)
	} else if program := command.Builtin().Table("program-images")[image]; program != nil {
		words = slices.Concat(program, words)
	}
	if len(words) == 0 {
		return
	}
	if strings.HasPrefix(words[0], "-") { // they are for the program of the image
		if a.R.Set.Programs.Own(image) == nil {
			a.Doubt(invocation.Unseen)
			return
		}
		words = append([]string{image}, words...)
	}
	given := follow.Assignments(a, in.Values("env"))
	if len(mounts) == 0 {
		words = append(given, words...)
		a.Remotely(invocation.Quoted(words))
		return
	}
	if slices.ContainsFunc(words, isAgent) { // with the variables of the container
		a.Add(effect.Effect{Verb: effect.UnsetVariable, Kind: effect.Start, Object: "*"})
	}
	dir := in.Value("workdir")
	if dir == "" {
		dir = "/"
	}
	words = append(given, words...)
	text := make([]string, len(words))
	for i, word := range words {
		text[i] = onHost(word, mounts)
	}
	a.Script("cd " + invocation.Quote(onHost(dir, mounts)) + "; " + invocation.Quoted(text))
}

// isAgent reports whether a word is the name of an agent.
func isAgent(word string) bool {
	return slices.Contains(command.Builtin().Set("agents"), invocation.BaseName(word))
}

// isThrownAway reports whether a container that is run is gone afterwards with all
// that it could change: it has no files and no powers but its own.
func isThrownAway(in *command.Reading) bool {
	return in.Value("command") == "run" && in.Has("rm") && !slices.ContainsFunc(in.Options(), func(name string) bool { return !command.Builtin().In("container-own", name) })
}

// dockerSpares says of what was deleted in a container that is thrown away that it
// is nobody's, unless something in it may have reached out.
func dockerSpares(a *invocation.Act, first, commands int) {
	for i := commands; i < len(a.R.Reading.Commands); i++ {
		if !command.Builtin().In("inside-container", a.R.Reading.Commands[i].Name) {
			return
		}
	}
	for i := first; i < len(a.R.Reading.Effects); i++ {
		if e := &a.R.Reading.Effects[i]; e.Verb == effect.Delete && e.Remote {
			e.Scratch = true
		}
	}
}

// containerGrants notes what lets the container out of its box.
func containerGrants(a *invocation.Act, in *command.Reading, mounts []guard.HostMount) {
	isHost := func(s string) bool { return s == "host" }
	isAll := func(s string) bool {
		name := strings.TrimPrefix(strings.ToUpper(s), "CAP_")
		return name == "SYS_ADMIN" || name == "ALL"
	}
	if in.Has("privileged") || slices.ContainsFunc(in.Values("pid"), isHost) || slices.ContainsFunc(in.Values("userns"), isHost) || slices.ContainsFunc(in.Values("cap-add"), isAll) {
		a.Does(effect.Grant, "host")
	}
	for _, m := range mounts {
		switch {
		case strings.HasSuffix(m.From, ".sock") && guard.IsHostRoot(a, m.From):
			a.Does(effect.Grant, "host")
		case guard.IsHostRoot(a, m.From):
			a.Does(effect.Grant, "host files "+m.From)
		}
	}
	for _, device := range in.Values("device") {
		if strings.HasPrefix(device, "/dev/sd") || strings.HasPrefix(device, "/dev/nvme") || strings.HasPrefix(device, "/dev/mem") {
			a.Does(effect.Grant, "host")
		}
	}
}
