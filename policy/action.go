package policy

import (
	"fmt"
	"slices"
)

// Action is what becomes of a block. Actions are ordered by strictness: of
// several verdicts the strictest wins, which is the greatest. The zero Action
// is no decision and never lets anything pass.
type Action uint8

const (
	// Allow lets the block pass unchanged.
	Allow Action = iota + 1
	// Annotate lets it pass and records a note.
	Annotate
	// Rewrite lets another form of it pass.
	Rewrite
	// Redact lets it pass without the parts that were found in it.
	Redact
	// Ask lets a person decide. Without an Approver it blocks.
	Ask
	// Block blocks it the way the host usually does: BlockFeedback where the
	// host offers it, else BlockEndTurn.
	Block
	// BlockFeedback tells the model instead of the client, so that the model
	// can try another approach. Where the host does not offer it, it acts as
	// BlockEndTurn.
	BlockFeedback
	// BlockEndTurn replaces the block with a text that says what was blocked.
	BlockEndTurn
	// Abort ends the whole answer with an error.
	Abort
)

var actionNames = [...]string{
	Allow:         "allow",
	Annotate:      "annotate",
	Rewrite:       "rewrite",
	Redact:        "redact",
	Ask:           "ask",
	Block:         "block",
	BlockFeedback: "block feedback",
	BlockEndTurn:  "block end_turn",
	Abort:         "abort",
}

// String returns the action's name in reports and JSON.
func (a Action) String() string {
	if int(a) < len(actionNames) && actionNames[a] != "" {
		return actionNames[a]
	}
	return fmt.Sprintf("action(%d)", uint8(a))
}

// ParseAction reads an action's name.
func ParseAction(name string) (Action, error) {
	if i := slices.Index(actionNames[:], name); i > 0 {
		return Action(i), nil
	}
	return 0, fmt.Errorf("unknown action %q: use allow, annotate, rewrite, redact, ask, block, block feedback, block end_turn or abort", name)
}

// Passes reports whether the block, or a form of it, reaches the client.
func (a Action) Passes() bool { return a >= Allow && a <= Redact }

// Blocks reports whether the block is kept from the client while the answer
// goes on.
func (a Action) Blocks() bool { return a >= Block && a <= BlockEndTurn }

// MarshalText writes the action's name; the zero Action is written as "none".
func (a Action) MarshalText() ([]byte, error) {
	if a == 0 {
		return []byte("none"), nil
	}
	return []byte(a.String()), nil
}

// UnmarshalText reads an action's name.
func (a *Action) UnmarshalText(text []byte) (err error) {
	if string(text) == "none" {
		*a = 0
		return nil
	}
	*a, err = ParseAction(string(text))
	return err
}

// Mode says whether a policy is enforced.
type Mode uint8

const (
	// Enforce applies the verdicts.
	Enforce Mode = iota
	// Shadow only records what the policy would have decided.
	Shadow
)

// String returns the mode's name in policy files.
func (m Mode) String() string {
	if m == Shadow {
		return "shadow"
	}
	return "enforce"
}
