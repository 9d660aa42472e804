// Package policy decides which parts of a model's answer may pass, before anyone
// can act on them.
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
// A policy applies to some kinds of blocks, usually tool calls. Blocks that no
// policy applies to pass at once. For each block a policy can
//
//   - see it: See is called for every chunk, which passes on;
//   - transform it: Definition.Text replaces patterns in text while it streams.
//     Text is held back only from where a pattern may still match, and the result
//     is the same as on the whole text;
//   - hold it: Change and Judge get the block when it is complete, and none of it
//     is delivered before the verdict. What follows it in its choice waits behind
//     it; other choices do not.
//
// A client cannot act on half a tool call, so holding one costs it nothing.
//
// # Two phases, one verdict
//
// First the policies that change blocks run, in the order of the set. Then all
// policies that judge see the final form, and the strictest verdict wins:
//
//	abort > block end_turn > block feedback > ask > redact > rewrite > annotate > allow
//
// Policies that decide immediately are asked first. When one of them blocks, the
// slow ones (a model, a person, another program) are not asked. Every block gets
// one [Record], whatever happened to it.
//
// A blocked call is replaced by text that names the tool, what the call would have
// done, the reason and the policy. Other calls of the message are delivered; if none
// is left, the turn ends. With feedback the model is told instead: [Engine.Denials].
//
// # When blocks are delivered
//
// In order, once their end is proven and they and all blocks before them are
// decided: at the end of the message in Chat Completions, Gemini and Anthropic,
// because text that replaces a call must come before the calls that stay; at the
// end of the item in Responses; and in Anthropic at their own verdict if no
// policy of the set can end the turn.
//
// # What never passes
//
// If a policy in the set enforces something about tool calls, a call is blocked
// that was truncated, has no name, or has arguments that are not one JSON object
// with exactly one reading. A policy that fails, panics, times out or decides
// nothing counts as its OnError says, which is Block by default. A block of an
// unknown type that carries a call is judged as one. A call anywhere else than
// where its dialect puts calls ends the answer, whatever it is wrapped in,
// because it cannot be cut out. [Limits] bound everything that is kept; each has
// a named outcome.
//
// What the provider runs itself (server tools) has already happened when it is
// seen. It passes and is recorded; to prevent it, remove the tool from the
// request.
//
// # Who runs it
//
// The host feeds the [Engine], which never waits and owns no goroutine. It is a
// [stream.Handler], so a host can put it behind its own [stream.Processor] and
// select over chunks, [Question]s and clocks itself. [Engine.Run] is such a loop
// for hosts that have none. The writer behind the output must have the
// [Engine.WriterOptions], so that clients get the call that was judged and no
// other. [Set.Decide] judges a single block.
//
// Policies written as data are in package policy/file, conditions in policy/rule;
// policy/judge asks a model, policy/hook another program.
package policy
