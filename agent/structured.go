package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// StructuredConfig says how an answer in JSON is asked for. The zero value is ready
// to use.
type StructuredConfig struct {
	// Repairs is how often a run asks again because an answer was wrong; 0 means
	// DefaultRepairs, a negative number never.
	Repairs int
	// Order is where it stands; 0 means StructuredOrder. It must stand inside of
	// the tool loop, and inside of a memory.
	Order int
	// Instruction is what the model is told before the schema; empty means the
	// usual words.
	Instruction string
}

// The defaults of StructuredConfig.
const (
	DefaultRepairs  = 2
	StructuredOrder = InsideLoop + 1000
)

const usualInstruction = "Your final answer must be one JSON object that fits the JSON Schema below, and nothing else: " +
	"no explanation and no Markdown around it. You can call tools before."

// Structured is the advisor that makes a run end with an answer of a Go type, as
// JSON. Decode reads it.
//
// It tells the model the schema in the System text of each request; what providers
// offer for that themselves (response_format and the like) is not used, so that it
// is the same for all of them and goes together with tools. An answer that calls no
// tools is compared with the schema: it must be one JSON object, with no key twice,
// that fits the schema and the type. One Markdown fence around it is no fault, and is
// left in the answer. If it is wrong, the model is asked again, with the wrong answer
// and what is wrong with it as messages. When all repairs are used, the run fails
// with a *StructuredError.
//
// It stands inside of the tool loop: what the loop, the memories and advisors further
// out get is the good answer, as if the model had said it at once. Wrong answers and
// what was said about them are never stored and are not in Result.Messages. Their
// cost is in Result.Rounds and Result.Usage.
//
// An answer that the provider cut, or that is a refusal, is not repaired: it fails at
// once. Rounds that call tools pass as they are, and runs that end otherwise than
// with an answer (ReturnedDirectly, CallsLeft, Interrupted, a limit, Cancelled) end
// so, without JSON: look at Result.Reason.
//
// Text of an answer is seen when it is known that it stays: that of a round that calls
// tools from its first call on, and a good answer as one EventText, at its end. The
// EventRoundEnd of a wrong answer is not seen, so that numbers of rounds are left out.
// Everything else passes at once, thinking of answers that turn out to be wrong
// included.
type Structured struct {
	cfg    StructuredConfig
	check  func(text string) error
	system string
}

// repairs are the wrong answers of a run.
type repairs struct{ problems []string }

// NewStructured returns the advisor for answers of the type T: a struct, or a map
// with strings as keys. Its schema is made as the one of the arguments of NewTool.
func NewStructured[T any](cfg StructuredConfig) (*Structured, error) {
	raw, check, err := answersOf[T]()
	if err != nil {
		return nil, err
	}
	if cfg.Repairs == 0 {
		cfg.Repairs = DefaultRepairs
	}
	if cfg.Order == 0 {
		cfg.Order = StructuredOrder
	}
	if cfg.Instruction == "" {
		cfg.Instruction = usualInstruction
	}
	return &Structured{
		cfg:    cfg,
		check:  func(text string) error { return check(text, new(T)) },
		system: cfg.Instruction + "\n" + string(raw),
	}, nil
}

// Name is "structured output".
func (s *Structured) Name() string { return "structured output" }

// Order is where it stands.
func (s *Structured) Order() int { return s.cfg.Order }

// Advise asks until the answer is good.
func (s *Structured) Advise(ctx context.Context, req *Request, next Next) Events {
	return func(yield func(Event, error) bool) {
		r := req.Clone()
		r.System = strings.TrimSpace(r.System + "\n\n" + s.system)
		var here repairs
		for {
			a := draft{yield: yield}
			if !a.hear(next(ctx, r)) {
				return
			}
			problem, hopeless := s.judge(a.final.Final)
			if problem == "" {
				a.show()
				return
			}
			if err := s.repair(ctx, r, s.known(r, &here), a.final.Final, problem, hopeless); err != nil {
				yield(Event{}, err)
				return
			}
		}
	}
}

// judge says what is wrong with an answer, and whether asking again is of no use.
func (s *Structured) judge(r *Result) (problem string, hopeless bool) {
	if r.Answer != nil && r.Answer.Refusal() != "" {
		return "the model refused to answer", true
	}
	switch r.Reason {
	case Done:
	case Truncated, Filtered, Unfinished:
		return incomplete(r), true
	default:
		return "", false
	}
	if err := s.check(r.Text()); err != nil {
		return err.Error(), false
	}
	return "", false
}

// repair makes the request one that asks again, or says why nobody asks again.
func (s *Structured) repair(ctx context.Context, r *Request, so *repairs, wrong *Result, problem string, hopeless bool) error {
	so.problems = append(so.problems, problem)
	failed := &StructuredError{Text: wrong.Text(), Problems: slices.Clone(so.problems), Attempts: len(so.problems)}
	switch {
	case hopeless || len(so.problems) > s.cfg.Repairs:
		return failed
	case ctx.Err() != nil:
		failed.cause = context.Cause(ctx)
		return failed
	case r.run != nil && r.run.when.Load() != 0: // somebody waits for the end of the answer
		failed.cause = ErrCancelled
		return failed
	}
	if said, ok := finalMessage(wrong.Answer); ok {
		r.Messages = append(r.Messages, said)
	}
	r.Messages = append(r.Messages, userText(fmt.Sprintf(
		"That answer cannot be used: %s. Answer again with one JSON object that fits the schema, and nothing else.",
		strings.TrimSuffix(problem, "."))))
	return nil
}

// known returns what was wrong in the run of a request until now. A run has several
// rounds, each of which comes here; a request that is in no run has only itself.
func (s *Structured) known(r *Request, here *repairs) *repairs {
	if r.run == nil {
		return here
	}
	if r.run.repairs == nil {
		r.run.repairs = make(map[*Structured]*repairs)
	}
	if so := r.run.repairs[s]; so != nil {
		return so
	}
	r.run.repairs[s] = here
	return here
}

var _ Ordered = (*Structured)(nil)
