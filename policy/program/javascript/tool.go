package javascript

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// tool notes a call of one of the client's tools and reports whether the path
// leads to one.
func (e *evaluator) tool(path string, args []value) bool {
	var name string
	switch {
	case path == "codex.tool":
		if len(args) == 0 {
			return true
		}
		for _, a := range args[0].alternatives() {
			if t := e.toText(a); t.kind == text && !t.partial {
				name = t.text
			} else {
				e.doubt(Dynamic)
				name = ""
			}
			e.callTool(name, args[1:])
		}
		return true
	case path == "codex" || strings.HasPrefix(path, "codex."):
		return true
	case !strings.HasPrefix(path, "tools"):
		return false
	case path == "tools":
		e.doubt(Dynamic)
		return true
	case strings.HasPrefix(path, "tools."):
		name = path[len("tools."):]
	default:
		return false
	}
	if name == "?" || strings.HasSuffix(name, ".?") {
		name = ""
		e.doubt(Dynamic)
	}
	e.callTool(name, args)
	return true
}

// callTool notes a call with each of the arguments that it may have.
func (e *evaluator) callTool(name string, args []value) {
	if len(args) == 0 {
		e.noteCall(ToolCall{Tool: name, Arguments: "{}", Known: name != ""})
		return
	}
	most := 1
	for pick := 0; pick < most && pick < maxEither; pick++ {
		w := writer{e: e, pick: pick, most: 1}
		arg := args[0]
		if arg.kind == either {
			all := arg.alternatives()
			w.most = len(all)
			arg = all[pick%len(all)]
		}
		c := ToolCall{Tool: name, Known: name != ""}
		switch arg.kind {
		case text:
			c.Arguments, c.Freeform, w.partial = arg.text, true, arg.partial
		case record:
			w.object(arg, 0, func(member string) {
				if !slices.Contains(c.Partial, member) {
					c.Partial = append(c.Partial, member)
				}
			})
			c.Arguments = string(w.out)
		case unknown, native:
			c.Arguments, w.partial = "{}", true
			c.Partial = []string{"..."}
		case undefined, null:
			c.Arguments = "{}"
		default:
			w.value(arg, 0)
			c.Arguments = string(w.out)
		}
		if w.partial {
			c.Known = false
			e.doubt(Dynamic)
		}
		e.noteCall(c)
		most = max(most, w.most)
	}
	for _, a := range args[1:] {
		e.escape(a)
	}
}

// noteCall notes a call once.
func (e *evaluator) noteCall(c ToolCall) {
	if !c.Known && strings.Contains(c.Arguments, listed) {
		c.Arguments = strings.ReplaceAll(c.Arguments, listed, Unknown)
	}
	key := "call\x00" + c.Tool + "\x00" + c.Arguments
	if e.seen[key] || !e.step(1+len(c.Arguments)/256) {
		return
	}
	if len(e.out.Calls) >= MaxCalls {
		e.doubt(Many)
		return
	}
	e.seen[key] = true
	e.out.Calls = append(e.out.Calls, c)
}

// use notes a use once.
func (e *evaluator) use(u library.Use) {
	if !u.Known {
		e.named(&u)
	}
	key := u.What.String() + "\x00" + u.Text + "\x00" + strings.Join(u.Args, "\x00") + "\x00" + u.Dir
	if u.What == library.WriteFile || u.What == library.Send {
		key += "\x00" + u.Content
	}
	if e.seen[key] || !e.step(1+len(key)/256) {
		return
	}
	if len(e.out.Uses) >= MaxCalls {
		e.doubt(Many)
		return
	}
	e.seen[key] = true
	if !u.Known {
		e.doubt(Dynamic)
	}
	e.out.Uses = append(e.out.Uses, u)
}
