package file

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// version identifies what a policy does: its text, with the parameters and
// exceptions in force. Comments, layout, the order of keys, examples, the mode
// and the wording of notices are not part of it.
func (u *use) version() string {
	if u.hashed == "" {
		u.hashed = u.hash()
	}
	return u.hashed
}

// decides identifies what a policy decides: its version without what is only said to people
// and models.
func (u *use) decides() string { return u.hash("doc", "reason", "sees", "blind") }

// hash is that of what a policy does, without some of its keys.
func (u *use) hash(without ...string) string {
	h := sha256.New()
	node(h, u.node, append(without, "mode", "examples", "notice", "compare")...)
	if u.written {
		write(h, "compare", "written")
	}
	names := make([]string, 0, len(u.params))
	for name := range u.params {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		write(h, "param", name)
		parameter(h, u.params[name])
	}
	for _, x := range u.excepts {
		write(h, "except", x.when.Value)
	}
	for _, n := range u.programs {
		node(h, n)
	}
	if u.host != 0 {
		write(h, "on_error", u.host.String())
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// parameter writes the value of a parameter. Most are lists of texts, and presets have thousands of them.
func parameter(h hash.Hash, value any) {
	switch value := value.(type) {
	case string:
		write(h, "string", value)
	case []any:
		write(h, "list", strconv.Itoa(len(value)))
		for _, item := range value {
			parameter(h, item)
		}
	default:
		write(h, fmt.Sprintf("%T", value), fmt.Sprint(value))
	}
}

// node writes a tree unambiguously.
func node(h hash.Hash, n *yaml.Node, without ...string) {
	switch n.Kind {
	case yaml.MappingNode:
		type pair struct{ key, value *yaml.Node }
		pairs := make([]pair, 0, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !slices.Contains(without, n.Content[i].Value) {
				pairs = append(pairs, pair{n.Content[i], n.Content[i+1]})
			}
		}
		slices.SortFunc(pairs, func(a, b pair) int { return strings.Compare(a.key.Value, b.key.Value) })
		write(h, "mapping", strconv.Itoa(len(pairs)))
		for _, p := range pairs {
			node(h, p.key)
			node(h, p.value)
		}
	case yaml.SequenceNode:
		write(h, "list", strconv.Itoa(len(n.Content)))
		for _, item := range n.Content {
			node(h, item)
		}
	default:
		write(h, "value", n.ShortTag(), n.Value)
	}
}

// write writes parts prefixed with their lengths, so that they cannot run together.
func write(h hash.Hash, parts ...string) {
	var room [96]byte
	for _, part := range parts {
		text := append(strconv.AppendInt(room[:0], int64(len(part)), 10), ':')
		h.Write(append(text, part...))
	}
}
