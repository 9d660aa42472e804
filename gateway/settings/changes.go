package settings

// Changes returns the paths of the keys whose values differ from those of other
// settings, in the order of the documentation; keys.NAME for clients. Where a
// value comes from does not count.
func (s *Settings) Changes(other *Settings) []string {
	before, now := s.Entries(), other.Entries()
	said := make(map[string]string, len(now))
	for _, e := range now {
		said[e.Path] = e.Value
	}
	var paths []string
	known := make(map[string]bool, len(before))
	for _, e := range before {
		known[e.Path] = true
		if value, ok := said[e.Path]; !ok && e.Path != "keys" || ok && value != e.Value || s.secretOf(e.Path) != other.secretOf(e.Path) {
			paths = append(paths, e.Path)
		}
	}
	for _, e := range now {
		if !known[e.Path] && e.Path != "keys" { // that is their absence
			paths = append(paths, e.Path)
		}
	}
	return paths
}

// secretOf returns the secret that a key refers to by name.
func (s *Settings) secretOf(path string) string {
	if path == "admin.token_env" && s.Admin.TokenEnv != "" || path == "admin.token_file" && s.Admin.TokenFile != "" {
		return s.Admin.Token.Reveal()
	}
	for _, p := range providers {
		if path == "upstreams."+p.name+".key_env" {
			return p.field(s).Key.Reveal()
		}
	}
	return ""
}
