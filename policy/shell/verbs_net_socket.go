package shell

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

var netcatTakes = valued("e exec c sh-exec lua-exec p source-port s source w wait i interval q x X proxy proxy-type proxy-auth g G m max-conns o output O I T t-timeout V idle-timeout ssl-cert ssl-key ssl-trustfile")

// netcat connects its input and output, or a program, with another machine.
func netcat(a *act) {
	values := netcatTakes
	if a.Name == "nc" || a.Name == "netcat" {
		// The c of BSD's nc is TLS and has no value; that of others is a shell
		// command. Only the latter has a word before the host that is no host.
		if l := a.line(values); len(l.operands) < 2 && !l.has("l") {
			values = values.without("c")
		}
	}
	l := a.line(values)
	to := strings.Join(l.operands, ":")
	if len(l.operands) > 2 {
		to = strings.Join(l.operands[len(l.operands)-2:], ":")
	}
	program := l.value("e", "exec", "c", "sh-exec", "lua-exec")
	if l.has("l", "listen") {
		if port := l.value("p", "source-port"); port != "" {
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
	case l.has("z"):
		a.does(effect.Connect, to)
	default:
		a.talks(to)
	}
}

// without are the flags but some.
func (values takes) without(names ...string) takes {
	fewer := maps.Clone(values)
	for _, name := range names {
		delete(fewer, name)
	}
	return fewer
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
func socat(a *act) {
	l := cutLine(a.Args, valued("lf lp b t T L W x"), oneDash)
	var to, listens, program string
	var files []string
	for i, address := range l.operands {
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
			if containsAny(options, []string{"creat", "trunc", "append", "wronly", "excl"}) || slices.Contains(a.Args, "-u") && i > 0 || slices.Contains(a.Args, "-U") && i == 0 {
				a.writes(rest)
				continue
			}
			files = append(files, rest)
		case kind == "CREATE":
			a.writes(rest)
		case strings.HasPrefix(kind, "TCP"), strings.HasPrefix(kind, "UDP"), strings.HasPrefix(kind, "SSL"), strings.HasPrefix(kind, "OPENSSL"),
			strings.HasPrefix(kind, "SOCKS"), strings.HasPrefix(kind, "PROXY"), strings.HasPrefix(kind, "SCTP"), strings.HasPrefix(kind, "WS"):
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

func telnet(a *act) {
	if l := a.line(valued("l b e n S X")); len(l.operands) > 0 {
		a.talks(strings.Join(l.operands, ":"))
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
