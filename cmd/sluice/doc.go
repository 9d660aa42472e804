// Command sluice reads the answers of language models as blocks: content,
// thinking, tool calls.
//
//	sluice inspect --sample          look at a stream that comes with the program
//	sluice inspect answer.sse        list the blocks of a recorded answer
//	sluice recode --to anthropic -   write a recording as an event stream
//
// It holds flags and wiring only; the work is done in the packages of the
// module.
package main
