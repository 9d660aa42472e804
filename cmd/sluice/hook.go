package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

func newHook() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hook",
		Short: "Judge tool calls for a client that asks",
		Long: `Some clients ask a program before they run a tool. These commands are such
programs: they decide with the same policy files as everything else.`,
		Example: `  sluice hook claude-code --help`,
		// A client that calls this wrongly must get an error, and must not
		// take the help for consent.
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("hook: name a client: claude-code")
			}
			return unknownCommand(cmd, args[0])
		},
	}
	cmd.AddCommand(newHookClaudeCode())
	return cmd
}

func newHookClaudeCode() *cobra.Command {
	var policies []string
	cmd := &cobra.Command{
		Use:   "claude-code [flags]",
		Short: "Judge the tool calls of Claude Code",
		Long: `Reads the input of a PreToolUse hook of Claude Code from standard input and prints
its decision. What the policies let pass is left to Claude Code's own permissions:
nothing is printed. What they block is denied, and the model is told why. Where they
ask, the user is asked. Where they rewrite or redact, the user is asked about the
changed call.

To install it, add to .claude/settings.json or ~/.claude/settings.json:

  {
    "hooks": {
      "PreToolUse": [
        {
          "matcher": "*",
          "hooks": [
            {
              "type": "command",
              "command": "sluice hook claude-code",
              "timeout": 30,
              "onFailure": "block"
            }
          ]
        }
      ]
    }
  }

That enforces ` + defaultPolicies + `. Add --policies FILE to that command for
policies of your own, with an absolute path or one below ~: the hook starts in
whatever directory the session is in. A file that cannot be read denies every call,
because nothing can be judged without it.

If the hook cannot start or takes too long, Claude Code before 2.1.295, and every
version without "onFailure", runs the tool anyway.

The policy protect-sluice protects this hook: its program, its policies, the
settings that name it, and every place in PATH where a program of its name would be
found.

No model is set up here: a judge fails, and its on_error decides. Events other
than PreToolUse are ignored.

Exit codes: 0 the answer, if there is one, is on standard output; 2 no decision
was possible (the input or the policies cannot be read), which Claude Code treats
as a denial. It never exits with another code.`,
		Example: `  sluice hook claude-code
  sluice hook claude-code --policies preset:paranoid
  echo '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}' |
    sluice hook claude-code`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			answer, decided, err := answerClaudeCode(cmd.Context(), cmd.InOrStdin(), policies)
			if err != nil {
				// The exit code of every other error, which is 2, blocks.
				return fmt.Errorf("hook claude-code: the tool call is not allowed, because it could not be judged: %w", err)
			}
			if !decided {
				return nil
			}
			return showJSON(cmd.OutOrStdout(), answer)
		},
	}
	cmd.Flags().StringArrayVarP(&policies, "policies", "p", []string{defaultPolicies}, policiesUsage)
	return cmd
}

// maxHookInput is the most bytes of a hook's input.
const maxHookInput = 16 << 20

// The events and decisions of Claude Code.
const (
	preToolUse   = "PreToolUse"
	decisionDeny = "deny"
	decisionAsk  = "ask"
)

// hookAnswer is what Claude Code reads on standard output.
type hookAnswer struct {
	Output struct {
		Event        string          `json:"hookEventName"`
		Decision     string          `json:"permissionDecision"`
		Reason       string          `json:"permissionDecisionReason"`
		UpdatedInput json.RawMessage `json:"updatedInput,omitempty"`
	} `json:"hookSpecificOutput"`
}

// hookCall is what Claude Code is about to run.
type hookCall struct {
	event, session, cwd string
	block               llm.Block
}

// answerClaudeCode judges the call in a hook's input. Where it makes no
// decision, Claude Code's own permissions decide.
func answerClaudeCode(ctx context.Context, in io.Reader, policies []string) (answer hookAnswer, decided bool, err error) {
	asked, err := readHookInput(in)
	if err != nil || asked.event != preToolUse {
		return hookAnswer{}, false, err
	}
	home, _ := os.UserHomeDir()                        // empty if there is none
	loaded, err := loadHook(asked.cwd, home, policies) //nolint:contextcheck // see run
	if err != nil {
		return hookAnswer{}, false, fmt.Errorf("the policies cannot be used: %w", err)
	}
	return asked.judge(ctx, loaded.Set, home)
}

// loadHook loads the policies for calls on this machine: here, and only here, it is the
// client's.
func loadHook(cwd, home string, policies []string) (*file.Loaded, error) {
	var missing absent
	return file.Load(file.Options{Models: missing.model, Feedback: true, Approver: true, Host: hookHost(cwd, home)}, policies...)
}

// judge decides about the call, see answerClaudeCode.
func (c *hookCall) judge(ctx context.Context, set *policy.Set, home string) (answer hookAnswer, decided bool, err error) {
	x := &policy.Exchange{Session: policy.Session{ID: c.session, Client: "claude-code", Cwd: c.cwd, Home: home}}
	user := &userLater{}
	record := set.Decide(ctx, x, c.block, policy.Options{Approver: user})
	if err := ctx.Err(); err != nil {
		return hookAnswer{}, false, err
	}
	answer, decided = answerOf(&record, user)
	return answer, decided, nil
}

// readHookInput reads the input of a hook: one JSON object that can be read in
// one way only.
func readHookInput(in io.Reader) (*hookCall, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxHookInput+1))
	if err != nil {
		return nil, fmt.Errorf("the input cannot be read: %w", err)
	}
	if len(data) > maxHookInput {
		return nil, fmt.Errorf("the input is larger than %s", size(maxHookInput))
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("the input is empty: this is a hook of Claude Code, which sends JSON; see --help")
	}
	if llm.CheckArguments(string(data)) != nil {
		return nil, errors.New("the input is not one JSON object without duplicate keys")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, fmt.Errorf("the input is not the JSON object of a hook: %w", err)
	}
	text := func(name string) (value string) {
		if raw, ok := members[name]; ok && err == nil {
			if failed := json.Unmarshal(raw, &value); failed != nil {
				err = fmt.Errorf("%s is not a string: %w", name, failed)
			}
		}
		return value
	}
	c := &hookCall{event: text("hook_event_name"), session: text("session_id"), cwd: text("cwd")}
	c.block = llm.Block{
		Kind: llm.ToolCall, Type: "tool_use", Status: llm.Complete,
		ID: text("tool_use_id"), Name: text("tool_name"), Arguments: string(members["tool_input"]),
	}
	switch {
	case err != nil:
		return nil, err
	case c.event == "":
		return nil, errors.New("the input has no hook_event_name")
	case c.event != preToolUse:
		return c, nil
	case c.block.Name == "":
		return nil, errors.New("the input has no tool_name")
	case c.block.Arguments == "":
		return nil, errors.New("the input has no tool_input")
	}
	return c, nil
}

// answerOf turns a verdict into a decision. It is never "allow", which would
// answer questions that the user wants to be asked.
func answerOf(r *policy.Record, user *userLater) (a hookAnswer, decided bool) {
	a.Output.Event = preToolUse
	what := "Sluice blocked " + oneLine(r.Name, 80)
	changed := r.In != r.Out
	switch {
	case !r.Delivered:
		a.Output.Decision = decisionDeny
		a.Output.Reason = because(what, &r.Verdict)
		if missing, ok := errors.AsType[*notAskedError](r.Verdict.Err); ok {
			a.Output.Reason += ", " + oneLine(missing.Error(), 200)
		}
		a.Output.Reason += ". Do not repeat it; find another way or ask the user."
		return a, true
	case changed && llm.CheckArguments(r.Out) != nil:
		a.Output.Decision = decisionDeny
		a.Output.Reason = because(what+", which had to be changed and cannot be", &r.Verdict)
		return a, true
	case changed:
		a.Output.UpdatedInput = json.RawMessage(r.Out)
		a.Output.Reason = because("Sluice changed this call of "+oneLine(r.Name, 80), changedBy(r))
	}
	if ask := user.asked(); ask != nil {
		a.Output.Reason = because("Sluice wants you to decide about "+oneLine(r.Name, 80), &policy.Verdict{Policy: ask.Policy, Reason: ask.Reason, Attempt: ask.Attempt})
	} else if !changed {
		return hookAnswer{}, false
	}
	a.Output.Decision = decisionAsk
	return a, true
}

// changedBy is the verdict that changed the call.
func changedBy(r *policy.Record) *policy.Verdict {
	for i := range r.Verdicts {
		if v := &r.Verdicts[i]; !v.Shadow && (v.Action == policy.Rewrite || v.Action == policy.Redact) {
			return v
		}
	}
	return &r.Verdict
}

// because adds reason and policy to a sentence.
func because(what string, v *policy.Verdict) string {
	if v.Attempt != "" {
		what += " (" + v.Attempt + ")"
	}
	if v.Reason != "" {
		what += ": " + strings.TrimRight(oneLine(v.Reason, 500), ".")
	}
	if v.Policy != "" {
		what += " (policy " + oneLine(v.Policy, 80) + ")"
	}
	return what
}

// userLater stands in for the user, whom Claude Code will ask: it approves,
// and remembers that the user still has to approve.
type userLater struct {
	mu   sync.Mutex
	last *policy.Approval
}

// Approve remembers what the user has to be asked.
func (u *userLater) Approve(_ context.Context, ask policy.Approval) (policy.Decision, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.last = &ask
	return policy.Decision{Approved: true}, nil
}

func (u *userLater) asked() *policy.Approval {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.last
}
