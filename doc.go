// Package sluice is the root of the module and holds no code, only the map of its packages.
//
// Sluice reads the streamed answer of a language model as a sequence of blocks (content, thinking,
// tool calls), lets policies judge each block before anyone can act on it, and writes a stream that
// the official clients accept.
//
// The data flow:
//
//	bytes -> wire/sse -> Decoder -> Chunk{Events} -> Processor(State) -> policy.Engine -> Writer -> bytes
//
// The packages, from the bottom up; a package may import only packages that come before it in this
// list:
//
//   - internal/jsonscan finds values in JSON without building a tree; internal/schema validates values
//     against JSON schemas; internal/words suggests what an unknown word may have been meant to be;
//     internal/ownfile reads and creates files with secrets of the program itself; internal/plain puts
//     system and network errors into plain words; internal/sbom writes the bill of materials of a release.
//   - llm is the vocabulary: messages, blocks, tools, requests, responses, usage.
//   - store opens databases and migrates them: store/sqlite and store/postgres. internal/pgtest gives
//     tests a real PostgreSQL.
//   - stream is how an answer arrives: chunks, events, block identity and completion.
//   - wire turns bytes into events and back: wire/sse for the framing, and one package for each
//     dialect: wire/openaichat, wire/openairesponses, wire/anthropic, wire/gemini. wire/edit changes
//     JSON at spans, wire/recording reads answers that were saved to files, wire/witness reads what is
//     about to be sent as a credulous client would.
//   - model calls a model: one interface, the providers built on wire, and model/scripted, which
//     answers offline from a script.
//   - policy decides what may pass: the engine holds, judges and releases blocks. policy/file reads
//     policy files, policy/rule evaluates their conditions. policy/call, policy/shell, policy/program
//     (programs in other languages), policy/sql and policy/project work out what a tool call would do, as
//     effects of policy/effect.
//     policy/flow tracks taint through a conversation, policy/secret finds and redacts secrets,
//     policy/text replaces patterns in text that streams, policy/tools checks names and arguments,
//     policy/judge asks a model and policy/hook another program.
//   - evasion is suites of hostile and harmless calls, for tests.
//   - agent is the host in a Go program: runs, advisors, a tool loop. agent/memory stores
//     conversations, agent/memory/sqlite and agent/memory/postgres in databases; agent/policies enforces
//     policies, agent/mcp provides the tools of MCP servers.
//   - gateway is the HTTP host: agents and SDKs use it instead of a provider. gateway/settings reads
//     its configuration, gateway/server runs it as a process.
//   - connect knows what each client needs to reach a gateway, starts it and proves the path.
//   - service runs a gateway as a service: systemd units, launchd files.
//   - sluicetest is the public test kit.
//   - cmd/sluice is the command line: flags and wiring only.
//   - examples are programs to read.
//
// Start with llm for the vocabulary, then stream for the contracts. The test in package_order_test.go has the
// full order, including the packages that are planned, and enforces it.
package sluice
