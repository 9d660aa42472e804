// Package policies enforces policies in an agent: what the gateway enforces for
// programs that you cannot change, a Guard enforces in your own, with the same files
// and the same engine.
//
//	guard, err := policies.Load("policies.yaml") // alongside the preset recommended
//	if err != nil {
//		return err // every problem with its file and line
//	}
//	client, err := agent.New(agent.Config{Model: m, Tools: tools, Advisors: []agent.Advisor{guard}})
//
// Config.Load offers more: models for files with a judge, and what conditions ask about
// the session:
//
//	guard, err := policies.Config{
//		Session: policy.Session{Cwd: "/srv/app", Home: "/home/ada"},
//		Models:  func(name string) (model.Model, error) { return small, nil },
//	}.Load("policies.yaml")
//
// New offers more: a set that can be swapped while agents run, how people are
// asked, who receives verdicts, what policies know about the client.
//
// # Position in the chain
//
// A guard is an agent.Advisor. It is inside the tool loop, next to the model, so
// every answer of every round is judged before anything sees it, stores it or runs
// what it calls. It cannot be outside the loop.
//
// # What is shown, and when
//
// Nothing of a block that is judged is shown before its verdict, and what follows it
// waits behind it. What no policy applies to passes at once: the text before the
// first call streams as it would without a guard. Where patterns are replaced in a
// text, they are replaced in what is shown and in what is stored, and the text is
// held back only from where a pattern may still match. The order of events does not
// change.
//
// There is an event for the end of a call, but not for that of a text. So a text that
// is judged as a whole is shown when its round has ended.
//
// # What happens to a call
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
// Calls that are truncated, have no name, or have arguments that are not a single,
// unambiguous JSON object are blocked if a policy of the set applies to calls.
// Without a tool loop in the chain the model cannot be told, so block means
// end_turn.
//
// A blocked text is replaced by one that says so, which is also in
// Answer.Withheld. How often a model is told of denials in one run is bounded by
// the limits of the tool loop.
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
// Several questions can be open at once. No answer in time counts as no. Programs
// that do not look at events should use Interrupts, which ends the run with a State
// to be resumed with the answers, or an Approver of their own; the events of an
// interrupted call are shown, so that people can see what they decide about. The
// record of an interrupted call says ask; the person's answer is in the resumed run.
//
// # Asynchronous policies
//
// Judges, hooks and people are asked concurrently with the stream, several at once,
// with their timeouts. What they allow is shown with the next event of the model,
// or when the model has ended. The end of a round waits for shadow policies, so
// that their verdicts are recorded. Nothing is left running when the range over the
// events has ended, except for a policy that ignores its context.
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
// Config.Record gets the verdict on every block, as defined by package policy: before
// a judged block is shown, and after the others were. Record.Block is the index in
// Answer.Blocks.
package policies
