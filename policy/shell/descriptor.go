package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// made gives a file of the shell's own, as it makes one for <(command), a name and
// remembers what can be read from it: whatever runs files runs this one too.
func (r *reader) made(v *value, out *flow) {
	name := "/dev/fd/" + strconv.Itoa(firstMade-r.mades)
	if r.mades < firstMade/2 {
		r.mades++
	}
	v.texts = literal(name).texts
	if r.wrote == nil {
		r.wrote = map[string]*File{}
	}
	if len(r.wrote) < mostFiles {
		r.wrote[name] = &File{Content: out.text, Known: out.known, Remote: out.remote}
	}
}

// coprocess reads a command that runs beside the shell, which reads what it prints
// by a descriptor, and writes by another one what nobody follows.
func (r *reader) coprocess(c *syntax.CoprocClause, in *flow) flow {
	stmt, named := *c.Stmt, c.Name != nil
	switch call, ok := stmt.Cmd.(*syntax.CallExpr); {
	case ok && len(call.Args) > 1 && isAssignment(call.Args[0].Lit()): // the parser takes a variable for the command
		stmt.Cmd = &syntax.CallExpr{Assigns: call.Assigns, Args: call.Args[1:]}
	case stmt.Cmd == nil && named: // and the command for its name
		stmt.Cmd, named = &syntax.CallExpr{Args: []*syntax.Word{c.Name}}, false
	}
	if call, ok := stmt.Cmd.(*syntax.CallExpr); ok && len(call.Args) == 1 && isShell(baseName(call.Args[0].Lit())) {
		in = &flow{piped: true, by: "coproc"}
	}
	out := r.stmt(&stmt, in)
	out.piped = true
	name := "COPROC"
	if named {
		if v := r.value(c.Name); len(v.texts) > 0 {
			name = v.texts[0].as
		}
	}
	number := strconv.Itoa(firstMade - r.mades)
	if r.mades < firstMade/2 {
		r.mades++
	}
	if r.scope.fds == nil {
		r.scope.fds = map[string]descriptor{}
	}
	if len(r.scope.fds) < mostNames {
		r.scope.fds[number] = descriptor{in: out}
		r.scope.set(name, literal(number))
	}
	return flow{}
}

// firstMade is the descriptor that shells begin with.
const firstMade = 63

// openFile is what is known of a file that stands for something that is open: the
// input, or another descriptor. It is nil for other files.
func (r *reader) openFile(p string) *File {
	var of *flow
	switch number, ok := descriptorOf(p); {
	case !ok:
		return nil
	case number == "0":
		of = &r.stdin
	default:
		d, ok := r.opened[number]
		if !ok {
			d, ok = r.scope.fds[number]
		}
		if !ok {
			return nil
		}
		of = &d.in
	}
	if !of.piped || !of.known && of.remote == "" {
		return nil
	}
	return &File{Content: of.text, Known: of.known, Remote: of.remote}
}

// openedFrom are the files that are read through the name of something that is open:
// exec 5<file; curl -T /dev/fd/5.
func (r *reader) openedFrom(p string) []string {
	number, ok := descriptorOf(p)
	if !ok {
		return nil
	}
	if number == "0" {
		return r.stdin.sources
	}
	d, ok := r.opened[number]
	if !ok {
		d = r.scope.fds[number]
	}
	return d.in.sources
}

// descriptorOf is the number in the name of an open file.
func descriptorOf(p string) (number string, ok bool) {
	if p == "/dev/stdin" {
		return "0", true
	}
	for _, dir := range [...]string{"/dev/fd/", "/proc/self/fd/", "/proc/$$/fd/", "/proc/thread-self/fd/"} {
		if number, ok = strings.CutPrefix(p, dir); ok {
			return number, isDigits(number)
		}
	}
	return "", false
}
