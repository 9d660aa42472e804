package settings

import "strings"

// Entry describes one key of the configuration for people: its value, where
// that comes from, and how to change it.
type Entry struct {
	// Path names the key in the file, like limits.body. Each of the clients'
	// keys is an entry of its own, keys.NAME.
	Path string
	// Value is the value in force, as it would be written, lists with commas.
	// It is empty if there is none. Secrets are not shown: a client's key is
	// its fingerprint.
	Value string
	// Origin is "flag --NAME", the name of a variable, file:line, or "default".
	Origin string
	// Flag (without --) and Variable are other ways to set it, empty if there
	// are none.
	Flag, Variable string
	// Doc explains the key in half a line.
	Doc string
}

// Entries returns all keys in the order of the documentation. Where the
// settings were changed after Load, it shows the change and the old origin.
func (s *Settings) Entries() []Entry {
	var entries []Entry
	for _, k := range newCatalog() {
		e := Entry{Path: k.path, Origin: s.Origin(k.path), Flag: k.flag, Variable: k.variable, Doc: k.doc}
		if k.path != "keys" || len(s.Keys) == 0 {
			e.Value = k.show(s)
			entries = append(entries, e)
			continue
		}
		for _, client := range s.Keys {
			e.Path, e.Value = "keys."+client.Name, client.describe()
			if o, ok := s.origins[e.Path]; ok {
				e.Origin = o.String()
			}
			entries = append(entries, e)
		}
	}
	return entries
}

// Origin says where the value of a key comes from, as Entry.Origin does.
func (s *Settings) Origin(path string) string {
	if o, ok := s.origins[path]; ok {
		return o.String()
	}
	return byDefault.String()
}

func (k Key) describe() string {
	text := "fingerprint " + k.Fingerprint()
	if k.User != "" {
		text += ", user " + k.User
	}
	if len(k.Groups) > 0 {
		text += ", groups " + strings.Join(k.Groups, " ")
	}
	if len(k.Roles) > 0 {
		text += ", roles " + strings.Join(k.Roles, " ")
	}
	return text
}
