// Chat is a conversation with an agent in a terminal: an answer that streams, tools,
// a memory and policies.
//
//	go run ./examples/chat                                          # no key, no network: a model that follows a script
//	go run ./examples/chat -ask "Which files are here?"             # one question
//	go run ./examples/chat -db chat.db                              # remember, also tomorrow
//	go run ./examples/chat -shell -model anthropic:claude-sonnet-4-5
//
// The tools list and read files below one directory and tell the time. With -shell the
// model may also run commands: the policies judge each of them, and then you do.
//
// Where to look: agent.go assembles the agent, turn.go ranges over a run and cancels
// it, screen.go renders its events as lines, tools.go and shell.go are the tools, and
// script.go is the model that follows a script.
package main
