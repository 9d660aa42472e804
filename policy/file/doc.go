// Package file reads policy files.
//
//	loaded, err := file.Load(file.Options{}, "policies.yaml")
//	if err != nil {
//		return err // file.Problems: every one with file, line, column and what to do
//	}
//	live := policy.NewLive(loaded.Set)
//
// A policy file is YAML with a list of policies. Each has a name, a condition,
// and what happens when the condition holds:
//
//	policies:
//	  - preset: recommended
//	    params: {egress.allow: [github.com], git.protected: [main]}
//	    except: [{policy: git-safety, when: '"release" in key.groups'}]
//
//	  - name: no-prod-kubectl
//	    when: call.commands.exists(c, c.is("kubectl") && c.flag("context").matches("(^|-)prod($|-)"))
//	    then: block
//	    reason: Use --context staging, or open a PR in deploy/.
//	    examples:
//	      - {shell: "env X=1 kubectl --context=prod delete ns a", want: block}
//	      - {tool: Bash, arguments: {command: "kubectl get pods"}, want: allow}
//
//	  - name: no-keys
//	    applies_to: [content, tool_call, tool_result]
//	    find: {pattern: 'sk-[A-Za-z0-9]{20,}'}
//	    then: {redact: "[key]"}
//
// # What a policy is about
//
//	name        identifies it to people: letters, digits, - _ . and /
//	applies_to  kinds of blocks: content, thinking, refusal, tool_call,
//	            server_tool, tool_result, prompt, opaque; [tool_call] if not
//	            said. A prompt is what a request says beside its tool results
//	when        a condition in CEL, see package rule; always true if not said
//
// In addition to the condition, or in place of it, a policy can have one of
// these. The condition then says when it is used.
//
//	find   {pattern: EXPRESSION or list of them}: regular expressions of Go. Of
//	       a call they are looked for in the strings of its arguments, each as
//	       it reads without escapes. Names of arguments are not looked at.
//	       {secret: true}: keys, passwords and tokens, see package secret.
//	       {placeholder: true}: what stands for secrets that were redacted.
//	       {added: {NAME: PATTERN, …}}: what a call adds to files, see below.
//	tools  {allow: [NAME], deny: [NAME], schema: true}: which tools may be
//	       called, and whether with the arguments that they declare; see
//	       package tools.
//	judge  {model, instructions, conversation, threshold, timeout, retries,
//	       cache}: a model is asked; see package judge. With conversation: true
//	       it is shown what was said and done before.
//	hook   {url, secret_env, timeout, retries, cache}: a program is asked; see
//	       package hook. secret_env names the variable that has the secret.
//
// {param: NAME} in place of a judge's model, or of the files of what is added,
// is replaced by the value of a parameter.
//
// # What a call adds
//
// find: {added: …} looks at what a call writes to files with tools that write and
// edit, patches, notebooks and here-documents. It names signs, each with a regular
// expression, a list of them, or with the files in which it counts, which are
// paths as in e.touches:
//
//	find:
//	  added:
//	    tests are skipped: {pattern: ['\bt\.Skip\('], files: ["**/*_test.go"]}
//	    TODO: \bTODO\b
//
// In place of a pattern, secret: true stands for the keys that are in use, as far as a
// text can say so. The messages of commits count as what a call writes, in the file in
// which git keeps them: .git/COMMIT_EDITMSG.
//
// A sign counts if it occurs more often in what the call writes than in what
// that replaces: the old text of an edit, the lines that a patch removes, or
// the file as the conversation wrote or read it before. What is only kept or moved is
// not added. The reason says which signs were found, and where.
//
// # What happens then
//
//	then: allow                   nothing
//	then: annotate                it passes, and the records say so
//	then: redact                  what find finds becomes [redacted]
//	then: {redact: "[key]"}       … or another text, taken as it is. With find:
//	                              {secret: true} each secret becomes a placeholder
//	                              of its own, the same in every text
//	then: restore                 with find: {placeholder: true}: where the
//	                              condition is true, placeholders in a call become
//	                              the secrets again that the tool results of the
//	                              same conversation hold. Where it is not, or
//	                              where a placeholder is not known, the call is
//	                              blocked
//	then: {rewrite: "$1 x"}       what find finds becomes this text, with $1,
//	                              ${1} and ${name} for groups
//	then: {rewrite: {set: {timeout: "60"}}}
//	                              arguments of a call get the values of CEL
//	                              expressions; all others keep their bytes. A
//	                              call without the argument counts as a failure
//	then: {rewrite: {add: {dry_run: "true"}}}
//	                              … and arguments that it has not are added
//	then: ask                     a person decides; where nobody can, it blocks
//	then: block                   in the host's usual way
//	then: {block: feedback}       the model is told instead of the client
//	then: {block: end_turn}       the client is told instead
//	then: abort                   the whole answer ends with an error
//
// reason is what people and the model are told; it should say what to do
// instead. In content that find changes for a reason that does not depend on
// the text, the change is made while it streams. All other blocks that a policy
// is about are held until they are whole.
//
// # When it cannot tell, and when it fails
//
//	on_unknown  judge, ask, block or allow: what happens when the condition
//	            depends on something that is not known, such as a variable in
//	            a command
//	on_error    ask, block or allow: what happens when the policy fails or
//	            takes too long
//
// By default, a policy with a judge or a hook asks it about the unknown. One that
// redacts or rewrites what it finds does so then, too: what is not known to be
// harmless is replaced. Any other that sets arguments, asks, blocks or aborts
// treats the unknown as a reason to block, and one that only annotates lets it
// pass. Failures block where
// the policy would stop something, otherwise they pass. What passes unknown or
// unjudged is always annotated.
//
// A host can override what a failure counts as for all policies with a judge or
// a hook (Options.OnError); a gateway does with failure.judge.
//
// With on_unknown: block, a policy that redacts or rewrites blocks instead, if it
// would change something.
//
// # How it takes part
//
//	mode     enforce, shadow (its verdicts are recorded and do not count) or
//	         disabled (it is checked and left out)
//	timeout  how long a judge or hook may take, 10s if not said
//	params   values that its expressions read as params.NAME: texts, numbers,
//	         truth values and lists of them. `params:` at the top of a file is
//	         for all its policies. NAME: VALUE, or NAME: {default: VALUE, doc:
//	         TEXT}. Dots in names make paths.
//
// Beside `policies:` and `params:` a file can have `doc:`, a text about it.
//
// doc, sees and blind explain a policy to people: what it is for, what it sees
// and what it cannot see. They have no effect. Pages returns them with everything
// else there is to say about a policy, and Page.Markdown formats it as a page.
//
// # Examples
//
// Examples are run when a file is loaded, each on its policy alone, whatever its mode. Those of the embedded
// presets are run if Options.Thorough is set: they are the same for everybody. A policy with a failing
// example is not loaded. An example
// is a mapping with one of
//
//	shell: COMMAND                      in the form of every client's shell tool
//	tool: NAME, arguments: {…}          a call; text for tools that take text
//	text: TEXT                          content, refusal, thinking
//	result: {tool: NAME, text: TEXT}    the result of a tool
//
// and with want, one of the words of then or judge: it would be asked. gives is
// what becomes of the text, or of the arguments as a mapping. Optional are
// session {id, client, cwd, home, labels}, key {name, user, groups} and request
// {model, user_text, tools}; what they do not say is unknown to the policy.
//
// # Presets
//
// `preset: NAME` includes the policies of a file that comes with this package. params sets
// parameters that it declares: NAME: VALUE, or NAME: {add: [VALUE], remove: [VALUE]} to
// extend and shorten a list. except disables one of its policies when a condition is true;
// a policy whose exception is unknown stays in force. mode: shadow or disabled applies to
// all its policies. A path "preset:NAME" loads a preset by itself. The examples of a
// preset are run with its own parameters and without exceptions.
//
// The preset recommended is in force in addition to all files, and comes first,
// unless a source names it, names a preset that includes its policies, or says
// `preset: none` (or is the path preset:none), which Loaded reports. Files that name
// the same preset tune it together, later ones taking precedence; one file names it
// once. `preset: NAME` at the top of a file is short for an entry with nothing else.
// If a host's own presets (Options.Presets) do not include one named recommended,
// there is no such default.
//
// A host that describes itself (Options.Host) adds that to the parameters
// guard.files, guard.private, guard.ports and guard.processes of presets, and so do
// the policy files that are loaded, in addition to whatever is set. It is not part
// of a version.
//
// # What is rejected
//
// A file that is not understood down to the last key is rejected as a whole,
// with all its problems: what cannot be enforced must not look as if it were. A
// file has at most 1 MiB, and a set 1000 policies. YAML aliases can be used,
// within bounds; merge keys cannot.
//
// # Versions
//
// Each policy has a version that identifies what it does. Comments, layout, the
// order of keys, examples and the mode do not change it; parameters and
// exceptions do.
package file
