// Package model calls models: one interface, and clients for every API that
// speaks one of Sluice's wire formats.
//
// # Asking a model
//
// [New] makes a model of an endpoint. The key comes from the Config, or from the
// environment if the endpoint is the provider's own:
//
//	m, err := model.New(model.Config{Format: wire.Anthropic, Model: "claude-sonnet-4-5"})
//	…
//	req := &llm.Request{Messages: []llm.Message{{
//		Role:   llm.User,
//		Blocks: []llm.Block{{Kind: llm.Content, Text: "Why is the sky blue?"}},
//	}}}
//	answer, err := model.Collect(ctx, m, req)
//
// Any server that speaks a dialect will do: set BaseURL, with or without its /v1.
//
// # Reading while it arrives
//
// [Model.Stream] is an iterator of events; leaving the loop stops the answer.
// [Track] keeps a stream.State beside it, so that whole blocks can be read as
// soon as their end is proven:
//
//	state := stream.NewState(stream.Limits{})
//	for ev, err := range model.Track(m.Stream(ctx, req), state) {
//		if err != nil {
//			return err
//		}
//		if ev.Type == stream.EventDelta && ev.Kind == llm.Content {
//			os.Stdout.Write(ev.Data)
//		}
//		for _, block := range state.Completed() {
//			…
//		}
//	}
//
// An event is valid until the next iteration. A loop that ends without an error
// has seen a complete answer: an answer that was cut, failed or stalled is always
// an error, and an error is always the last thing that a loop sees.
//
// # When it fails
//
// Requests are retried, with growing random pauses or those that the provider asks for,
// as long as nothing of the answer has been yielded; never afterwards, because somebody
// may have acted on it, and not after a timeout. A pause that would exceed the deadline
// is not started. Remaining errors are distinguished by type: [StatusError],
// [TimeoutError] (one of [ErrFirstByte], [ErrIdle] and [ErrTotal]), [ConnectionError],
// [ContentError], *stream.ProviderError, *llm.RequestError. A caller whose own context
// ended gets its cause and none of these.
//
// No error or dump contains a key, even if a provider quotes it, and keys are sent to
// no other host than that of BaseURL. Proxies are those of the environment, unless
// HTTPClient has its own; see Config.
//
// # Without a network
//
// Package model/scripted has a model that follows a script, for tests, demos and work
// without a key.
package model
