package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// StructuredConfig configures how a JSON answer is requested. The zero value is
// ready to use.
type StructuredConfig struct {
	// Repairs is how often a run asks again because an answer was invalid; 0
	// means DefaultRepairs, a negative number never.
	Repairs int
	// Order is the advisor's order; 0 means StructuredOrder. It must be inside
	// the tool loop, and inside a memory.
	Order int
	// Instruction is what the model is told before the schema; empty means the
	// default text.
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
// JSON. Decode decodes it.
//
// It gives the model the schema in the System text of each request; what providers
// offer for that themselves (response_format and the like) is not used, so that it
// works the same for all of them and together with tools. An answer that calls no
// tools is validated: it must be one JSON object, without duplicate keys, that fits
// the schema and the type. A Markdown fence around it is accepted, and left in the
// answer. If it is invalid, the model is asked again, with the invalid answer and
// what is wrong with it as messages. When all repairs are used up, the run fails with
// a *StructuredError.
//
// It is inside the tool loop: the loop, the memories and advisors further out get the
// valid answer, as if the model had given it at once. Invalid answers and the
// messages about them are never stored and are not in Result.Messages. Their cost is
// in Result.Rounds and Result.Usage.
//
// An answer that the provider truncated, or that is a refusal, is not repaired: it
// fails at once. Rounds that call tools pass unchanged, and runs that end without an
// answer (ReturnedDirectly, CallsLeft, Interrupted, a limit, Cancelled) end without
// JSON: check Result.Reason.
//
// Text of an answer is shown when it is known to be accepted: that of a round that
// calls tools from its first call on, and a valid answer as one EventText, at its end.
// The EventRoundEnd of an invalid answer is not shown, so that numbers of rounds are
// skipped. Everything else passes at once, including the thinking of answers that turn
// out to be invalid.
type Structured struct {
	cfg    StructuredConfig
	check  func(text string) error
	system string
}

// repairs are the invalid answers of a run.
type repairs struct{ problems []string }

// NewStructured returns the advisor for answers of the type T: a struct, or a map
// with string keys. Its schema is generated like that of the arguments of NewTool.
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

// Order is the advisor's order.
func (s *Structured) Order() int { return s.cfg.Order }

// Advise asks until the answer is valid.
func (s *Structured) Advise(ctx context.Context, req *Request, next Next) Events {
	return func(yield func(Event, error) bool) {
		r := req.Clone()
		r.System = strings.TrimSpace(r.System + "\n\n" + s.system)
		var here repairs
		for {
			a := draft{yield: yield}
			if !a.take(next(ctx, r)) {
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

// judge says what is wrong with an answer, and whether asking again would be
// useless.
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

// repair turns the request into one that asks again, or says why it does not.
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

// known returns what was wrong so far in the run of a request. A run has several
// rounds, each of which passes here; a request outside a run has only itself.
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
