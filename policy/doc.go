// Package policy decides what may pass of a model's answer, before anyone can
// act on it.
//
//	set, err := policy.NewSet(policy.Func("no-shell", func(s *policy.Subject) policy.Verdict {
//		if s.Block.Name == "Bash" {
//			return policy.Verdict{Action: policy.Block, Reason: "use the Read tool"}
//		}
//		return policy.Verdict{Action: policy.Allow}
//	}))
//	engine := policy.NewEngine(set, exchange, policy.Options{Format: wire.Anthropic})
//	err = engine.Run(ctx, source, out, policy.RunOptions{})
//
// # See, transform, hold
//
// A policy is about some kinds of blocks, usually tool calls. What no policy is
// about passes at once. Per block a policy can
//
//   - see it: See is called for every chunk, which passes on;
//   - transform it: Definition.Text replaces patterns in text while it streams.
//     Text is held back only from where a pattern may still match, and the result
//     is the same as on the whole text;
//   - hold it: Change and Judge get the block when it is whole, and nothing of it
//     leaves before the verdict. What follows it in its choice waits behind it;
//     other choices do not.
//
// A client cannot act on half a tool call, so holding one costs it nothing.
//
// # Two phases, one verdict
//
// First the policies that change blocks do so, in the order of the set. Then all
// that judge see the final form, and the strictest verdict wins:
//
//	abort > block end_turn > block feedback > ask > redact > rewrite > annotate > allow
//
// Policies that decide in place are asked first. When one of them blocks, those
// that take their time (a model, a person, another program) are not asked. Every
// block gets one [Record], whatever became of it.
//
// A blocked call is replaced by a text that names the tool, the policy and the
// reason. Other calls of the message are delivered; if none is left, the turn
// ends. With feedback the model is told instead: [Engine.Denials].
//
// # When blocks leave
//
// In order, when their end is proven and they and all before them are decided:
// at the end of the message in Chat Completions, Gemini and Anthropic, because a
// text that stands for a call must come before the calls that stay; at the end
// of the item in Responses; and in Anthropic at their own verdict where no
// policy of the set can end the turn.
//
// # What never passes
//
// With a policy that enforces something about tool calls in the set, a call is
// blocked that was cut, has no name, or has arguments that are not one JSON
// object in exactly one reading. A policy that fails, panics, takes too long or
// decides nothing counts as what its OnError says, and that is Block if it says
// nothing. A block of an unknown type that carries a call is judged as one. A
// call that stands anywhere else than its dialect has calls ends the answer,
// whatever it is wrapped in, because it cannot be taken
// out. [Limits] bound everything that is kept; each has a named outcome.
//
// What the provider runs itself (server tools) has happened when it is seen. It
// passes and is recorded; to prevent it, take the tool out of the request.
//
// # Who runs it
//
// [Engine] is fed, never blocks and owns no goroutine. It is a [stream.Handler],
// so a host can put it behind its own [stream.Processor] and select over chunks,
// [Question]s and clocks itself. [Engine.Run] is such a loop for hosts that have
// no other. The writer behind the output must have the [Engine.WriterOptions], so
// that clients get the call that was judged and no other. [Set.Decide] judges a
// single block.
//
// Policies written as data are in package policy/file, conditions in policy/rule;
// policy/judge asks a model, policy/hook another program.
package policy
