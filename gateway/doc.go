// Package gateway is the HTTP host of the engine: agents and SDKs use it in the
// place of a provider and behave as before, except that no tool call reaches
// them unjudged.
//
//	loaded, err := file.Load(file.Options{}, "preset:recommended")
//	…
//	g, err := gateway.New(gateway.Config{Policies: policy.NewLive(loaded.Set)})
//	…
//	defer g.Close()
//	http.ListenAndServe("127.0.0.1:8484", g)
//
// A [Gateway] is an http.Handler, so it can be a part of a larger server. Package
// server, below this one, makes a process of it: listener, TLS, reload, audit log.
//
// # The way of a request
//
// [Gateway.ServeHTTP] makes an exchange of each request. It finds out where the
// request goes (the table of routes), who asks (keys of Sluice are recognised
// wherever a client can put a key, and never leave), and what the answer can be:
//
//   - judged: the answer goes through the engine, streamed or not, whatever path
//     it came on. There is one enforcement point below all routes.
//   - forwarded: the answer cannot carry a tool call, such as a list of models.
//   - refused: it could, in a form that nobody judges, or nothing is known of it.
//
// The request leaves as the bytes that came, with the client's own credentials,
// unless a policy changed a tool result in it. The body is in memory by then: a
// provider may answer before it has read it.
//
// The answer is read event by event and handed to the engine. What may leave is
// collected and sent before the gateway waits for the provider again, so a
// client sees each event as soon as it would without the gateway. While a provider
// is ahead, so that the gateway need not wait, more is collected, up to what one
// write takes; [Tune] makes that more than a server of net/http does by itself. The
// status line leaves with the first event: until then an
// error is a real HTTP error, with the provider's own status, headers and body.
// After ten seconds of silence the status line and a sign of life leave anyway.
//
// # What is promised
//
//   - Bytes: an answer of which nothing is blocked leaves payload for payload as
//     it came; a request leaves byte for byte.
//   - Nothing unjudged leaves, also when the provider breaks off, a judge fails,
//     the gateway stops or the client repeats the request in another form.
//   - An answer that was cut ends in an error of its dialect, never in a good end.
//   - Every wait has a limit, and the error names it: [ErrFirstByte], [ErrIdle],
//     [ErrTotal]. A client that is gone ends everything that was done for it.
//   - Credentials go to the provider they were meant for and nowhere else, not
//     even into a log.
//
// # What can be seen
//
// [Config.Observe] is told what happens: the beginning of an exchange, the
// verdict on every block, the end with its [Outcome]. The admin routes show the
// same as a stream of events to any number of listeners, none of which can slow
// an exchange down. /healthz, /readyz and /metrics are for machines.
package gateway
