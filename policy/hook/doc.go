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
// The arguments are complete and as the model wrote them; "parsed" is missing if they are
// free text, or not a single, unambiguous JSON object, which a receiver should treat as a
// reason to refuse. Context can be long and is then truncated: the user's text after 64 KiB,
// and each of the last 32 blocks before after 16 KiB. A schema of more than 64 KiB is left
// out. "understood" is what the conditions of policies see of a call (see package rule), at
// most 256 commands and as many effects; "unknown" in it says why something may be missing.
// "cut" lists everything that was truncated. A question of more than 16 MiB in total is not
// asked: it fails.
//
// No credentials or headers of clients or providers are ever sent.
//
// # The answer
//
// It has the status 200, the content type application/json, at most 64 KiB, and
// exactly these members:
//
//	{"action": "block", "reason": "Freeze until Monday.", "notes": ["rule 7"]}
//
// Action is one of allow, annotate, ask, block, "block feedback", "block
// end_turn" and abort. A plain block is carried out as Config.Then. Reason and
// notes can be left out. Anything else is a failure, and the policy's on_error
// decides.
//
// # Signatures
//
// With a secret, each request has a header
//
//	Sluice-Signature: t=1700000000,v1=5257a869e7…
//
// where t is the time of sending in seconds since 1970 and v1 the HMAC-SHA256,
// in hexadecimal and keyed with the secret, of t as it appears in the header, a
// full stop, and the body. A receiver computes the same over the bytes it
// received, compares in constant time, and rejects requests older than a few
// minutes. [Verify] does that for receivers in Go.
//
// # When it fails
//
// Broken connections, the statuses 429 and 5xx and attempts that time out are
// retried, within one deadline for everything; other statuses are not.
// Redirects are not followed. Answers are cached for a while, keyed by the
// whole question, and identical concurrent questions are coalesced into one.
package hook
