// Package sluice is the root of the module and holds no code. It is the map of the house.
//
// Sluice reads the streamed answer of a language model as a sequence of blocks (content, thinking,
// tool calls), lets policies judge each block before anyone can act on it, and writes a stream that
// the official clients accept.
//
// The way of the data:
//
//	bytes -> wire/sse -> Decoder -> Chunk{Events} -> Processor(State) -> policy.Engine -> Writer -> bytes
//
// The packages, from the bottom of the house to the top; a package may import only packages that
// stand before it in this list:
//
//   - internal/jsonscan finds values in JSON without building a tree; internal/schema compares values
//     with JSON schemas; internal/words suggests what people may have meant by a word that is not known.
//   - llm is the vocabulary: messages, blocks, tools, requests, responses, usage.
//   - store opens databases and migrates them: store/sqlite and store/postgres. internal/pgtest gives
//     tests a real PostgreSQL.
//   - stream says how an answer arrives: chunks, events, block identity and completion.
//   - wire turns bytes into events and back: wire/sse for the framing, and one package for each
//     dialect: wire/openaichat, wire/openairesponses, wire/anthropic, wire/gemini. wire/edit changes
//     JSON at spans, wire/recording reads answers that were saved to files.
//   - model calls a model: one interface, the providers on wire, and model/scripted, which answers
//     offline from a script.
//   - policy decides what may pass: the engine holds, judges and releases blocks. policy/file reads
//     policy files, policy/rule evaluates their conditions, policy/call and policy/shell say what a
//     tool call is about, policy/text replaces patterns in text that streams, policy/tools checks names
//     and arguments, policy/judge asks a model and policy/hook another program.
//   - agent is the host in a Go program: runs, advisors, a tool loop. agent/memory remembers
//     conversations, agent/memory/sqlite and agent/memory/postgres in databases; agent/policies enforces
//     policies, agent/mcp brings the tools of MCP servers.
//   - gateway is the HTTP host: agents and SDKs use it in the place of a provider. gateway/settings
//     reads its configuration, gateway/server makes a process of it.
//   - connect knows what each client needs to reach a gateway, starts it and proves the path.
//   - service makes a gateway run for good: units of systemd, files of launchd.
//   - sluicetest is the public test kit.
//   - cmd/sluice is the command line: flags and wiring only.
//   - examples are programs to read.
//
// Start with llm for the words, then stream for the contracts. The test in house_test.go holds the
// full order, with the packages that are planned, and enforces it.
package sluice
