package call

import (
	"bytes"
	"sync"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// field is what a member of the arguments means, whatever tools call it.
type field uint8

const (
	noField field = iota
	fieldCommand
	fieldCommands
	fieldPath
	fieldPattern
	fieldURL
	fieldPrompt
	fieldPatch
	fieldDir
	fieldDirPath
	fieldEnv
	fieldContent
	fieldInput
	fieldCode
	fieldName
	fieldServer
	fieldArguments
	fieldCalls
	fieldRestart
	fieldNest
)

// fields are the members that matter, in lower case and without _ and -.
var fields = map[string]field{
	"command": fieldCommand, "cmd": fieldCommand, "commandline": fieldCommand, "script": fieldCommand, "shellcommand": fieldCommand,
	"commands": fieldCommands, "cmds": fieldCommands, "scripts": fieldCommands,
	"filepath": fieldPath, "path": fieldPath, "notebookpath": fieldPath, "absolutepath": fieldPath, "targetfile": fieldPath, "file": fieldPath,
	"filename": fieldPath, "dirpath": fieldDirPath, "directorypath": fieldPath, "paths": fieldPath, "files": fieldPath, "filepaths": fieldPath,
	"relativeworkspacepath": fieldPath, "oldpath": fieldPath, "newpath": fieldPath, "source": fieldPath, "destination": fieldPath,
	"src": fieldPath, "dst": fieldPath, "dest": fieldPath, "targetnotebook": fieldPath, "targetdirectory": fieldPath, "include": fieldPath, "moveto": fieldPath,
	"pattern": fieldPattern, "globpattern": fieldPattern,
	"url": fieldURL, "urls": fieldURL, "uri": fieldURL, "uris": fieldURL, "href": fieldURL, "link": fieldURL, "baseurl": fieldURL,
	"prompt": fieldPrompt, "query": fieldPrompt,
	"patch": fieldPatch, "patchtext": fieldPatch, "diff": fieldPatch,
	"workdir": fieldDir, "cwd": fieldDir, "workingdirectory": fieldDir, "directory": fieldDir, "dir": fieldDir, "cd": fieldDir, "workingdir": fieldDir,
	"env": fieldEnv, "environment": fieldEnv,
	"content": fieldContent, "contents": fieldContent, "newstring": fieldContent, "newstr": fieldContent, "filetext": fieldContent, "newsource": fieldContent,
	"inserttext": fieldContent, "codeedit": fieldContent,
	"input": fieldInput, "chars": fieldInput, "text": fieldInput,
	"code": fieldCode, "javascript": fieldCode,
	"name": fieldName, "tool": fieldName, "toolname": fieldName, "recipientname": fieldName, "function": fieldName,
	"server": fieldServer, "servername": fieldServer, "serverlabel": fieldServer,
	"arguments": fieldArguments, "args": fieldArguments, "parameters": fieldArguments, "params": fieldArguments, "toolinput": fieldArguments, "toolargs": fieldArguments,
	"toolcalls": fieldCalls, "tooluses": fieldCalls, "calls": fieldCalls, "invocations": fieldCalls,
	"restart": fieldRestart,
	"action":  fieldNest, "operation": fieldNest, "edits": fieldNest, "changes": fieldNest, "payload": fieldNest, "request": fieldNest, "options": fieldNest, "operations": fieldNest,
}

// fieldOf says what a member means. Readers that do not mind the case or the
// style of a name see what is read here too.
func fieldOf(key []byte) field {
	var b [24]byte
	n := 0
	for _, c := range key {
		if c == '_' || c == '-' {
			continue
		}
		if n == len(b) {
			return noField
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		b[n] = c
		n++
	}
	return fields[string(b[:n])]
}

// value is a member that matters.
type value struct {
	field field
	kind  jsonscan.Kind
	text  string   // of a string
	list  []string // strings of an array
	raw   []byte   // of anything else
}

// maxNest is how deep members are looked for in objects in the arguments.
const maxNest = 4

// members are the members that matter, in order.
type members []value

// few is room for the members that matter, of which most calls have no more. It
// goes from call to call.
type few [6]value

var rooms = sync.Pool{New: func() any { return new(few) }}

func newRoom() *few {
	room, ok := rooms.Get().(*few)
	if !ok {
		room = new(few)
	}
	return room
}

// give gives the room to another call, with nothing of this one in it.
func (room *few) give() {
	*room = few{}
	rooms.Put(room)
}

// scan collects the members of arguments that were found valid, in the room that
// it is given. text is the same as data.
func scan(room members, data []byte, text string) members {
	var s jsonscan.Scanner
	s.Reset(data)
	c := collector{text: text, found: room}
	c.object(&s, 0)
	return c.found
}

// collector walks arguments.
type collector struct {
	text  string // the arguments
	found members
}

// str reads a string. One without escapes is a part of the arguments.
func (c *collector) str(s *jsonscan.Scanner) string {
	start := s.Pos()
	raw := s.Raw()
	if len(raw) < 2 {
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return c.text[start+1 : start+len(raw)-1]
	}
	var room [512]byte
	text, _ := jsonscan.Unquote(room[:0], raw)
	return string(text)
}

func (c *collector) add(v value) { c.found = append(c.found, v) }

func (c *collector) object(s *jsonscan.Scanner, depth int) {
	if !s.Object() {
		s.Skip()
		return
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		f := fieldOf(key)
		if f == noField || depth >= maxNest {
			s.Skip()
			continue
		}
		c.value(s, f, depth)
	}
}

// value reads the value of a member. Objects in a list of files or edits, and
// those that only group members, count as if their members stood outside.
func (c *collector) value(s *jsonscan.Scanner, f field, depth int) {
	kind := s.Kind()
	switch {
	case f == fieldContent: // that there is some is all that matters
		s.Skip()
		c.add(value{field: f, kind: kind})
	case kind == jsonscan.String:
		c.add(value{field: f, kind: kind, text: c.str(s)})
	case kind == jsonscan.Object && (f == fieldNest || f == fieldPath || f == fieldCommand || f == fieldCommands):
		if f != fieldNest && f != fieldPath {
			c.add(value{field: f, kind: kind})
		}
		c.object(s, depth+1)
	case kind == jsonscan.Array && f != fieldCalls && f != fieldArguments:
		c.array(s, f, depth)
	default:
		c.add(value{field: f, kind: kind, raw: s.Raw()})
	}
}

// array reads a list: its strings as one value, what else is in it by itself.
func (c *collector) array(s *jsonscan.Scanner, f field, depth int) {
	at := len(c.found)
	c.add(value{field: f, kind: jsonscan.Array})
	var texts []string
	s.Array()
	for s.Elem() {
		switch s.Kind() {
		case jsonscan.String:
			texts = append(texts, c.str(s))
		case jsonscan.Object:
			c.object(s, depth+1)
		case jsonscan.Array:
			if depth >= maxNest {
				s.Skip()
				c.add(value{field: f, kind: jsonscan.Invalid})
				continue
			}
			if f == fieldCommands {
				f = fieldCommand // a list of argument lists
			}
			c.array(s, f, depth+1)
		default:
			s.Skip()
			c.add(value{field: f, kind: jsonscan.Invalid})
		}
	}
	c.found[at].list = texts
}

// text returns the first string of a field.
func (m members) text(f field) (string, bool) {
	for i := range m {
		if m[i].field == f && m[i].kind == jsonscan.String {
			return m[i].text, true
		}
	}
	return "", false
}

// has reports whether a field occurs.
func (m members) has(f field) bool {
	for i := range m {
		if m[i].field == f {
			return true
		}
	}
	return false
}
