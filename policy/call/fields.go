package call

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// field is the role of a member of the arguments, whatever tools call it.
type field string

const (
	noField         field = ""
	fieldCommand    field = "command"
	fieldCommands   field = "commands"
	fieldPath       field = "path"
	fieldPattern    field = "pattern"
	fieldURL        field = "url"
	fieldPrompt     field = "prompt"
	fieldPatch      field = "patch"
	fieldDir        field = "dir"
	fieldDirPath    field = "dir-path"
	fieldEnv        field = "env"
	fieldContent    field = "content"
	fieldInput      field = "input"
	fieldCode       field = "code"
	fieldName       field = "name"
	fieldServer     field = "server"
	fieldArguments  field = "arguments"
	fieldCalls      field = "calls"
	fieldRestart    field = "restart"
	fieldNest       field = "group"
	fieldSQL        field = "sql"
	fieldMethod     field = "method"
	fieldBody       field = "body"
	fieldLanguage   field = "language"
	fieldSource     field = "source"     // a file that something is taken from
	fieldTarget     field = "target"     // a file that something is put into
	fieldFrom       field = "from"       // the same, where a tool moves files
	fieldTo         field = "to"         // the same
	fieldAttachment field = "attachment" // a file that is sent
	fieldShell      field = "shell"      // a shell, or what it is told
	fieldProgram    field = "program"    // a program, by its name
	fieldGlob       field = "glob"       // the names of the files that are searched
	fieldLookFor    field = "look-for"   // what contents are searched for
)

// fieldOf returns the role of a member. It also recognises names that
// case-insensitive or style-insensitive readers would accept.
func fieldOf(key []byte) field {
	var room [mostKey]byte
	folded := foldKey(room[:0], key)
	if f, ok := tables().fields[string(folded)]; ok {
		return f
	}
	// cli_command, remote_command, kubectl_command
	if bytes.HasSuffix(folded, []byte("command")) && !bytes.HasSuffix(folded, []byte("subcommand")) {
		return fieldCommand
	}
	// markdown_file_path, pathInProject
	if bytes.HasSuffix(folded, []byte("filepath")) || bytes.HasPrefix(folded, []byte("pathin")) {
		return fieldPath
	}
	return noField
}

// mostKey is the maximum length of a member's name that is considered.
const mostKey = 24

// foldKey is the name of a member without case, spaces and word separators,
// and with look-alike letters replaced. One that is too long is empty.
func foldKey(b, key []byte) []byte {
	if len(key) > 8*mostKey {
		return b[:0]
	}
	if slices.ContainsFunc(key, func(c byte) bool { return c >= utf8.RuneSelf || c < ' ' }) {
		key = []byte(clean(string(key)))
	}
	if b = fold(b[:0], key); len(b) > mostKey {
		return b[:0]
	}
	return b
}

func foldedKey(key string) string {
	var room [mostKey]byte
	return string(foldKey(room[:0], []byte(key)))
}
