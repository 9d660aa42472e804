package script

import "strings"

// toShell is the text of an open file that a shell reads its commands from.
const toShell = "|"

// awaits reports whether a command is a shell that takes what it does from its
// input: sh, sudo bash -s.
func awaits(words []string) bool {
	for len(words) > 0 {
		switch words[0] {
		case "sudo", "doas", "env", "exec", "nohup", "command":
			words = words[1:]
			continue
		}
		break
	}
	if len(words) == 0 || !isShell(words[0]) {
		return false
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") || !strings.HasPrefix(w, "--") && strings.Contains(w, "c") {
			return false
		}
	}
	return true
}

// into notes what is written to the input of a shell. It reports false for what
// is none.
func (r *reader) into(f *value, texts ...value) bool {
	if f.form != isFile || f.text != toShell {
		return false
	}
	for _, v := range texts {
		if v.form == isList {
			v = r.joined(text("\n"), v)
		}
		if v.form == isString || v.remote() != "" || v.hidden() != "" {
			r.shell(v)
		}
	}
	return true
}
