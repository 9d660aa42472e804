package call

import (
	"slices"
	"strings"
)

// engines are programs and servers that run containers.
var engines = set("docker podman container containers nerdctl containerd dockerhub portainer")

// maxMounts is how many mounts of a container are considered.
const maxMounts = 64

// containers reads the arguments of a tool that creates containers, as docker
// run would.
func (c *Call) containers(words, server []string, args arguments) {
	if !anyOf(words, engines) && !anyOf(server, engines) || !args.has("image", "imagename", "imagetag") {
		return
	}
	line := []string{"docker", "run"}
	for name, v := range args {
		if name == "hostconfig" || name == "hostoptions" {
			if inner, ok := v.(map[string]any); ok {
				args.take(inner)
			}
			break
		}
	}
	for _, m := range args.mounts() {
		line = append(line, "-v", m)
	}
	if args.set("privileged") {
		line = append(line, "--privileged")
	}
	for _, mode := range []struct{ flag, short, long string }{{"--pid", "pid", "pidmode"}, {"--userns", "userns", "usernsmode"}, {"--ipc", "ipc", "ipcmode"}} {
		if v := args.first(mode.short, mode.long); v != "" {
			line = append(line, mode.flag, v)
		}
	}
	for _, list := range []struct{ flag, name string }{{"--cap-add", "capadd"}, {"--security-opt", "securityopt"}, {"--device", "devices"}} {
		for _, v := range textsOf(args[list.name]) {
			line = append(line, list.flag, v)
		}
	}
	line = append(line, args.first("image", "imagename", "imagetag"))
	switch command := args["command"].(type) {
	case string:
		line = append(line, "sh", "-c", command)
	case []any:
		line = append(line, textsOf(command)...)
	}
	c.as(line...)
}

// mounts are the volumes of a container, as -v has them: a list of texts, a list
// of objects, or an object by what is mounted.
func (a arguments) mounts() []string {
	var list []string
	add := func(from, to string) {
		if from != "" && len(list) < maxMounts {
			list = append(list, from+":"+firstOf(to, "/mnt"))
		}
	}
	for _, name := range []string{"volumes", "volume", "binds", "bind", "mounts", "mount", "volumemounts", "bindmounts", "hostpaths"} {
		switch v := a[name].(type) {
		case string:
			for m := range strings.SplitSeq(v, ",") {
				from, to, _ := strings.Cut(strings.TrimSpace(m), ":")
				add(from, to)
			}
		case []any:
			for _, m := range v {
				switch m := m.(type) {
				case string:
					from, to, _ := strings.Cut(m, ":")
					add(from, to)
				case map[string]any:
					inner := make(arguments, len(m))
					inner.take(m)
					add(inner.first("source", "src", "hostpath", "host", "from", "hostdir"), inner.first("target", "destination", "dst", "dest", "containerpath", "container", "mountpath", "to", "bind"))
				}
			}
		case map[string]any:
			for _, key := range sortedKeys(v) {
				switch to := v[key].(type) {
				case string:
					add(key, to)
				case map[string]any:
					bind, _ := to["bind"].(string)
					add(key, bind)
				}
			}
		}
	}
	return list
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// textsOf are a text, or the texts in a list.
func textsOf(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var list []string
		for _, e := range v {
			if text, ok := e.(string); ok && len(list) < maxMounts {
				list = append(list, text)
			}
		}
		return list
	}
	return nil
}
