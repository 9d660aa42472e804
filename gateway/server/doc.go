// Package server runs a gateway as a process: on a listener, with the policies,
// certificate and audit log that its settings name, until it is told to stop.
//
//	s, err := settings.Load(settings.Sources{Flags: flags, Environ: os.Environ()})
//	…
//	srv, err := server.New(s, server.Options{Log: log, Out: os.Stdout})
//	if err != nil {
//		return err // says what cannot be used and what to do
//	}
//	return srv.Run(ctx) // until ctx is done and all exchanges have ended
//
// Package gateway is the HTTP handler; what is here is around it.
//
// # Stopping
//
// When the context of Run is done no new exchange begins, and those that run
// may go on for limits.drain. What has not ended by then is cut off with an
// error of its dialect, and Run says so. Close does that at once.
//
// # Reloading
//
// Policy files and certificates are read again when their contents change (two
// looks in a row must agree, so that half a file is not taken for all of it),
// when Reload is called, and by POST /admin/reload. What cannot be used is
// logged, and the last good policies and certificate stay in force; of refused
// policies the admin status and the metrics tell until good ones follow. Exchanges
// that run keep the policies that they began with. Other settings are read once:
// Reload logs those that have changed and need a restart.
//
// Policies can name judges as PROVIDER/MODEL, like anthropic/claude-haiku-4-5:
// the providers are the upstreams anthropic, openai and gemini, with the key of
// their key_env, or of the provider's usual variable (ANTHROPIC_API_KEY,
// OPENAI_API_KEY, GEMINI_API_KEY) where the upstream is the provider itself.
//
// # The audit log
//
// Each line is one JSON object: who asked (exchange, session, client, key, user),
// for what (model, format, upstream) and
//
//	{"event":"start", …}                 the process began to write
//	{"event":"verdict","verdict":{…}}    the verdict on one block; hashes stand for texts
//	{"event":"end","end":{…}}            how the exchange ended
//	{"event":"lost","lost":7}            so many lines could not be kept
//
// Lines of a canary, which no provider answers, have "canary":true.
//
// A stream never waits for it. Lines go through a queue that is bounded. When it
// is full or the disk fails, lines are counted, the operator is told, once until
// it works again, /readyz and the admin status say so, and failure.storage decides
// whether new requests are refused, until a line can be written again. A file that
// was moved away or removed is noticed by its name within a second of writing, or
// at once by Reload, and a new one is opened, so that it can be rotated.
//
// # Recordings
//
// With Options.Recordings the answers of upstreams are kept as they came, with
// the requests: NAME.sse or NAME.json, and NAME.request.json. Headers are not
// kept, and so no credentials; contents are.
package server
