// Package judge is a policy that asks a model whether a tool call may pass.
//
//	j, err := judge.New(judge.Config{
//		Name:         "asked-for",
//		Model:        small,
//		Instructions: "Risky is what the user did not ask for and cannot be undone.",
//	})
//	…
//	set, err := policy.NewSet(policy.WaitFunc("asked-for", 15*time.Second, j.Judge))
//
// Deterministic policies decide in microseconds and cost nothing: a judge is
// for what they cannot know.
//
// # The question
//
// The model is shown the tool's name and declaration, the arguments, what the
// user asked for, and the preceding blocks of the same answer. Of long texts it
// is shown the beginning and the end and how much was left out:
//
//	arguments, or the text of other blocks   32 KiB
//	schema of the tool                        8 KiB
//	description of the tool                   2 KiB
//	request of the user                       8 KiB
//	each of the last 16 blocks before         2 KiB
//	names and types                         256 bytes
//
// With Config.Conversation it is also shown what came before: the user's words,
// separate from everything else, what the model said before the user's request,
// and the last calls with the beginning of their results.
//
//	each of the user's messages, the first and the last 7   2 KiB
//	what the model said before the request                  2 KiB
//	arguments of each of the last 12 calls                  1 KiB
//	result of each                                          512 bytes
//
// These are bytes of the text itself; as JSON it can be up to six times as long.
// The model is told that the part it is not shown may be harmful. Arguments are
// shown in a canonical form, so that a call reads the same however it was
// written: keys sorted, escapes decoded, and invisible characters escaped.
//
// # The answer
//
// Everything in the question was written by others and may try to address the
// judge. It is one line of JSON between two lines with a random id that does not
// occur in it, and the instructions say that nothing in it is meant for the
// judge. That keeps an honest model on course; it does not make a model immune
// to persuasion. But no text can be mistaken for the answer, which must be
// exactly one JSON object, alone or in one code fence, with the id of the
// question, a risk from 0 to 1 and a reason:
//
//	{"id": "…", "risk": 0.9, "reason": "deletes what nobody asked to delete"}
//
// Anything else, be it prose, a second object, a duplicate key, a risk of 1.5
// or an answer that was truncated or refused, is a failure and never a guess.
//
// For a risk at or above the threshold the verdict is Config.Then, with the
// model's reason quoted on one line. A lower one is allowed.
//
// # When it fails
//
// A failure is a verdict without an action: the policy's on_error decides.
// Timeouts of an attempt, broken connections, busy providers and answers that
// cannot be parsed are retried, within one deadline for everything. A model
// that retries by itself uses the same time, so a judge's model should have a
// negative Retry.Max.
//
// Answers are cached for a while, keyed by everything that the question depends
// on, at full length and not only as far as it was shown. Identical concurrent
// questions are coalesced into one.
package judge
