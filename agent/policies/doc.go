// Package policies enforces policies in an agent: what the gateway enforces for
// programs that you cannot change, a Guard enforces in your own, with the same files
// and the same engine.
//
//	guard, err := policies.Load("policies.yaml") // beside the preset recommended
//	if err != nil {
//		return err // every problem with its file and line
//	}
//	client, err := agent.New(agent.Config{Model: m, Tools: tools, Advisors: []agent.Advisor{guard}})
//
// New takes more: a set that can be swapped while agents run, how people are asked,
// who is told of verdicts, what policies know of the client.
//
// # Where it stands
//
// A guard is an agent.Advisor. It stands inside of the tool loop, next to the model,
// so every answer of every round is judged before anybody sees it, remembers it or
// runs what it calls. It cannot stand outside of the loop.
//
// # What is seen, and when
//
// Nothing of a block that is judged is seen before its verdict, and what follows it
// waits behind it. What no policy is about passes at once: the text before the first
// call streams as it would without a guard. Texts in which patterns are replaced are
// replaced in what is seen and in what is remembered, and held back only from where a
// pattern may still match. The order of events stays as it was.
//
// Events tell the end of a call, but not that of a text. So a text that is judged as a
// whole is seen when its round has ended.
//
// # What becomes of a call
//
//   - allow, annotate: it is run.
//   - rewrite, redact: it is run as it was changed, and remembered so.
//   - block, block feedback: it is not run. It stays in the answer, and the model is
//     told why as its failed result. EventToolStart and EventToolEnd tell of it, its
//     arguments are not streamed.
//   - block end_turn: a text that names the tool, the policy and the reason stands in
//     its place. If no call is left, the turn ends.
//   - abort: the run fails with a *policy.AbortError.
//   - ask: a person decides, see below.
//
// Calls that were cut, have no name, or have arguments that are not one JSON object
// in exactly one reading are blocked if a policy of the set is about calls. Where no
// tool loop is in the chain nobody could tell the model, so block means end_turn.
//
// Of what is not a call, a blocked text is replaced by one that says so, which
// Answer.Withheld has too. How often a
// model is told of denials in one run is bounded by the limits of the tool loop.
//
// # People
//
// Config.Asks says how a person is asked. With Events, the run yields an EventAsk and
// waits:
//
//	case agent.EventAsk:
//		fmt.Println(ev.Ask.Reason, ev.Ask.Call.Name, ev.Ask.Call.Arguments)
//		ev.Ask.Approve("kim") // or Deny; here, or later from any goroutine
//
// Several calls can be asked about at once. Nobody's answer in time is a no. Programs
// that do not look at events should use Interrupts, which ends the run with a State
// to be resumed with the answers, or an Approver of their own; the events of an
// interrupted call are seen, so that people can be shown what they decide about. The
// record of an
// interrupted call says ask; what the person said is in the resumed run.
//
// # Policies that take their time
//
// Judges, hooks and people are asked beside the stream, several at once, with their
// timeouts. What they allow is seen with the next event of the model, or when the
// model has ended. Policies in shadow are waited for at the end of a round, so that
// their verdicts are recorded. Nothing runs any more when the range over the events
// has ended, except for a policy that does not look at its context.
//
// # Results
//
// A policy that applies to tool_result judges what tools returned before the model
// sees it. Only what is sent is changed: memories, events and Result.Messages have
// what the tool returned. Each result is judged once in a run, and sent the same way
// in every round.
//
// A window that summarises a conversation shows it to a model of its own. Give it a
// model behind the guard: agent.NewClient(small, guard), and its Model.
//
// # Records
//
// Config.Record is told of the verdict on every block, in the words of package policy:
// before a judged block is seen, and after the others were. Record.Block is the place
// in Answer.Blocks.
package policies
