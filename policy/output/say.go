package output

import (
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// echo is what echo prints. It leans to reading escapes, as some shells do.
func echo(args []string) string {
	newline, escapes := "\n", false
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		if strings.Contains(args[0], "n") {
			newline = ""
		}
		escapes = escapes || strings.Contains(args[0], "e")
		args = args[1:]
	}
	s := strings.Join(args, " ")
	if escapes || strings.Contains(s, `\x`) || strings.Contains(s, `\0`) {
		s = follow.Ansi(s)
	}
	return s + newline
}

// printf is what printf prints, and what -v stores.
func printf(r *invocation.Reader, a *invocation.Act) (string, bool) {
	args := a.Args
	into := ""
	if len(args) > 1 && args[0] == "-v" {
		into, args = args[1], args[2:]
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return "", false
	}
	format, args := follow.Ansi(args[0]), args[1:]
	var b strings.Builder
	for round := 0; round == 0 || len(args) > 0 && round < 64 && strings.Contains(format, "%"); round++ {
		for i := 0; i < len(format); i++ {
			if format[i] != '%' {
				b.WriteByte(format[i])
				continue
			}
			end := i + 1
			for end < len(format) && strings.IndexByte("-+ #0123456789.*", format[end]) >= 0 {
				end++
			}
			if end == len(format) {
				break
			}
			arg := ""
			if format[end] != '%' && len(args) > 0 {
				arg, args = args[0], args[1:]
			}
			switch format[end] {
			case '%':
				b.WriteByte('%')
			case 'b':
				b.WriteString(follow.Ansi(arg))
			case 'c':
				b.WriteString(arg[:min(1, len(arg))])
			case 'x', 'o', 'd', 'i', 'u', 'X':
				n, err := strconv.ParseInt(strings.TrimLeft(arg, "'\""), 0, 64)
				if err != nil && len(arg) > 1 {
					n = int64(arg[1])
				}
				base := map[byte]int{'x': 16, 'X': 16, 'o': 8}[format[end]]
				b.WriteString(strconv.FormatInt(n, max(base, 10)))
				if base == 8 {
					return "", false
				}
			default:
				b.WriteString(arg)
			}
			i = end
			if b.Len() > invocation.MostKnown {
				return "", false
			}
		}
	}
	s := b.String()
	if into != "" {
		if guard.IsEnvironmentName(into) {
			a.Add(effect.Effect{Verb: effect.SetVariable, Object: into, From: s})
		}
		r.Scope.Set(into, invocation.Literal(s))
		return "", true
	}
	return s, true
}
