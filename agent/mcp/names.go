package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostOfName is the longest name that all providers allow.
const mostOfName = 64

// hashed is how many characters of a hash make a name unique.
const hashed = 10

// naming assigns the names that a model uses for tools.
type naming struct{ taken map[string]bool }

// name is the name of a tool: the server's name, the server's name for the tool,
// and a hash of it if that alone would not be legal or not unique.
func (n *naming) name(server *Server, tool string) string {
	full := tool
	if !server.Bare {
		full = server.Name + "__" + tool
	}
	name := full
	if legal(full) != full || full == "" || len(full) > mostOfName {
		name = withHash(full, server.Name, tool, 0)
	}
	for i := 1; n.taken[name]; i++ {
		name = withHash(full, server.Name, tool, i)
	}
	n.taken[name] = true
	return name
}

// withHash is a name of legal characters that ends in a hash.
func withHash(full, server, tool string, again int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", server, tool, again))
	const most = mostOfName - hashed - 1
	full = legal(full)
	return full[:min(len(full), most)] + "_" + hex.EncodeToString(sum[:])[:hashed]
}

// legal is a name with _ in place of every character that a provider may reject.
func legal(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, name)
}

// cleaned is text without characters that could mislead a terminal or a reader:
// control characters and invisible ones.
func cleaned(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// shortened is the beginning of a text of any length.
func shortened(s string, most int) string {
	if len(s) <= most {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return strings.ToValidUTF8(s[:most], "\uFFFD") + "…"
}
