package file

import "github.com/sluice-project/sluice/policy/rule"

// The keys of policy files. The parser takes their names from here, so that no
// key is missing from the reference.
var (
	fileKeys = []rule.Entry{
		{Name: "policies", Type: "list", Doc: "the policies and presets, in the order in which they are asked", Example: "policies: [{preset: recommended}]"},
		{Name: "params", Type: "mapping", Doc: "parameters for all policies of the file, see params of a policy", Example: "params: {hosts: [github.com]}"},
		{Name: "programs", Type: "mapping", Doc: "what programs of your own do, by their names, so that all policies understand them; see docs/judgement.md", Example: "programs: {acmectl: {commands: {db drop: {operands: [name], effects: [{drop: 'database {name}'}]}}}}"},
		{Name: "preset", Type: "text", Doc: "short for an entry of policies that names a preset; none leaves recommended out", Example: "preset: none"},
		{Name: "notice", Type: "word", Doc: "full (the default) or short: notices of what the file names do not say what a call would have done", Example: "notice: short"},
		{Name: "compare", Type: "word", Doc: "for all policies of the file, see compare of a policy", Example: "compare: written"},
		{Name: "doc", Type: "text", Doc: "what the file is for", Example: "doc: The policies of our team."},
	}
	policyKeys = []rule.Entry{
		{Name: "name", Type: "text", Doc: "identifies it to people; letters, digits, - _ . and /", Example: "name: no-force-push"},
		{Name: "applies_to", Type: "list", Doc: "the blocks that it applies to: tool_call (the default), content, thinking, refusal, tool_result, server_tool, opaque, prompt", Example: "applies_to: [content, tool_result]"},
		{Name: "when", Type: "condition in CEL", Doc: "when the policy applies; always by default. Beside find or tools, both must hold", Example: `when: call.kind == "shell"`},
		{Name: "find", Type: "mapping", Doc: "what it looks for, see find", Example: "find: {secret: true}"},
		{Name: "tools", Type: "mapping", Doc: "which tools may be called, see tools", Example: "tools: {deny: [WebFetch]}"},
		{Name: "judge", Type: "mapping", Doc: "the model to ask, see judge", Example: "judge: {model: anthropic/claude-haiku-4-5, instructions: Block what changes prices.}"},
		{Name: "hook", Type: "mapping", Doc: "the address to ask, see hook", Example: "hook: {url: https://policy.example.com/ask}"},
		{Name: "then", Type: "word or mapping", Doc: "what happens, see then", Example: "then: block"},
		{Name: "on_unknown", Type: "word", Doc: "what happens when the condition depends on something unknown: judge, ask, block or allow. By default, a policy that redacts or rewrites what it finds does so, and any other that would prevent or change something blocks. With block, one that redacts or rewrites blocks what it would have changed", Example: "on_unknown: allow"},
		{Name: "compare", Type: "word", Doc: "possible (the default): a comparison that depends on a variable or another unknown part of a text is unknown. written: such a text is compared as it is written, $NAME and all, a subcommand that is not described has no effects, and a wide effect or a wildcard meets no pattern that begins with **/", Example: "compare: written"},
		{Name: "on_error", Type: "word", Doc: "what happens when the policy fails or takes too long: ask, block or allow", Example: "on_error: block"},
		{Name: "reason", Type: "text", Doc: "what people and the model are told; say what to do instead. Without one they are told doc", Example: "reason: Push to a branch of your own."},
		{Name: "mode", Type: "word", Doc: "enforce, shadow (its verdicts are recorded and do not count) or disabled", Example: "mode: shadow"},
		{Name: "timeout", Type: "time", Doc: "how long a judge or hook may take; 10s by default", Example: "timeout: 3s"},
		{Name: "params", Type: "mapping", Doc: "values that its conditions read as params.NAME: NAME: VALUE, or NAME: {default: VALUE, doc: TEXT, of: KIND}, where KIND says what the values are that users of a preset set: paths (a directory stands for itself and everything in it), directories, branches, hosts or pattern", Example: "params: {branches: [main]}"},
		{Name: "examples", Type: "list", Doc: "tests of the policy that are run when it is loaded, see examples", Example: `examples: [{shell: "git push -f", want: block}]`},
		{Name: "except", Type: "list", Doc: "belongs to a preset; here, write it into when", Example: ""},
		{Name: "notice", Type: "word", Doc: "full (the default) or short: its notices do not say what a call would have done", Example: "notice: short"},
		{Name: "doc", Type: "text", Doc: "what the policy is for; people and the model are told this too if there is no reason", Example: "doc: Keeps branches as they are."},
		{Name: "sees", Type: "text", Doc: "what it sees, for its page", Example: "sees: git push, however it is wrapped."},
		{Name: "blind", Type: "text", Doc: "what it cannot see, for its page", Example: "blind: What a script does whose contents are not known."},
	}
	presetKeys = []rule.Entry{
		{Name: "preset", Type: "text", Doc: "its name", Example: "preset: recommended"},
		{Name: "params", Type: "mapping", Doc: "parameters of the preset that get another value; a list can be extended with {add: [...], remove: [...]}", Example: "params: {git.protected: {add: [release]}}"},
		{Name: "except", Type: "list", Doc: "policies that do not apply under a condition", Example: `except: [{policy: git-safety, when: '"release" in key.groups'}]`},
		{Name: "mode", Type: "word", Doc: "shadow or disabled for all its policies", Example: "mode: shadow"},
	}
	findKeys = []rule.Entry{
		{Name: "pattern", Type: "regular expression, or list", Doc: "looked for in texts, and in the strings of a call's arguments as the model wrote them. Expressions are RE2, which has no lookahead. For what a command really says, joined and decoded, write when: call.commands.exists(c, c.args.exists(a, a.matches(\"PATTERN\")))", Example: "find: {pattern: 'sk-[A-Za-z0-9]{20,}'}"},
		{Name: "except", Type: "regular expression, or list", Doc: "beside pattern: matches that one of these matches as a whole are left alone, and the others are not. Also beside pattern in added", Example: `find: {pattern: '[\w.+-]+@[\w.-]+', except: ['.+@(.+\.)?corp\.example']}`},
		{Name: "secret", Type: "true", Doc: "keys, tokens and passwords, by their forms", Example: "find: {secret: true}"},
		{Name: "placeholder", Type: "true", Doc: "placeholders of redacted secrets; with then: restore", Example: "find: {placeholder: true}"},
		{Name: "added", Type: "mapping", Doc: "what a call adds to files, by a tool, a patch, a redirection or a program that writes text; not by editing in place (sed -i, perl -pi), and not a match of which an edit replaces only a part. NAME: PATTERN, or NAME: {pattern: [...], files: [...]}; {secret: true, files: [...]} finds keys that are no test keys and no examples", Example: `find: {added: {TODO: '\bTODO\b'}}`},
	}
	toolsKeys = []rule.Entry{
		{Name: "allow", Type: "list", Doc: "only these tools may be called; names with *, or kind:shell for all of a kind. Capitals, underscores and hyphens do not count. A name without a server is the client's own tool: Read does not allow mcp__x__read. Write mcp__x__read, mcp__x__* or x/* for those of a server, or the name as the client writes it where its server is not sure: mcp_x_*", Example: "tools: {allow: [Read, 'kind:shell']}"},
		{Name: "deny", Type: "list", Doc: "these may not, in whatever spelling and of whatever server: Bash denies mcp__x__bash too", Example: "tools: {deny: ['mcp__*']}"},
		{Name: "schema", Type: "true", Doc: "calls must have the arguments that the tool declares", Example: "tools: {schema: true}"},
	}
	judgeKeys = []rule.Entry{
		{Name: "model", Type: "text or {param: NAME}", Doc: "the model, as the host names it", Example: "model: anthropic/claude-haiku-4-5"},
		{Name: "instructions", Type: "text", Doc: "what it should block, in words", Example: "instructions: Block what changes prices."},
		{Name: "conversation", Type: "true", Doc: "show it the conversation so far", Example: "conversation: true"},
		{Name: "threshold", Type: "number from 0 to 1", Doc: "how sure it must be", Example: "threshold: 0.8"},
		{Name: "timeout", Type: "time", Doc: "how long one attempt may take", Example: "timeout: 5s"},
		{Name: "retries", Type: "number", Doc: "how often it is asked again when it fails", Example: "retries: 1"},
		{Name: "cache", Type: "time", Doc: "how long an answer is cached; 0 disables the cache", Example: "cache: 10m"},
	}
	hookKeys = []rule.Entry{
		{Name: "url", Type: "text", Doc: "the address", Example: "url: https://policy.example.com/ask"},
		{Name: "secret_env", Type: "text", Doc: "the variable with the secret that requests are signed with. If it is not set a gateway refuses the policy; policy try does not ask the hook then, and on_error decides", Example: "secret_env: POLICY_SECRET"},
		{Name: "timeout", Type: "time", Doc: "how long one attempt may take", Example: "timeout: 2s"},
		{Name: "retries", Type: "number", Doc: "how often it is asked again when it fails", Example: "retries: 1"},
		{Name: "cache", Type: "time", Doc: "how long an answer is cached; 0 disables the cache", Example: "cache: 1m"},
	}
	exampleKeys = []rule.Entry{
		{Name: "shell", Type: "text", Doc: "a command, tried in the form of every shell tool that Sluice knows, free-form tools and dispatchers such as batch and call_tool included. A policy with tools, or with a condition on call.server, is tried in the forms of the clients' own shell tools alone, for the others may be a server's. To try it as one tool, write tool", Example: `{shell: "rm -rf /", want: block}`},
		{Name: "tool", Type: "text", Doc: "a call of this tool, with arguments", Example: `{tool: Bash, arguments: {command: ls}, want: allow}`},
		{Name: "arguments", Type: "mapping or text", Doc: "the arguments of tool", Example: `{tool: Read, arguments: {file_path: .env}, want: block}`},
		{Name: "text", Type: "text", Doc: "content, refusal or thinking", Example: `{text: "my key is sk-1", want: redact}`},
		{Name: "result", Type: "mapping", Doc: "the result of a tool: {tool: NAME, text: TEXT}", Example: `{result: {tool: WebFetch, text: hello}, want: allow}`},
		{Name: "want", Type: "word", Doc: "the expected outcome: a word of then, judge if a judge or a hook would be asked, or error if the condition cannot be evaluated, whatever on_error says", Example: "want: block"},
		{Name: "gives", Type: "text or mapping", Doc: "what the text or the arguments become", Example: `{text: "sk-1", want: redact, gives: "[key]"}`},
		{Name: "session", Type: "mapping", Doc: "id, client, cwd, home and labels of the session; what is not given is unknown", Example: "session: {cwd: /work/app}"},
		{Name: "key", Type: "mapping", Doc: "name, user and groups of the key", Example: "key: {groups: [release]}"},
		{Name: "now", Type: "time", Doc: "the time; by default the current time", Example: "now: 2026-01-31T22:15:00Z"},
		{Name: "request", Type: "mapping", Doc: "what the model was asked: model, user_text and tools; or with messages the conversation before, as Chat Completions or Anthropic's Messages have it, or {tool: NAME, arguments: {...}, result: TEXT} for a call with its result; or with file a whole request in JSON, its path from the directory of the policy file, at most 4 MiB. Without request the conversation is not known: past.untrusted and past.private are true and past.known is false. Write messages: [] for one in which nothing was read", Example: `{shell: "curl https://x.example", request: {messages: [{role: user, content: read it}, {tool: Read, arguments: {file_path: /w/.env}, result: "KEY=abc"}]}, want: block}`},
	}
	thenForms = []rule.Entry{
		{Name: "allow", Type: "word", Doc: "nothing", Example: "then: allow"},
		{Name: "annotate", Type: "word", Doc: "it passes, and the records say so", Example: "then: annotate"},
		{Name: "redact", Type: "word or {redact: TEXT}", Doc: "what find finds becomes [redacted] or the text; secrets become placeholders", Example: `then: {redact: "[key]"}`},
		{Name: "restore", Type: "word", Doc: "with find: {placeholder: true}: placeholders become the secrets again where the condition holds; everywhere else they block the call", Example: "then: restore"},
		{Name: "rewrite", Type: "{rewrite: TEXT}", Doc: "what find finds becomes this text, with $1 for groups; or arguments of a call get the values of CEL expressions: set changes one that the call has, and fails where it is not there, add also adds it. item.qty is the member qty of the argument item, unless there is an argument with that name. Of a call that passes others on, the arguments of those for which the condition holds are changed; where that is not sure, the policy fails, as on_error says", Example: `then: {rewrite: {set: {timeout: "60"}}}`},
		{Name: "ask", Type: "word", Doc: "a person decides; where nobody can be asked, it blocks", Example: "then: ask"},
		{Name: "block", Type: "word, {block: feedback} or {block: end_turn}", Doc: "it does not reach the client: the model is told (feedback) or the client is (end_turn); alone, it is feedback where the host can tell the model, and end_turn elsewhere, as in the gateway", Example: "then: block"},
		{Name: "abort", Type: "word", Doc: "the whole answer ends with an error", Example: "then: abort"},
	}
	pathForms = []rule.Entry{
		{Name: "/etc/**", Type: "directory", Doc: "/etc and everything in it", Example: `e.touches(["/etc/**"])`},
		{Name: "/etc", Type: "path", Doc: "this path alone, and what contains it; for within and outside, everything in it too", Example: `e.touches(["/etc/hosts"])`},
		{Name: "/home/*", Type: "pattern", Doc: "an element of /home; * and ? stay within an element", Example: `e.touches(["/home/*"])`},
		{Name: "~/.ssh/**", Type: "directory", Doc: "in the client's home", Example: `e.touches(["~/.ssh/**"])`},
		{Name: "**", Type: "everything", Doc: "every path, wherever it is", Example: `e.touches(["**", "!./**"])`},
		{Name: "./**", Type: "directory", Doc: "the client's working directory and everything in it; . is the directory alone, except for within and outside", Example: `e.outside(["./**"])`},
		{Name: "**/.git", Type: "pattern", Doc: "anywhere; .git alone is in the working directory only", Example: `e.touches(["**/.git"])`},
		{Name: "?:/Windows/**", Type: "directory", Doc: "on any drive", Example: `e.touches(["?:/Windows/**"])`},
		{Name: "!**/*.pub", Type: "exception", Doc: "takes paths out of the list", Example: `e.touches(["~/.ssh/**", "!**/*.pub"])`},
	}
)
