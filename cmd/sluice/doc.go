// Command sluice stands between language models and the programs that act on
// them: a gateway that lets policies judge every tool call, and tools around it.
//
//	sluice demo                      see it work, without a key
//	sluice run -- claude             an agent behind a gateway of its own
//	sluice serve                     the gateway, for a machine or a team
//	sluice connect claude            the settings that point a client at it
//	sluice doctor claude             proof that a destructive call is stopped
//	sluice service install           run the gateway permanently, as a service
//	sluice config                    what is in force, and where it came from
//	sluice record --out DIR          a gateway that records what passes
//	sluice inspect --sample          look at a stream that comes with the program
//	sluice inspect answer.sse        list the blocks of a recorded answer
//	sluice recode --to anthropic -   write a recording as an event stream
//	sluice policy check FILE...      check policy files and run their examples
//	sluice policy list FILE...       list the policies of files
//	sluice policy show NAME          explain one policy
//	sluice policy try answer.sse     show how policies judge a recorded answer
//	sluice hook claude-code          judge the tool calls of Claude Code
//	sluice version                   print the version and the commit
//	sluice completion bash           print the completion script of a shell
//	sluice man run                   print the manual page of a command
//
// It holds flags and wiring only; the work is done in the packages of the
// module.
package main
