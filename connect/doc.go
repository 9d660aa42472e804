// Package connect knows what each client needs to reach a gateway: the
// variables, options and settings of Claude Code, Codex, opencode, Qwen Code and
// Gemini CLI, and what any other program gets. It starts a client and proves the
// path. All it knows about the gateway is its URL.
//
//	client, _ := connect.Find("claude")
//	launch, err := connect.Prepare(client, connect.Options{
//		BaseURL: "http://127.0.0.1:8484",
//		Env:     os.Environ(),
//		Args:    []string{"-p", "tidy up"},
//	})
//	code, err := connect.Run(ctx, launch, connect.RunOptions{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr})
//
// # What Prepare promises
//
// The user's logins, keys and settings keep working, and no file of the user's
// is changed. Where the user had pointed the client elsewhere, that place
// becomes the gateway's upstream ([Launch.Upstream]). What would bypass the gateway is overridden with the
// strongest means that the client offers, and where there is none Prepare refuses with a [RefusedError] that says
// what to do: a client that only seems protected would be worse than none.
//
// A file that came with a repository does not decide where requests and
// credentials go: an address, a proxy, a provider or a credential helper in it is
// overridden or refused, and is never taken as the upstream. What a repository's
// settings start by themselves (hooks, plugins, MCP servers) is beyond a gateway's
// reach; hooks and plugins are named in [Launch.Notes].
//
// The strongest means differ. Claude Code's settings files have variables that take
// precedence over the environment, so ours are passed as --settings where needed.
// Codex takes -c options, which are all moved to the front, ours last. opencode
// takes OPENCODE_CONFIG_CONTENT, and providers that cannot be pointed at the gateway
// are switched off. Qwen Code gets system settings in a temporary file where
// variables are too weak. Gemini CLI takes variables.
//
// # Permanent setups and proof
//
// [Settings] returns the files for a permanent or company-wide setup, and [Edits]
// the changes to existing files: [Edit.Write] keeps a copy of each, and [Undo]
// restores it. [Canary] asks a gateway for a destructive call in a client's dialect,
// whole and streamed, and proves that it comes back blocked; [Doctor] checks the
// client as well.
package connect
