// Package decisions asks slow deciders, models and other machines, as rarely as
// possible and never for longer than allowed. It is the common part of
// policy/judge and policy/hook.
//
// An [Asker] takes a question under a [Key] that identifies everything the
// answer depends on. It
//
//   - answers from memory if the same question was answered a short time ago,
//   - lets everybody who asks the same question at the same time wait for one
//     answer, each for as long as they like,
//   - asks again when a failure may pass, within one deadline for everything,
//   - asks only so many questions at once.
//
// Only answers are cached, never failures. A question that panics has failed.
package decisions
