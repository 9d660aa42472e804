// Package mcp makes the tools of MCP servers tools of an agent.
//
// A server is a program that is started and spoken to over its standard input and
// output, or an address that speaks streamable HTTP:
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
// A model sees a tool as server__tool, in the letters that all providers allow. A
// name that has others, or is longer than 64, ends in a hash of what the server
// calls it, so that two tools never share a name, and the same tool has the same
// name in every process. The server is always called with its own name. The order is
// that of the names, so that a request is the same bytes each time.
//
// # Calls
//
// Arguments are compared with the schema of the tool before they are sent, and the
// model is told what is wrong. Schemas that cannot be compared with at a bounded
// cost (those that refer to other documents or in a circle, and very large ones) are
// told to the model as they are, and comparing is left to the server.
//
// What the model is told is the text of the result; its structured content if there
// is no text; and one line for each image, sound or resource. A result that the
// server marks as an error, a refusal of the protocol, a server that ended and one
// that takes too long are failed results: the model can go on without the tool, and
// a run never ends because of a server. For a program that ended, the last lines
// that it wrote to its standard error are told with it.
//
// # Servers are not trusted
//
// Their names, descriptions, schemas and results are data of bounded size, and how
// many tools a server may list is bounded too. A program gets a few variables of the
// environment, such as PATH and HOME, and those of Server.Env, but not the keys that
// may be in it. Headers are sent to the address of the server only, not to where it
// redirects to. What descriptions and results say to the model is the server's
// word: put a policy between them and what must not happen.
package mcp
