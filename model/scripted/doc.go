// Package scripted is a model that follows a script: the same answers every
// time, without a network and without a key, for tests and demonstrations.
//
// # A script
//
// A script is a list of rounds. Each request is answered by the next [Round],
// which is a list of steps: what the model thinks, says and calls, and how it
// ends.
//
//	m := scripted.New(
//		scripted.Round{scripted.Text("Let me look."), scripted.Call("list", `{"path":"."}`)},
//		scripted.Round{scripted.Text("There are three files.")},
//	)
//	answer, err := model.Collect(ctx, m, req)
//
// Several calls in a round are parallel calls. A round that is not told how to
// end finishes as a real model would: with tool_calls if it called something,
// else with stop.
//
// A round that begins with [When] is for the requests that match, as often as
// they come; all other rounds are used once, in their order. A request that
// finds no round fails with an [*ExhaustedError].
//
// # Faults
//
// [Fail] ends a round with an error, [Cut] breaks it off in the middle of what
// came last, [Garbage] sends what no decoder can read, and [Pause] lets time
// pass, which is the fake time of testing/synctest in its bubbles.
//
// # As a server
//
// [Model.Handler] serves the same script as the HTTP endpoint of a provider, so
// that gateways and SDKs can be tested against it.
package scripted
