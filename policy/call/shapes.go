package call

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// clientShapes is how many of the shapes are those of the clients' own shell tools.
const clientShapes = 11

// ClientShapes returns a shell command as a call of the shell tool of every client.
func ClientShapes(command string) []llm.Block { return Shapes(command)[:clientShapes] }

// Shapes returns a shell command as a call in every client's shape, and then in those of
// tools that may be a server's: custom ones, and dispatchers. Read finds the same commands in
// each of them.
func Shapes(command string) []llm.Block {
	quoted := string(jsonscan.AppendString(nil, command))
	argv := `["bash","-lc",` + quoted + `]`
	block := func(typ, name, arguments string) llm.Block {
		return llm.Block{Kind: llm.ToolCall, Type: typ, Name: name, Arguments: arguments, ID: "call_1", Status: llm.Complete}
	}
	text := string(jsonscan.AppendString(nil, `{"command":`+quoted+`}`))
	return []llm.Block{
		block("tool_use", "Bash", `{"command":`+quoted+`}`),                                                         // Claude Code
		block("function", "bash", `{"command":`+quoted+`,"description":"runs a command"}`),                          // opencode
		block("function", "run_shell_command", `{"command":`+quoted+`}`),                                            // Gemini CLI, Qwen Code
		block("function", "run_terminal_cmd", `{"command":`+quoted+`,"is_background":false}`),                       // Cursor
		block("function", "execute_command", `{"command":`+quoted+`}`),                                              // Cline
		block("function_call", "exec_command", `{"cmd":`+quoted+`}`),                                                // Codex
		block("function_call", "shell", `{"command":`+argv+`}`),                                                     // Codex, older models
		block("function_call", "shell_command", `{"command":`+quoted+`}`),                                           // Codex, older models
		block("custom_tool_call", "exec", "const r = await tools.exec_command({cmd:"+quoted+"});\ntext(r.output);"), // Codex, its own models
		block("local_shell_call", "", `{"type":"exec","command":`+argv+`,"env":{}}`),                                // Responses
		block("shell_call", "", `{"commands":[`+quoted+`],"max_output_length":null,"timeout_ms":null}`),             // Responses

		block("custom_tool_call", "exec", "const {exec_command: run} = tools;\nconst cmd = "+quoted+";\nawait Promise.all([cmd].map(c => run({cmd: c})));"),
		block("function_call", "run_terminal_command", `{"Command":`+quoted+`}`),                                                                    // another case
		block("function_call", "RunShellCommand", `{"script":`+quoted+`}`),                                                                          // another style
		block("function_call", "do_it", `{"input":`+text+`}`),                                                                                       // arguments as text
		block("function_call", "start_process", `{"command":"bash","args":["-c",`+quoted+`]}`),                                                      // a program and its arguments
		block("function_call", "run_tool", `{"tool_name":"Bash","arguments":{"command":`+quoted+`}}`),                                               // a dispatcher
		block("function_call", "call_tool", `{"name":"bash","arguments":`+text+`}`),                                                                 // one that takes text
		block("function_call", "batch", `{"invocations":[{"tool_name":"Bash","input":{"command":`+quoted+`}}]}`),                                    // several
		block("function_call", "multi_tool_use.parallel", `{"tool_uses":[{"recipient_name":"functions.shell","parameters":{"command":`+argv+`}}]}`), // several at once
	}
}
