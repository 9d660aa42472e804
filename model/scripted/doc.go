// Package scripted is a model that follows a script: the same answers every
// time, without a network and without a key, for tests and demonstrations.
//
// # A script
//
// A script is a list of rounds. Each request is answered by the next [Round], which is
// a list of steps: thinking, text and calls of the model, and how it ends.
//
//	m := scripted.New(
//		scripted.Round{scripted.Text("Let me look."), scripted.Call("list", `{"path":"."}`)},
//		scripted.Round{scripted.Text("There are three files.")},
//	)
//	answer, err := model.Collect(ctx, m, req)
//
// Several calls in a round are parallel calls. A round without an explicit end finishes
// as a real model would: with tool_calls if it has calls, else with stop.
//
// A round that starts with [When] is used for all requests that match; other rounds are
// used once, in order. A request without a round fails with an [*ExhaustedError].
//
// # Faults
//
// [Fail] ends a round with an error, [Cut] truncates it in the middle of the last step,
// [Garbage] sends something that no decoder can read, and [Pause] lets time pass, which
// is fake time inside a testing/synctest bubble.
//
// # As a server
//
// [Model.Handler] serves the same script as the HTTP endpoint of a provider, so
// that gateways and SDKs can be tested against it.
package scripted
