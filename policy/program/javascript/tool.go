package javascript

import (
	"slices"
	"strings"
)

// callTool notes a call with each of the arguments that it may have.
func (e *evaluator) callTool(name string, args []value) {
	if len(args) == 0 {
		e.noteCall(ToolCall{Tool: name, Arguments: "{}", Known: name != ""})
		return
	}
	most := 1
	for pick := 0; pick < most && pick < maxEither; pick++ {
		w := writer{e: e, pick: pick, most: 1}
		c := ToolCall{Tool: name, Arguments: "{}"}
		switch arg := w.one(args[0]); arg.kind {
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
			w.partial, c.Partial = true, []string{"..."}
		case undefined, null:
		default:
			w.value(arg, 0)
			c.Arguments = string(w.out)
		}
		if c.Known = name != "" && !w.partial; w.partial {
			e.doubt(Dynamic)
		}
		e.noteCall(c)
		most = max(most, w.most)
	}
	e.escapeAll(args[1:])
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

// tool notes a call of one of the client's tools and reports whether the path
// leads to one.
func (e *evaluator) tool(path string, args []value) bool {
	name, ok := strings.CutPrefix(path, "tools.")
	switch {
	case path == "codex.tool" && len(args) > 0:
		for _, a := range args[0].alternatives() {
			name, known := e.toText(a).whole()
			if !known {
				e.doubt(Dynamic)
				name = ""
			}
			e.callTool(name, args[1:])
		}
	case path == "tools":
		e.doubt(Dynamic)
	case ok:
		if name == "?" || strings.HasSuffix(name, ".?") {
			name = ""
			e.doubt(Dynamic)
		}
		e.callTool(name, args)
	default:
		return isTool(path)
	}
	return true
}
