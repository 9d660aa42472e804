// Package server runs a gateway as a process: on a listener, with the policies,
// certificate and audit log that its settings name, until it is stopped.
//
//	s, err := settings.Load(settings.Sources{Flags: flags, Environ: os.Environ()})
//	…
//	srv, err := server.New(s, server.Options{Log: log, Out: os.Stdout})
//	if err != nil {
//		return err // says what cannot be used and what to do
//	}
//	return srv.Run(ctx) // until ctx is done and all exchanges have ended
//
// Package gateway is the HTTP handler; this package is what surrounds it.
//
// # Stopping
//
// When the context of Run is done no new exchange starts, and running ones have
// limits.drain to finish. What has not ended by then is cut off with an error of
// its dialect, and Run says so. Close does that at once.
//
// # Reloading
//
// Policy files and certificates are reloaded when their contents change (two reads
// in a row must agree, so that half a file is not taken for the whole), when
// Reload is called, and by POST /admin/reload. What cannot be used is logged, and
// the last good policies and certificate stay in force; the admin status and the
// metrics report refused policies until good ones follow. Running exchanges keep
// the policies that they started with. Other settings are read once: Reload logs
// those that have changed and need a restart.
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
//	{"event":"start", …}                 the process started writing
//	{"event":"verdict","verdict":{…}}    the verdict on one block, with hashes instead of texts
//	{"event":"end","end":{…}}            how the exchange ended
//	{"event":"lost","lost":7}            so many lines were lost
//
// Lines of a canary, which no provider answers, have "canary":true.
//
// A stream never waits for it. Lines go through a bounded queue. When it is full or the disk
// fails, lines are dropped and counted, the operator is told once, /readyz and the admin
// status say so, and failure.storage decides whether new requests are refused, until a line
// can be written again. A file that was moved or removed is noticed within a second of
// writing, or at once by Reload, and a new one is opened, so that it can be rotated.
//
// # Recordings
//
// With Options.Recordings the answers of upstreams are stored as they arrived, with the
// requests: NAME.sse or NAME.json, and NAME.request.json. Headers, and so credentials, are
// not stored; contents are.
package server
