package flow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// left notes where a call leaves its shell, if that is not in the project.
func (f *files) left(c *call.Call, at effect.Place) {
	was := f.file(call.LeftFile)
	from := at.Cwd
	if was != nil && was.Content != "" {
		from = was.Content
	}
	dir, moves := c.Left(from)
	switch {
	case !moves:
	case dir == at.Cwd, at.Cwd != "" && within(dir, at.Cwd), !effect.IsAbs(dir) && !strings.HasPrefix(dir, "~"):
		f.returned()
	default:
		f.set(call.LeftFile, invocation.File{Content: dir, Known: true})
	}
}

// returned notes that the shell is in the project.
func (f *files) returned() {
	if f.file(call.LeftFile) != nil {
		f.set(call.LeftFile, invocation.File{})
	}
}

// isReset reports whether a result ends with what Claude Code says when it takes its
// shell back to the project, as it does after each call that leaves it.
func isReset(client, result, cwd string) bool {
	const says = "Shell cwd was reset to "
	if client != "claude-code" || cwd == "" {
		return false
	}
	return strings.HasSuffix(strings.TrimRight(result, " \t\r\n"), says+cwd)
}
