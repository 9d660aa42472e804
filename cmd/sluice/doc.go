// Command sluice reads the answers of language models as blocks: content,
// thinking, tool calls, and lets policies decide about them.
//
//	sluice inspect --sample          look at a stream that comes with the program
//	sluice inspect answer.sse        list the blocks of a recorded answer
//	sluice recode --to anthropic -   write a recording as an event stream
//	sluice policy check FILE...      check policy files and run their examples
//	sluice policy list FILE...       list the policies of files
//	sluice policy try answer.sse     show what policies make of a recorded answer
//	sluice hook claude-code          decide about the tool calls of Claude Code
//
// It holds flags and wiring only; the work is done in the packages of the
// module.
package main
