// Package hook is a policy that asks another machine over HTTP whether a block
// may pass.
//
//	h, err := hook.New(hook.Config{
//		Name:   "change-control",
//		URL:    "https://policy.example.com/sluice",
//		Secret: secret,
//	})
//	…
//	set, err := policy.NewSet(policy.WaitFunc("change-control", 15*time.Second, h.Judge))
//
// # The question
//
// It is a POST with a JSON body; see [Question] for its members. Retries of one
// question have the same id. Members that are empty are left out.
//
//	{
//	  "version": 1,
//	  "id": "QX5SB6KLYFLWBKFQQJ2XNR53BM",
//	  "policy": "change-control",
//	  "stage": "answer",
//	  "kind": "tool_call",
//	  "tool": {"name": "Bash", "type": "tool_use", "declared": true, "schema": {…}},
//	  "arguments": "{\"command\": \"ls\"}",
//	  "parsed": {"command": "ls"},
//	  "user_text": "list the files",
//	  "before": [{"kind": "content", "text": "Let me look."}],
//	  "session": {"id": "…", "client": "…", "cwd": "…", "home": "…", "labels": […]},
//	  "key": {"name": "…", "user": "…", "groups": […]},
//	  "request": {"model": "…"},
//	  "understood": {
//	    "name": "Bash", "kind": "shell",
//	    "commands": [{"name": "ls"}],
//	    "effects": [{"verb": "read", "object": ".", "text": "read ."}]
//	  }
//	}
//
// The arguments are whole and as the model wrote them; "parsed" is missing when
// they are free text, or not one JSON object in exactly one reading, which a
// receiver should take as a reason to refuse. Context can be long and is then cut at its end:
// the user's text after 64 KiB, and each of the last 32 blocks before after
// 16 KiB. A schema of more than 64 KiB is left out. "understood" is what the
// conditions of policies see of a call (see package rule), at most 256 commands and
// as many effects; "unknown" in it says why something may be missing. All that is
// cut is told in "cut".
// A question of more than 16 MiB as a whole is not asked: it fails.
//
// No credentials of clients or providers are ever sent, nor any header of
// theirs.
//
// # The answer
//
// It has the status 200, the content type application/json, at most 64 KiB, and
// exactly these members:
//
//	{"action": "block", "reason": "Freeze until Monday.", "notes": ["rule 7"]}
//
// Action is one of allow, annotate, ask, block, "block feedback",
// "block end_turn" and abort. A plain block is done as Config.Then says. Reason
// and notes can be left out. Anything else is a failure, and the policy's
// on_error decides.
//
// # Signatures
//
// With a secret, each request has a header
//
//	Sluice-Signature: t=1700000000,v1=5257a869e7…
//
// where t is the time of sending in seconds since 1970 and v1 the HMAC-SHA256,
// in hexadecimal and keyed with the secret, of t as it stands in the header, a
// full stop, and the body. A receiver computes the same over the bytes it got,
// compares in constant time, and refuses what is older than a few minutes.
// [Verify] does it for receivers in Go.
//
// # When it fails
//
// Connections that break, the statuses 429 and 5xx and attempts that take too
// long are tried again, within one deadline for everything; other statuses are
// not. Redirects are not followed. Answers are remembered for a while under all
// that was asked, and those who ask the same at the same time share one answer.
package hook
