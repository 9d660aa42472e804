package call

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// Clients name the tools of a server of the Model Context Protocol in different ways. This
// file says which server a tool is of where that can be read surely, and that it is not
// known where a tool may be a server's and its name has several readings.

// owner is the server that a tool is of.
type owner struct {
	server string
	is     bool // it is a server's tool
	unsure bool // server is what the name suggests, and another one can be meant
}

// joints are what clients put between the name of a server and that of its tool. Those of
// one character, except for the colon and the like, are also parts of names.
var joints = []string{"__", "--", ":", ".", "/"}

// ownerOf splits the name of a server's tool: mcp__server__tool, mcp-server-tool,
// server__tool, server:tool, server/tool. A name that has several readings gets the most
// usual one. The owner of any other name is empty.
func ownerOf(name string) (owner, string) {
	rest, ok := cutFold(name, "mcp")
	if !ok || rest == "" || strings.IndexByte("_-.:/", rest[0]) < 0 { // it does not say so
		joint, ways := jointsIn(name)
		if server, tool, ok := strings.Cut(name, joint); ok && joint != "" && server != "" && tool != "" && !dispatches(name) { // multi_tool_use.parallel
			return owner{server: server, is: true, unsure: ways > 1}, tool
		}
		return owner{}, name
	}
	joint := rest[:1]
	inner := strings.TrimLeft(rest, joint)
	run := len(rest) - len(inner)
	if wide := joint + joint; run > 1 && (joint == "_" || joint == "-") {
		// By the convention of those who write it, the next one ends the server's name.
		if server, tool, ok := strings.Cut(inner, wide); ok && server != "" && tool != "" {
			return owner{server: server, is: true, unsure: run > 2}, tool
		}
		return guessed(inner, joint)
	}
	// It has one reading if the joint is in it once, and no other one is: in mcp-a__b, mcp can
	// belong to the server's name.
	inner = rest[1:]
	of, tool := guessed(inner, joint)
	_, ways := jointsIn(inner)
	if joint == "_" || joint == "-" {
		ways += countRuns(inner, joint)
	}
	of.unsure = ways != 1 || of.server == ""
	return of, tool
}

// dispatches reports whether a tool only passes calls on.
func dispatches(name string) bool { return means(name, "passes") || means(name, "passes-all") }

// guessed splits the name of a server's tool where it is most likely to be meant so.
func guessed(name, joint string) (owner, string) {
	of := owner{is: name != "", unsure: true}
	for _, joint := range []string{joint + joint, joint} {
		if server, tool, ok := strings.Cut(name, joint); ok && server != "" && strings.Trim(tool, joint) != "" {
			of.server = server
			return of, tool
		}
	}
	return of, name
}

// jointsIn returns the joint at which a name is split that does not say that it is of a
// server's tool, empty if there is none, and in how many ways it can be.
func jointsIn(name string) (first string, ways int) {
	for _, joint := range joints {
		n := countRuns(name, joint)
		if first == "" && n > 0 {
			first = joint
		}
		ways += n
	}
	return first, ways
}

// countRuns is how many runs of a joint are in a name.
func countRuns(name, joint string) int {
	n := 0
	for {
		_, rest, ok := strings.Cut(name, joint)
		if !ok {
			return n
		}
		n++
		name = strings.TrimLeft(rest, joint[:1])
	}
}

// conventions say what is known of the names that a client gives to tools, by the name that its
// sessions have.
var conventions = map[string]struct {
	own    bool // a tool that is not marked as a server's is the client's
	joined bool // tools of servers are server_tool, and all with an underscore are theirs
	first  bool // mcp_server_tool: names of servers have no underscore
}{
	"claude-code": {own: true}, "codex": {own: true}, "sluice agent": {own: true}, "opencode": {own: true, joined: true}, "gemini-cli": {first: true},
}

// belongs says which server a tool is of that was named in a call, as far as its name and
// what stands beside it say. known: it is a tool of the usual clients.
func (c *Call) belongs(from *said, of owner, known *tool, ok bool) (owner, string) {
	name := known.name
	convention := conventions[c.client]
	switch {
	case from.mcp && from.server != "": // said in so many words
		return owner{server: from.server, is: true}, name
	case of.is:
		if of.unsure && convention.first && mcpUnderscore(from.name) {
			of.unsure = of.server == "" || strings.Contains(of.server, "_")
		}
		return of, name
	case from.server != "" || from.mcp:
		return owner{server: from.server, is: true, unsure: from.server == ""}, name
	case ok || dispatches(name) && !strings.Contains(folded(name), "mcp"):
		return owner{}, name
	case strings.Contains(folded(name), "mcp"):
		return owner{is: true, unsure: true}, name
	case convention.joined && strings.Contains(name, "_"):
		server, rest, _ := strings.Cut(name, "_")
		if server != "" && rest != "" {
			return owner{server: server, is: true, unsure: countRuns(name, "_") > 1}, rest
		}
	}
	return owner{unsure: !convention.own && !from.provided && name != ""}, name
}

// mcpUnderscore reports whether a name begins with mcp and one underscore.
func mcpUnderscore(name string) bool {
	rest, ok := cutFold(unquotedName(name), "mcp_")
	return ok && rest != "" && rest[0] != '_'
}

// identity is what lists of tools and conditions know a call by.
type identity struct {
	owner

	// tool is the name of the tool itself, and kind what is known of it by its name alone.
	tool string
	kind Kind
	// beside: the server, or that there is one, is not said in the name.
	beside bool
}

// named notes to which tool and server the call belongs that is read.
func (c *Call) named(from *said, of owner, tool string, kind Kind) {
	beside := from.mcp || from.server != ""
	c.identity = identity{owner: of, tool: tool, kind: kind, beside: beside}
	if of.server != "" {
		c.Server = clean(of.server)
	}
	c.ServerUnknown = of.unsure
}

// keep remembers which tool the call belongs to and where it is, while the calls inside are read.
func (c *Call) keep() (back func()) {
	at, named, unknown := c.at, c.identity, c.ServerUnknown
	return func() { c.at, c.identity, c.ServerUnknown = at, named, unknown }
}

// onBehalf notes what passed on the call that was read. A tool of a server that calls one
// of another concerns both. sure: it is a dispatcher; one that is only taken for one, for
// its arguments, is named as it is.
func (c *Call) onBehalf(outer *identity, sure bool) {
	if outer.is && (outer.unsure || outer.server != c.identity.server) || outer.unsure && !sure {
		c.ServerUnknown, c.identity.unsure = true, true
	}
	if c.identity.beside = outer.beside; !sure {
		c.identity = *outer
	}
}

// besides reads which server a tool is of from the arguments: those that read the resources
// of servers, and those that pass calls on to them, name it there.
func (c *Call) besides(name string, m members) {
	words := folded(name)
	if !strings.Contains(words, "mcp") && (!strings.Contains(words, "resource") || !m.has(fieldServer)) || c.identity.server != "" {
		return
	}
	server, sure := m.server()
	c.Kind, c.Server, c.ServerUnknown = KindMCP, clean(server), !sure
	c.identity.owner, c.identity.kind = owner{server: server, is: true, unsure: !sure}, KindMCP
}

// server is the server that is named in arguments, and whether there is exactly one.
func (m members) server() (name string, sure bool) {
	for i := range m {
		v := &m[i]
		switch {
		case v.field != fieldServer:
		case v.kind != jsonscan.String || v.text == "" || name != "" && v.text != name:
			return "", false
		default:
			name = v.text
		}
	}
	return name, name != ""
}

// Names are the names under which lists of tools find the tool that is called. Those of a
// server's tool that have no server in them are not in own: they are names of the client's
// own tools as well. So are kinds that only the arguments suggest. alike has these too.
func (c *Call) Names() (own, alike []string) {
	n := &c.identity
	kind := n.kind
	if n.is {
		kind = KindMCP
	}
	own = []string{"kind:" + string(kind)}
	if !n.is || !n.beside {
		own = append(own, c.RawName)
	}
	switch {
	case !n.is:
		own = append(own, n.tool)
	case !n.unsure:
		server := clean(n.server)
		own = append(own, server+"/"+n.tool, "mcp__"+server+"__"+n.tool)
	}
	alike = append(slices.Clone(own), c.RawName, c.Name, "kind:"+string(c.Kind), n.tool)
	if c.Server != "" {
		alike = append(alike, c.Server+"/"+c.Name, "mcp__"+c.Server+"__"+c.Name)
	}
	return own, alike
}
