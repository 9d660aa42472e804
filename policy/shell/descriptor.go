package shell

import (
	"strconv"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// made gives a file of the shell's own, as it makes one for <(command), a name and
// remembers what can be read from it: whatever runs files runs this one too.
func (r *reader) made(v *invocation.Value, out *invocation.Flow) {
	name := "/dev/fd/" + strconv.Itoa(firstMade-r.Mades)
	if r.Mades < firstMade/2 {
		r.Mades++
	}
	v.Texts = invocation.Literal(name).Texts
	if r.Wrote == nil {
		r.Wrote = map[string]*invocation.File{}
	}
	if len(r.Wrote) < invocation.MostFiles {
		r.Wrote[name] = &invocation.File{Content: out.Text, Known: out.Known, Remote: out.Remote}
	}
}

// coprocess reads a command that runs beside the shell, which reads what it prints
// by a descriptor, and writes by another one what nobody follows.
func (r *reader) coprocess(c *syntax.CoprocClause, in *invocation.Flow) invocation.Flow {
	stmt, named := *c.Stmt, c.Name != nil
	switch call, ok := stmt.Cmd.(*syntax.CallExpr); {
	case ok && len(call.Args) > 1 && invocation.IsAssignment(call.Args[0].Lit()): // the parser takes a variable for the command
		stmt.Cmd = &syntax.CallExpr{Assigns: call.Assigns, Args: call.Args[1:]}
	case stmt.Cmd == nil && named: // and the command for its name
		stmt.Cmd, named = &syntax.CallExpr{Args: []*syntax.Word{c.Name}}, false
	}
	if call, ok := stmt.Cmd.(*syntax.CallExpr); ok && len(call.Args) == 1 && follow.IsShell(invocation.BaseName(call.Args[0].Lit())) {
		in = &invocation.Flow{Piped: true, By: "coproc"}
	}
	out := r.stmt(&stmt, in)
	out.Piped = true
	name := "COPROC"
	if named {
		if v := r.value(c.Name); len(v.Texts) > 0 {
			name = v.Texts[0].As
		}
	}
	number := strconv.Itoa(firstMade - r.Mades)
	if r.Mades < firstMade/2 {
		r.Mades++
	}
	if r.Scope.Fds == nil {
		r.Scope.Fds = map[string]invocation.Descriptor{}
	}
	if len(r.Scope.Fds) < invocation.MostNames {
		r.Scope.Fds[number] = invocation.Descriptor{In: out}
		r.Scope.Set(name, invocation.Literal(number))
	}
	return invocation.Flow{}
}

// firstMade is the descriptor that shells begin with.
const firstMade = 63
