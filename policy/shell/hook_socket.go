package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// netcat connects its input and output, or a program, with another machine.
func netcat(a *act, in *command.Reading) {
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
			a.does(effect.Listen, ":"+to)
			if a.in.piped {
				a.sendsTo(":" + to)
			}
			return
		}
	}
	switch {
	case program != "":
		a.does(effect.ReverseShell, to)
	case in.Has("z"):
		a.does(effect.Connect, to)
	default:
		a.talks(to)
	}
}

// talks notes a connection that carries the command's input, if there is any.
func (a *act) talks(to string) {
	if a.in.known {
		for text := range strings.Lines(a.in.text[:min(len(a.in.text), mostStatement)]) {
			switch words := strings.Fields(text); {
			case len(words) == 0:
			case strings.EqualFold(words[0], "FLUSHALL"), strings.EqualFold(words[0], "FLUSHDB"):
				a.redisCommand(words)
			case words[0] == "flush_all":
				a.drops("cache")
			}
		}
	}
	if len(a.sources()) > 0 || a.in.piped && (!a.in.known || strings.TrimSpace(a.in.text) != "" && !isRequest(a.in.text)) {
		a.sendsTo(to)
		return
	}
	a.does(effect.Connect, to)
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

// socat joins two addresses, each a place or a program.
func socat(a *act, in *command.Reading) {
	var to, listens, program string
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
			if containsAny(options, []string{"creat", "trunc", "append", "wronly", "excl"}) || in.Has("u") && i > 0 || in.Has("U") && i == 0 {
				a.writes(rest)
				continue
			}
			files = append(files, rest)
		case kind == "CREATE":
			a.writes(rest)
		case slices.ContainsFunc([]string{"TCP", "UDP", "SSL", "OPENSSL", "SOCKS", "PROXY", "SCTP", "WS"}, func(s string) bool { return strings.HasPrefix(kind, s) }):
			to = rest
		case strings.HasPrefix(kind, "/"), strings.HasPrefix(kind, "."):
			files = append(files, address)
		}
	}
	switch {
	case program != "" && (to != "" || listens != ""):
		a.does(effect.ReverseShell, to+listens)
	case program != "":
		a.script(program)
	case to != "" && len(files) > 0:
		a.sendsTo(to, files...)
	case listens != "":
		a.does(effect.Listen, listens)
		for _, file := range files {
			a.add(effect.Effect{Verb: effect.Send, Object: listens, From: a.path(file)})
		}
	case to != "":
		a.talks(to)
	default:
		a.reads(files...)
	}
}

// secureClient is openssl s_client and s_server; the rest of openssl works on
// files.
func secureClient(a *act) {
	l := cutLine(a.Args, valued("connect host port accept servername proxy cert key CAfile in out starttls"), oneDash)
	switch a.Sub {
	case "s_client":
		to := l.value("connect")
		if to == "" {
			to = l.operand(1)
		}
		a.talks(to)
	case "s_server":
		a.does(effect.Listen, l.value("accept", "port"))
	}
}
