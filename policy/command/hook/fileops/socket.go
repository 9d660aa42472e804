package fileops

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Netcat connects its input and output, or a program, with another machine.
func Netcat(a *invocation.Act, in *command.Reading) {
	words := in.Values("word")
	program := in.Value("runs")
	// The c of BSD's nc is TLS and has no value; that of others is a shell command.
	// Only the latter has a word before the host that is no host.
	if given := in.Value("shell"); given != "" {
		if in.Name != "nc" && in.Name != "netcat" || len(words) > 1 || in.Has("listen") {
			program = given
		} else {
			words = append([]string{given}, words...)
		}
	}
	to := strings.Join(words[max(0, len(words)-2):], ":")
	if in.Has("listen") {
		if port := in.Value("port"); port != "" {
			to = port
		}
		if program == "" {
			a.Does(effect.Listen, ":"+to)
			if a.In.Piped {
				a.SendsTo(":" + to)
			}
			return
		}
	}
	switch {
	case program != "":
		a.Does(effect.ReverseShell, to)
	case in.Has("z"):
		a.Add(effect.Effect{Verb: effect.Connect, Kind: effect.Probe, Object: to})
	default:
		Talks(a, to)
	}
}

// Talks notes a connection that carries the command's input, if there is any.
func Talks(a *invocation.Act, to string) {
	if a.In.Known {
		for text := range strings.Lines(a.In.Text[:min(len(a.In.Text), follow.MostStatement)]) {
			switch words := strings.Fields(text); {
			case len(words) == 0:
			case strings.EqualFold(words[0], "FLUSHALL"), strings.EqualFold(words[0], "FLUSHDB"):
				RedisCommand(a, words)
			case words[0] == "flush_all":
				a.Drops("cache")
			}
		}
	}
	if len(a.Sources()) > 0 || a.In.Piped && (!a.In.Known || strings.TrimSpace(a.In.Text) != "" && !isRequest(a.In.Text)) {
		a.SendsTo(to)
		return
	}
	a.Does(effect.Connect, to)
}

// isRequest reports whether a text is nothing but a question to a server.
func isRequest(text string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	switch word, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(first)), " "); word {
	case "GET", "HEAD", "QUIT", "Q", "PING", "STATS", "STAT", "INFO", "HELP", "RUOK", "EHLO", "HELO", "EXIT":
		return true
	}
	return false
}

// Socat joins two addresses, each a place or a program.
func Socat(a *invocation.Act, in *command.Reading) {
	var to, perhaps, listens, program string
	var files []string
	for i, address := range in.Values("address") {
		kind, rest, _ := strings.Cut(address, ":")
		rest, options, _ := strings.Cut(rest, ",")
		switch kind = strings.ToUpper(kind); {
		case kind == "EXEC", kind == "SYSTEM", kind == "SHELL":
			program = rest
		case strings.HasSuffix(kind, "-LISTEN"), strings.HasSuffix(kind, "-L"), strings.HasSuffix(kind, "-RECV"), strings.HasSuffix(kind, "-RECVFROM"):
			if !strings.HasPrefix(kind, "UNIX") && !strings.HasPrefix(kind, "ABSTRACT") {
				listens = ":" + rest
			}
		case kind == "FILE", kind == "OPEN", kind == "GOPEN":
			if invocation.ContainsAny(options, []string{"creat", "trunc", "append", "wronly", "excl"}) || in.Has("u") && i > 0 || in.Has("U") && i == 0 {
				a.WritesFiles(rest)
				continue
			}
			files = append(files, rest)
		case kind == "CREATE":
			a.WritesFiles(rest)
		case slices.ContainsFunc([]string{"TCP", "UDP", "SSL", "OPENSSL", "SOCKS", "PROXY", "SCTP", "WS"}, func(s string) bool { return strings.HasPrefix(kind, s) }):
			to = rest
		case strings.HasPrefix(kind, "/"), strings.HasPrefix(kind, "."):
			files = append(files, address)
		case invocation.MayBeElsewhere(address):
			perhaps = address
		}
	}
	if perhaps != "" && len(files) == 0 {
		a.Add(effect.Effect{Verb: effect.Connect, Object: perhaps, Guess: true})
	}
	for _, file := range files {
		a.MaySend(perhaps, file, false)
	}
	switch {
	case program != "" && (to != "" || listens != ""):
		a.Does(effect.ReverseShell, to+listens)
	case program != "":
		a.Script(program)
	case to != "" && len(files) > 0:
		a.SendsTo(to, files...)
	case listens != "":
		a.Does(effect.Listen, listens)
		for _, file := range files {
			a.Add(effect.Effect{Verb: effect.Send, Object: listens, From: a.Path(file)})
		}
	case to != "":
		Talks(a, to)
	default:
		follow.ReadsFiles(a, files...)
	}
}
