package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/internal/words"
)

// Key is a client's key. Only its hash is stored, so that it can be recognised
// but not revealed.
type Key struct {
	// Name tells people whose it is; it is unique.
	Name string
	// SHA256 is the hash of the whole key, "slk_" included; it is unique.
	SHA256 [sha256.Size]byte
	// User and Groups are for policies.
	User   string
	Groups []string
	// Roles are the names of what it may be used for: send, read, approve, admin.
	// None means send.
	Roles []string
}

// NeedsKeys reports whether requests need a key: some are configured, or were issued,
// even if all of them have been revoked.
func (s *Settings) NeedsKeys() bool {
	return len(s.Keys) > 0 || s.IssuedKeys != "" && isDir(s.IssuedKeys)
}

// roleNames are what a key may be used for.
var roleNames = []string{"send", "read", "approve", "admin"}

// Fingerprint is the beginning of the hash, for people to tell keys apart.
func (k Key) Fingerprint() string { return hex.EncodeToString(k.SHA256[:4]) }

const (
	// makeKey is a command that makes a key with what every Unix has.
	makeKey  = `echo "slk_$(head -c 24 /dev/urandom | base64 | tr '+/' '-_')"`
	mostKeys = 10_000
)

var (
	keyPattern  = regexp.MustCompile(`^slk_[A-Za-z0-9_-]{20,252}$`)
	namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.@-]{0,99}$`)
	hashPattern = regexp.MustCompile(`^[0-9A-Fa-f]{64}$`)
)

// keys collects keys and refuses duplicates.
type keys struct {
	*loading
	list  []Key
	names map[string]origin
	known map[[sha256.Size]byte]origin
}

// readKeys reads the key `keys`, from the file or from SLUICE_KEYS.
func readKeys(l *loading, _ *key, g given) bool {
	before := len(l.problems)
	ks := keys{loading: l, names: make(map[string]origin), known: make(map[[sha256.Size]byte]origin)}
	switch {
	case g.node == nil:
		for _, v := range g.values {
			ks.fromVariable(v)
		}
	case g.node.Kind != yaml.SequenceNode:
		l.problemf(g.from, "begin each key with `- name: `", "keys is %s, not a list", describe(g.node))
	case len(g.node.Content) > mostKeys:
		l.problemf(g.from, "", "there are more than %d keys", mostKeys)
	default:
		for _, n := range g.node.Content {
			ks.fromFile(g.file, n)
		}
	}
	l.settings.Keys = ks.list
	return len(l.problems) == before
}

// fromVariable reads NAME=KEY.
func (ks *keys) fromVariable(v value) {
	name, text, ok := strings.Cut(v.text, "=")
	if !ok {
		ks.problemf(v.from, "write NAME=KEY, and a comma before the next", "a key has no name")
		return
	}
	if hash, ok := ks.hash(v.from, text); ok {
		ks.add(v.from, Key{Name: name, SHA256: hash})
	}
}

// fromFile reads {name, key | key_env | sha256, user, groups, roles}.
func (ks *keys) fromFile(f *source, n *yaml.Node) {
	where := f.at(n)
	members := f.members(n, "a key", []string{"name", "key", "key_env", "sha256", "user", "groups", "roles"})
	if members == nil {
		return
	}
	text := func(name string) (string, origin) {
		m, ok := members[name]
		if !ok {
			return "", where
		}
		s, _ := f.scalar(m, name+" of a key")
		return s, f.at(m)
	}
	k := Key{}
	k.Name, _ = text("name")
	k.User, _ = text("user")
	if m, ok := members["groups"]; ok {
		for _, v := range f.scalars(m, "groups of a key") {
			k.Groups = append(k.Groups, v.text)
		}
	}
	if m, ok := members["roles"]; ok {
		for _, v := range f.scalars(m, "roles of a key") {
			if !slices.Contains(roleNames, v.text) {
				ks.problemf(v.from, words.Suggest(v.text, roleNames), "a key has the role %s, which does not exist", quote(v.text))
				return
			}
			k.Roles = append(k.Roles, v.text)
		}
	}
	said := 0
	for _, name := range []string{"key", "key_env", "sha256"} {
		if _, ok := members[name]; ok {
			said++
		}
	}
	if said != 1 {
		ks.problemf(where, "write one of key, key_env and sha256; make a key with "+makeKey, "a key has %d of key, key_env and sha256", said)
		return
	}
	if _, ok := members["name"]; !ok {
		ks.problemf(where, "add `name:`, so that people can tell whose it is", "a key has no name")
		return
	}
	var ok bool
	if secret, from := text("key"); secret != "" {
		ks.literal = true
		k.SHA256, ok = ks.hash(from, secret)
	} else if variable, from := text("key_env"); variable != "" {
		ks.settings.secrets = append(ks.settings.secrets, variable)
		if secret, found := ks.variable(from, "key_env of a key", variable); found {
			k.SHA256, ok = ks.hash(from, secret)
		}
	} else if sum, from := text("sha256"); sum != "" {
		if ok = hashPattern.MatchString(sum); !ok {
			ks.problemf(from, "write the 64 hexadecimal digits of: printf %s KEY | sha256sum", "sha256 of a key is not a SHA-256")
		} else if _, err := hex.Decode(k.SHA256[:], []byte(sum)); err != nil {
			ok = false
		}
	} else {
		ks.problemf(where, "write one, or remove the key", "a key is empty")
	}
	if ok {
		ks.add(where, k)
	}
}

// hash checks the form of a key, which keeps short and guessable ones out, and
// returns its hash.
func (ks *keys) hash(from origin, text string) ([sha256.Size]byte, bool) {
	if !keyPattern.MatchString(text) {
		ks.problemf(from, "make one with "+makeKey, "a key is not slk_ and at least 20 letters, digits, - and _")
		return [sha256.Size]byte{}, false
	}
	return sha256.Sum256([]byte(text)), true
}

func (ks *keys) add(from origin, k Key) {
	if !namePattern.MatchString(k.Name) {
		ks.problemf(from, "use up to 100 letters, digits, - _ . and @", "a key has the name %s", quote(k.Name))
		return
	}
	if first, twice := ks.names[k.Name]; twice {
		ks.problemf(from, "give it a name of its own", "a key has the name %s, which %s has already", quote(k.Name), first)
		return
	}
	if first, twice := ks.known[k.SHA256]; twice {
		ks.problemf(from, "remove one of them", "the key %s is the same as that of %s", quote(k.Name), first)
		return
	}
	ks.names[k.Name], ks.known[k.SHA256] = from, from
	ks.settings.origins["keys."+k.Name] = from
	ks.list = append(ks.list, k)
}
