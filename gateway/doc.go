// Package gateway is the HTTP host of the engine: agents and SDKs use it instead
// of a provider and behave as before, except that no tool call reaches them
// unjudged.
//
//	loaded, err := file.Load(file.Options{}, "preset:recommended")
//	…
//	g, err := gateway.New(gateway.Config{Policies: policy.NewLive(loaded.Set)})
//	…
//	defer g.Close()
//	http.ListenAndServe("127.0.0.1:8484", g)
//
// A [Gateway] is an http.Handler, so it can be part of a larger server. Package
// server, below this one, runs it as a process: listener, TLS, reload, audit log.
//
// # The path of a request
//
// [Gateway.ServeHTTP] turns each request into an exchange. It determines where
// the request goes (the table of routes), who asks (Sluice keys are recognised
// wherever a client can put a key, and never forwarded), and what happens to the
// answer:
//
//   - judged: the answer goes through the engine, streamed or not, whatever route
//     it came on. There is one enforcement point below all routes.
//   - forwarded: the answer cannot carry a tool call, such as a list of models.
//   - refused: it could, in a form that nobody judges, or the route is unknown.
//
// The request is sent as the bytes that arrived, with the client's own
// credentials, unless a policy changed something in it. The body is in memory by
// then: a provider may answer before it has read it.
//
// The answer is read event by event and handed to the engine. What may be
// delivered is coalesced and flushed before the gateway waits for the provider
// again, so a client sees each event as soon as it would without the gateway.
// While a provider is ahead, so that the gateway need not wait, more is coalesced,
// up to what one write takes; [Tune] makes that more than a net/http server does
// by itself. The status line is sent with the first event: until then an error is
// a real HTTP error, with the provider's own status, headers and body. After ten
// seconds of silence the status line and a keepalive are sent anyway.
//
// # Guarantees
//
//   - Bytes: an answer in which nothing is blocked is delivered payload for payload
//     as it arrived; a request is sent byte for byte.
//   - Nothing unjudged is delivered, not even when the provider breaks off, a judge
//     fails, the gateway stops or the client repeats the request in another form.
//   - A truncated answer ends in an error of its dialect, never in a normal end.
//   - Every wait has a limit, and the error names it: [ErrFirstByte], [ErrIdle],
//     [ErrTotal]. A client that disconnects cancels everything done for it.
//   - Credentials go to the provider they were meant for and nowhere else, not
//     even into a log.
//
// # Observability
//
// [Config.Observe] is told what happens: the start of an exchange, the verdict on
// every block, the end with its [Outcome]. The admin routes show the same as a
// stream of events to any number of listeners, none of which can slow an exchange
// down. /healthz, /readyz and /metrics are for machines.
package gateway
