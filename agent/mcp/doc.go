// Package mcp makes the tools of MCP servers available to an agent.
//
// A server is a program that is started and spoken to over its standard input and
// output, or a URL that speaks streamable HTTP:
//
//	files, err := mcp.Connect(ctx, mcp.Server{Name: "files", Command: []string{"mcp-files", "/srv"}})
//	...
//	defer files.Close()
//	issues, err := mcp.Connect(ctx, mcp.Server{Name: "issues", URL: "https://example.org/mcp", Headers: auth})
//	...
//	defer issues.Close()
//
//	tools, err := mcp.Tools(ctx, files, issues)
//	...
//	assistant, err := agent.New(agent.Config{Model: m, Tools: tools})
//
// # Names
//
// A model sees a tool as server__tool, in characters that all providers allow. A
// name that has others, or is longer than 64, ends in a hash of the server's own
// name for it, so that two tools never share a name, and the same tool has the same
// name in every process. The server is always called with its own name. Tools are
// sorted by name, so that a request is the same bytes each time.
//
// # Calls
//
// Arguments are validated against the schema of the tool before they are sent, and
// the model is told what is wrong. Schemas that cannot be checked at a bounded cost
// (those with references to other documents or cycles, and very large ones) are
// passed to the model unchanged, and validation is left to the server.
//
// The model gets the text of the result; its structured content if there is no
// text; and one line for each image, sound or resource. A result that the server
// marks as an error, a protocol error, a server that has exited and one that takes
// too long are failed results: the model can go on without the tool, and a run
// never ends because of a server. For a program that has exited, the last lines of
// its standard error are included.
//
// # Servers are not trusted
//
// Their names, descriptions, schemas and results are data of bounded size, and the
// number of tools a server may list is bounded too. A program gets a few environment
// variables, such as PATH and HOME, and those of Server.Env, but not the keys that
// may be in the environment. Headers are sent to the address of the server only, not
// to redirect targets. What descriptions and results tell the model is under the
// server's control: use a policy to guard against what must not happen.
package mcp
