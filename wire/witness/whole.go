package witness

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// call is a call that is whole in one payload.
type call struct{ name, arguments string }

// visit calls found for everything in a value that a client of any dialect could take
// for a call, at any depth. Declarations of tools, and the parts that repeat the
// request, are not calls.
func visit(n *node, found func(call)) { visitIn(n, false, found) }

// visitIn is visit for a value among calls, or elsewhere. A function without input is a
// call only among calls; elsewhere it selects a tool.
func visitIn(n *node, calls bool, found func(call)) {
	if n == nil {
		return
	}
	for _, e := range n.elems {
		visitIn(e, calls, found)
	}
	if n.kind != jsonscan.Object {
		return
	}
	if !isProviders(n) {
		ownCall(n, found)
	}
	for i := range n.members {
		m := &n.members[i]
		if m.key == "executed_tools" {
			continue // what the provider has run, with its output
		}
		switch folded(m.key) {
		case "tools", "tool_choice", "metadata", "variables", "instructions", "usage", "usagemetadata":
			continue
		case "arguments", "input", "args", "action", "operation":
			// Arguments are not searched: they may mention calls.
			continue
		case "functioncall", "function_call":
			named(m.value, true, found)
		case "function", "custom":
			named(m.value, calls, found)
		}
		visitIn(m.value, isCallList(m.key), found)
	}
}

// isCallList reports whether a member has calls in it, and nothing else.
func isCallList(key string) bool {
	switch strings.ReplaceAll(folded(key), "_", "") {
	case "toolcalls", "toolcall", "functioncalls", "tooluses", "tooluse":
		return true
	}
	return false
}

// folded is the form of a key in which clients that ignore case compare it.
func folded(key string) string { return string(jsonscan.Fold(make([]byte, len(key)), []byte(key))) }

// bodies are the members that hold what a call is given.
var bodies = []string{"arguments", "input", "args", "action", "operation"}

// bodiesIn are what an object is given. Null says nothing.
func bodiesIn(n *node) []*node {
	return slices.DeleteFunc(n.any(bodies...), func(v *node) bool { return v.kind == jsonscan.Null })
}

// batches are the actions of a computer call that has a list of them, in the form in
// which policies judge it.
func batches(n *node, types []string) (found []*node) {
	if !slices.Contains(types, "computer_call") {
		return nil
	}
	for _, v := range n.all("actions") {
		if v.kind != jsonscan.Null && len(v.list()) > 0 {
			found = append(found, &node{kind: jsonscan.Object, raw: slices.Concat([]byte(`{"actions":`), v.raw, []byte(`}`))})
		}
	}
	return found
}

// ownCall takes an object for a call by its type, or by what it has.
func ownCall(n *node, found func(call)) {
	types := n.texts("type")
	isCall := slices.ContainsFunc(types, isCallType)
	values := append(bodiesIn(n), batches(n, types)...)
	if !isCall && (len(values) == 0 || len(n.texts("name")) == 0) {
		return
	}
	typ := ""
	if len(types) > 0 {
		typ = types[0]
	}
	each(n.texts("name"), typ, values, found)
}

// named takes objects for what a call names and is given. It is one without anything
// only where it must be.
func named(n *node, must bool, found func(call)) {
	for _, n := range n.list() {
		names, values := n.texts("name"), bodiesIn(n)
		if len(names) > 0 && (must || len(values) > 0) {
			each(names, "", values, found)
		}
	}
}

// each reports all combinations of names and bodies: mostly there is one of both.
func each(names []string, typ string, values []*node, found func(call)) {
	if len(names) == 0 {
		names = []string{""}
	}
	for _, name := range names {
		if len(values) == 0 {
			found(call{nameOf(name, typ), ""})
		}
		for _, v := range values {
			found(call{nameOf(name, typ), v.asText()})
		}
	}
}

// isCallType reports whether clients execute objects of a type.
func isCallType(typ string) bool {
	typ = strings.ToLower(typ)
	return strings.HasSuffix(typ, "_call") || strings.HasSuffix(typ, "tool_use") || typ == "mcp_approval_request"
}

// isProviders reports whether an object is something that the provider executes itself,
// or a result.
func isProviders(n *node) bool {
	types := n.texts("type")
	if len(types) == 0 {
		return false
	}
	for _, typ := range types {
		switch {
		case slices.Contains(providers, typ), strings.HasSuffix(typ, "_output"), strings.HasSuffix(typ, "_result"):
		case typ == "shell_call" && inContainer(n):
		default:
			return false
		}
	}
	return true
}

var providers = []string{
	"server_tool_use", "mcp_tool_use", "mcp_call", "mcp_list_tools", "web_search_call", "file_search_call",
	"code_interpreter_call", "image_generation_call", "tool_search_call", "program",
}

// inContainer reports whether a shell call runs in a container of the provider, in
// every reading.
func inContainer(n *node) bool {
	environments := n.all("environment")
	for _, e := range environments {
		types := e.texts("type")
		if len(types) == 0 || slices.ContainsFunc(types, func(typ string) bool { return !strings.HasPrefix(typ, "container") }) {
			return false
		}
	}
	return len(environments) > 0
}

// nameOf identifies a call: by its name, or by its type if it has none.
func nameOf(name, typ string) string {
	if name != "" {
		return name
	}
	return "#" + typ
}
