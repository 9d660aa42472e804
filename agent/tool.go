package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Tool is something that the model can call. NewTool makes one from a function with
// typed arguments. Tools must not be changed once they are given to an agent, and
// are called concurrently by several runs, and several times in one round.
type Tool struct {
	// Name is the name for the model: letters, digits, - and _, at most 64.
	Name        string
	Description string
	// Schema is the JSON schema of the arguments, nil for a tool without any.
	Schema json.RawMessage
	// ReturnDirect says that the result is for the caller: if all tools that a
	// round called say so, the run ends with their results and the model is not
	// asked again.
	ReturnDirect bool
	// Sequential says that nothing else runs concurrently: calls before it
	// finish first, and those after it wait.
	Sequential bool
	// Timeout bounds one call of Run; 0 means no bound but that of the run. Time
	// spent in LoopConfig.Around itself does not count.
	Timeout time.Duration
	// Run does the work. It must return when ctx is done: the run waits for it.
	// The model is told its error, unless that is one of Fatal or Interrupt.
	Run func(ctx context.Context, call Call) (Output, error)

	// err is why the tool cannot be used, reported when it is given to an agent.
	err error
}

// Call is one call of a tool.
type Call struct {
	// ID identifies the call in its run.
	ID string
	// Name is the tool's name.
	Name string
	// Arguments is one JSON object: what the model wrote, {} if that is empty.
	Arguments json.RawMessage
	// Round is the round in which the model called.
	Round int
	// Answer is a person's answer if the call was interrupted before, else nil.
	Answer json.RawMessage
}

type callKey struct{}

// CallOf returns the call that a tool is run for with ctx, for tools that are made
// with NewTool and need more than their arguments. Outside a tool it is empty.
func CallOf(ctx context.Context) Call {
	call, _ := ctx.Value(callKey{}).(Call)
	return call
}

// run runs a call within the tool's timeout.
func (t *Tool) run(ctx context.Context, call Call) (Output, error) {
	ctx = context.WithValue(ctx, callKey{}, call)
	if t.Timeout <= 0 {
		return t.Run(ctx, call)
	}
	ctx, stop := context.WithTimeoutCause(ctx, t.Timeout, fmt.Errorf("failed: %s took longer than %v", t.Name, t.Timeout))
	defer stop()
	output, err := t.Run(ctx, call)
	if ctx.Err() != nil && safely(func() bool { return errors.Is(err, context.DeadlineExceeded) }) {
		err = context.Cause(ctx)
	}
	return output, err
}

// safely calls a method of an error, which may panic.
func safely(ask func() bool) (yes bool) {
	defer func() {
		if recover() != nil {
			yes = false
		}
	}()
	return ask()
}

// Output is what a tool returns.
type Output struct {
	// Text is what the model is told.
	Text string
	// Failed says that the call failed.
	Failed bool
}

// Fatal makes a tool's error stop the run.
func Fatal(err error) error {
	if err == nil {
		err = errors.New("a tool stopped the run without saying why")
	}
	return &FatalError{Err: err}
}

// FatalError is an error of a tool that stopped the run.
type FatalError struct {
	// Tool is the tool that stopped it, once it did.
	Tool string
	Err  error
}

// Error names the tool and the cause.
func (e *FatalError) Error() string {
	if e.Tool == "" {
		return "agent: " + e.Err.Error()
	}
	return fmt.Sprintf("agent: tool %s stopped the run: %v", e.Tool, e.Err)
}

// Unwrap returns the cause.
func (e *FatalError) Unwrap() error { return e.Err }

// Interrupt makes a tool's call wait for a person: the run ends with the reason
// Interrupted, and its Result has a State that can be stored and resumed. Then the
// tool is called again, with the person's answer. Question is what the person is
// asked; it must be JSON-marshallable.
func Interrupt(question any) error { return &interruptError{question} }

type interruptError struct{ question any }

func (e *interruptError) Error() string { return fmt.Sprintf("a person must answer: %v", e.question) }

// Decline says that a call was not run after all: the arguments are Invalid, or a
// person Refused. It is for tools that find out before they do anything, and for
// Around. The model is told the reason.
func Decline(why Outcome, reason string) error { return &declinedError{why, reason} }

type declinedError struct {
	why    Outcome
	reason string
}

func (e *declinedError) Error() string { return e.reason }

// check says why a tool cannot be used.
func (t *Tool) check() error {
	switch {
	case t == nil:
		return errors.New("agent: a tool is nil")
	case t.err != nil:
		return fmt.Errorf("agent: tool %q: %w", t.Name, t.err)
	case t.Name == "":
		return errors.New("agent: a tool has no name")
	case !legalName(t.Name):
		return fmt.Errorf("agent: tool %q: providers allow only letters, digits, - and _ in a name, and at most %d of them", t.Name, longestName)
	case t.Run == nil:
		return fmt.Errorf("agent: tool %q has no Run", t.Name)
	case t.Schema != nil && !isObject(t.Schema):
		return fmt.Errorf("agent: tool %q: its schema is not a JSON object", t.Name)
	case t.Timeout < 0:
		return fmt.Errorf("agent: tool %q: its timeout is negative", t.Name)
	default:
		return nil
	}
}

// checkTools says why a list of tools cannot be used.
func checkTools(tools []*Tool) error {
	var errs []error
	seen := make(map[string]bool, len(tools))
	for _, t := range tools {
		if err := t.check(); err != nil {
			errs = append(errs, err)
			continue
		}
		if seen[t.Name] {
			errs = append(errs, fmt.Errorf("agent: two tools are named %q", t.Name))
		}
		seen[t.Name] = true
	}
	return errors.Join(errs...)
}

// longestName is the longest name that all providers allow.
const longestName = 64

// legalName reports whether all providers accept a tool's name.
func legalName(name string) bool {
	for i := range len(name) {
		if !nameByte(name[i]) {
			return false
		}
	}
	return name != "" && len(name) <= longestName
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

// isObject reports whether data is one JSON object.
func isObject(data []byte) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal(data, &object) == nil && object != nil
}
