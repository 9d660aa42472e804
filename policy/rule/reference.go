package rule

import (
	"cel.dev/cel-go/common/types"

	"github.com/sluice-project/sluice/policy/internal/advice"
)

// Section is a part of the reference: everything of one kind.
type Section struct {
	Name    string  `json:"name"`
	Title   string  `json:"title"`
	Text    string  `json:"text,omitempty"`
	Entries []Entry `json:"entries"`
}

// Entry is one construct, with an example.
type Entry struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Doc     string `json:"doc"`
	Example string `json:"example,omitempty"`
}

// Reference lists what conditions can use: the variables, the members of each
// type and the functions.
func Reference() []Section {
	sections := []Section{{
		Name: "variables", Title: "Variables",
		Text: "What a condition can ask about. Which of the first three exist depends on what the policy applies to. " +
			"If it applies to several kinds of blocks, the variables that a block does not have are empty. " +
			"What is not there is not equal to anything: an argument that a call does not have, a variable that is not set, an element behind the last of a list. " +
			"==, <, >, in, startsWith, matches, exists and all are false of it, and != and a negation are true. Without the argument cc, call.args.cc == \"a\" and call.args.cc.contains(\"a\") are false, and !call.args.cc.contains(\"a\") is true. " +
			"So call.args.amount > 5000 lets a call without an amount pass: write !has(call.args.amount) || call.args.amount > 5000 if it should not.",
	}}
	for _, v := range advice.Variables {
		sections[0].Entries = append(sections[0].Entries, Entry{v.Name, advice.Documented(v.Type), variableDocs[v.Name], variableExamples[v.Name]})
	}
	for _, typ := range documented {
		s := Section{Name: typ.name, Title: "Members of " + typ.name, Text: typ.doc}
		for _, m := range typ.members {
			s.Entries = append(s.Entries, Entry{m[0], advice.Documented(fields[typ.of.TypeName()][m[0]].typ), m[1], m[2]})
		}
		sections = append(sections, s)
	}
	f := Section{
		Name: "functions", Title: "Functions",
		Text: "In addition there are CEL's own functions and macros (contains, startsWith, endsWith, matches, size, in, exists, all, exists_one, filter, map, has), those of times (timestamp, duration, " +
			"getHours, getMinutes, getSeconds, getDayOfWeek, getDate, getDayOfYear, getMonth, getFullYear) " +
			"and its string extension (lowerAscii, upperAscii, trim, split, join, replace, substring, indexOf, charAt). Paths are patterns, see paths.",
	}
	for _, d := range advice.FunctionDocs {
		f.Entries = append(f.Entries, Entry{d.Name, d.Usage, d.Doc, d.Example})
	}
	return append(sections, f)
}

var variableDocs = map[string]string{
	"call":    "the tool call; for tool_call, server_tool and opaque",
	"result":  "the result of a tool; for tool_result",
	"text":    "what a block says; for content, thinking, refusal, tool_result and prompt. Of a prompt it is each message of the request by itself, and the system prompt by itself; results of tools are tool_result",
	"request": "what the model was asked; unknown if there is none",
	"past":    "what the conversation has read before a call",
	"session": "the client's conversation",
	"key":     "the client's key",
	"now":     "the time in UTC, the same for all conditions on a block: now.getHours(), or now.getHours(\"Europe/Berlin\") in a time zone; now.getDayOfWeek() is 0 on Sunday, now.getMonth() 0 in January",
	"params":  `the parameters of the policy: params["git.protected"] or params.git.protected`,
}

var variableExamples = map[string]string{
	"now": `now.getDayOfWeek() in [0, 6] || now.getHours("Europe/Berlin") >= 18`,
}

// documented are the types, with name, meaning and an example of each member.
var documented = []struct {
	name, doc string
	of        *types.Type
	members   [][3]string
}{
	{"call", "A tool call, or one that it passes on: a program that calls tools and a dispatcher are judged with each call that they make. Its lists may be incomplete if a part of the call cannot be read; a condition that depends on that part is unknown.", advice.CallType, [][3]string{
		{"name", "the tool's usual name: capitals, underscores and hyphens do not count, so that transfer_money, transfer-money and TransferMoney are one to == and in. Of an MCP tool it is the name without its server: create_issue. Other clients have tools with other names for the same: write call.kind == \"shell\" for the shells of all clients", `call.name == "Bash"`},
		{"raw_name", "its name as the model wrote it, to the letter", `call.raw_name == "mcp__github__create_issue"`},
		{"kind", "shell, read, write, edit, fetch, mcp, task or other", `call.kind == "shell"`},
		{"server", "the name of the MCP server, empty if there is none: github, not mcp__github. Its spelling does not count either, as that of call.name. Read in mcp__server__tool, mcp--server--tool, server__tool, mcp_server_tool, mcp.server.tool, server:tool, server.tool and server/tool where that has one reading, in the arguments of dispatchers and of tools that read resources of servers, and as the client writes it where the client is known: server_tool of opencode. Unknown for every other tool that may be a server's: for all that Sluice does not know, except those of Claude Code and Codex, which mark the tools of servers. To restrict servers, list tools: {allow: [mcp__github__*]}", `call.server == "github"`},
		{"args", "the arguments; numbers are int or double. A comparison with an argument that is missing is false: has(call.args.amount) tells whether it is there. Where an argument can be a text or a list, ask for its type first: type(call.args.to) == list", `!has(call.args.amount) || call.args.amount > 5000`},
		{"raw", "the arguments as text", `call.raw.contains("password")`},
		{"commands", "the commands that it runs, however they are wrapped. Text that runs in quotes, out of an encoding or in another shell is among them with what it says", `call.commands.exists(c, c.args.exists(a, a.matches("^--?token")))`},
		{"effects", "what it would do, however it is written", `call.effects.exists(e, e.verb == "delete")`},
		{"reads", "the files that it reads", `call.reads.exists(p, p.under("~/.ssh"))`},
		{"writes", "the files that it writes, deletes or changes", `call.writes.exists(p, p.glob("**/*.tf"))`},
		{"urls", "the addresses with a scheme that it names, whatever it does with them. git@host:path, rsync modules and hosts in programs are not among them: for where something goes ask the effects, e.verb in [\"fetch\", \"send\", \"connect\"] && e.object.host() == \"pastebin.com\"", `call.urls.exists(u, u.host() == "pastebin.com")`},
		{"unknown", "the reasons why something of it could not be read", `"substitution" in call.unknown`},
	}},
	{"command", "An element of call.commands.", advice.CommandType, [][3]string{
		{"name", "the program, without its directory", `c.name == "git"`},
		{"sub", "its first argument that is not a flag or the value of one; unknown where words in front may be values of flags that are not described", `c.sub == "push"`},
		{"args", "the arguments without quotes; c.args[0] is the first", `"--force" in c.args`},
		{"operands", "the arguments without options and their values, as the description of the program has them; c.operands[0] is c.sub. aws --profile p s3 rm s3://b/x --quiet has s3, rm and s3://b/x; docker run -e A=b img tool -v has run, img, tool and -v, for what follows the image is not docker's. Where it is not known whether an option has a value, as with programs that are not described, a condition is unknown if it depends on that", `c.is("aws") && c.operands.exists(o, o.startsWith("s3://prod-"))`},
		{"env", "the variables that the command is given: set for it alone, with or without env in front, or exported before in the same call and not unset; what sudo may keep, or a branch may have exported, is unknown. What the client had before the call, or a sourced file exports, is not known and not among them", `c.env.AWS_PROFILE.startsWith("prod")`},
		{"effects", "what it would do, where it is redirected to included, and what the commands that it runs would do", `c.is("kubectl") && c.flag("context").matches("(^|-)prod($|-)") && c.effects.exists(e, e.verb in ["apply", "destroy"])`},
		{"sudo", "it runs as another user", `c.sudo`},
		{"remote", "it runs on another machine or in a container, as with ssh, docker exec and kubectl exec", `call.commands.exists(c, c.remote && c.is("rm"))`},
		{"text", "its source, with wrappers and redirections", `c.text.contains("| sh")`},
	}},
	{"effect", "An element of call.effects or command.effects: one thing that the call would do. The verbs are listed under verbs.", advice.EffectType, [][3]string{
		{"verb", "what is done", `e.verb == "delete"`},
		{"object", "to what: a path, an address, a branch, a table. Paths are absolute where the working directory and the home are known, and a text that begins with ~/ means the home to ==, !=, in and startsWith. Unknown for the branch that happens to be checked out", `e.object == "main"`},
		{"from", "where it comes from: the file that is sent, the address that is saved, the remote of a push, the address or registry of what is installed, the value of a variable; empty if there is none or it is not known", `e.from.host() == "github.com"`},
		{"content", "for write, what is written, if all of it is known; for send, the same for what comes from a file or the input, and empty for a body in the command line (curl -d TEXT), which is in c.args, and for tools, whose arguments are in call.args; for mode, the new mode; for install, \"address\" if from is the address of the package itself; otherwise empty", `e.content.contains("BEGIN RSA")`},
		{"kind", "in which way it comes about, empty for most; the kinds are listed under kinds", `e.verb == "delete" && e.kind != "move"`},
		{"extent", "how much it is about: one, many or all; see extents", `e.verb == "destroy" && e.extent != "one"`},
		{"place", "where it takes place: project, scratch, home, system, remote or elsewhere; see places. Unknown where that depends on a path, a working directory or a home that is not known", `e.verb == "delete" && e.place == "home"`},
		{"certain", "it happens whatever is not known; otherwise it is one of the ways in which the call can be meant", `e.verb == "stop" && e.certain`},
		{"how", "the program or tool that does it: a program by the first of its names, kubectl where somebody has called k", `e.how == "rm"`},
		{"wide", "not the object alone, but everything in it or that it matches: the extent is not one", `e.wide`},
		{"sudo", "as another user", `e.sudo`},
		{"remote", "on another machine or in a container", `e.remote`},
		{"guess", "only under an assumption about something unknown, such as that a variable is empty", `!e.guess`},
		{"shown", "what is read or revealed is in what the call returns", `e.verb == "read" && e.shown`},
		{"scratch", "what is dropped, destroyed or deleted is made for tests, or by the same command", `e.verb == "drop" && !e.scratch`},
	}},
	{"past", "What the conversation has read before a call. It does not list earlier calls.", advice.PastType, [][3]string{
		{"known", "all of it is available", `past.known`},
		{"untrusted", "it has read what others wrote; also true if that is not known", `past.untrusted`},
		{"untrusted_seen", "the same, and false if that is not known", `past.untrusted_seen`},
		{"private", "it has read what is private; also true if that is not known", `past.private`},
		{"private_seen", "the same, and false if that is not known", `past.private_seen`},
	}},
	{"result", "The result of a tool, on its way to the model.", advice.ResultType, [][3]string{
		{"tool", "the tool that answered; unknown if no call has the result's id", `result.tool == "WebFetch"`},
		{"text", "what it answered", `result.text.suspicious()`},
	}},
	{"request", "What the model was asked.", advice.RequestType, [][3]string{
		{"model", "the name of the model; unknown if the request does not say it", `request.model.startsWith("gpt-")`},
		{"messages", "the messages, each with its role and its text; earlier calls are not among them", `request.messages.exists(m, m.role == "user")`},
		{"tools", "the names of the tools that it declares. A tool of the provider that has no name is named by its type, with and without the date: web_search, code_interpreter, googleSearch. A server that the provider asks is mcp and mcp__NAME", `"web_search" in request.tools`},
		{"user_text", "what the person asked for last", `request.user_text.contains("deploy")`},
	}},
	{"message", "An element of request.messages.", advice.MessageType, [][3]string{
		{"role", "system, user, assistant or tool", `m.role == "user"`},
		{"text", "what it says, with the results of tools", `m.text.contains("password")`},
	}},
	{"session", "The client's conversation. What is empty is unknown; test for it with has(session.cwd).", advice.SessionType, [][3]string{
		{"id", "its id, if the client sends one", `session.id == "42"`},
		{"client", "the client: claude-code, codex, opencode, qwen-code, gemini-cli, openai-sdk, anthropic-sdk or google-genai. The gateway knows it by the User-Agent, which any program can send, and leaves it unknown for others; under the hook it is claude-code, and in an agent in Go what Session.Client says, sluice agent by default", `session.client == "claude-code"`},
		{"cwd", "the working directory", `session.cwd.under("~/scratch")`},
		{"home", "the home directory", `session.home == "/root"`},
		{"labels", "words that the host says about it: session.labels in the gateway's configuration, --session-label of run, and Session.Labels of an agent", `"ci" in session.labels`},
	}},
	{"key", "The key that a client uses at the gateway.", advice.KeyType, [][3]string{
		{"name", "the key's name, never the key", `key.name == "ci"`},
		{"user", "its owner", `key.user == "alice"`},
		{"groups", "the groups that it is in", `"release" in key.groups`},
	}},
}
