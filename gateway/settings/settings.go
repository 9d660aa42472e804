package settings

import (
	"log/slog"
	"net/url"
	"time"
)

// Settings are the configuration of a gateway, checked and complete: every
// field has the value that is in force. Load returns them; change a copy, not
// shared ones.
type Settings struct {
	// File is the configuration file that was read, empty if there was none.
	File string
	// Listen is the address to listen on, host:port. Port 0 is any free port.
	Listen string
	// Insecure allows an address that other machines can reach without Keys.
	Insecure bool
	// Upstreams are the providers.
	Upstreams Upstreams
	// Policies are files and preset:NAME, in order; never empty.
	Policies []string
	// Pinned refuses policies that are weaker than those in force, until a restart.
	Pinned bool
	// Data is the data directory. It is empty if none was named and there is no
	// home directory.
	Data string
	// AuditLog is a file, "-" for standard output, empty for none.
	AuditLog string
	// Keepalive is the silence after which a waiting client is sent a
	// keepalive.
	Keepalive time.Duration
	// Forward lists paths that are forwarded unjudged: exact ones, and prefixes
	// that end in "/*".
	Forward []string
	// Keys are the clients that may connect. Without any, everybody who can
	// reach Listen may.
	Keys []Key
	// IssuedKeys is the directory of the keys that `sluice keys` issues, empty
	// without a data directory. It need not exist.
	IssuedKeys string
	// Notice is what notices and records say about blocked calls.
	Notice Notice

	Log     Log
	TLS     TLS
	Admin   Admin
	Failure Failure
	Limits  Limits
	Session Session

	// Warnings lists what is allowed but may be a mistake.
	Warnings []Problem

	origins map[string]origin
	// secrets are variables that hold secrets of the gateway.
	secrets []string
}

// Upstreams are the providers that a gateway forwards requests to.
type Upstreams struct {
	Anthropic, OpenAI, Gemini, ChatGPT Upstream
}

// Upstream is one provider.
type Upstream struct {
	// URL has a scheme and a host, and a path only if the provider's own paths
	// are below another one. It never ends in a slash, nor in /v1, /v1beta or
	// /backend-api/codex, which are part of the path of a request.
	URL *url.URL
	// KeyEnv names the variable with the provider's key, and Key is its value,
	// which is sent for clients that send only a Sluice key. Both are empty if
	// clients send the provider's key themselves.
	KeyEnv string
	Key    Secret
}

// Notice is what is said about a blocked call.
type Notice string

// With what it would have done, or without.
const (
	NoticeFull  Notice = "full"
	NoticeShort Notice = "short"
)

// Log configures the gateway's log.
type Log struct {
	Level slog.Level
	// Format is "text" or "json".
	Format string
}

// TLS names the files of a certificate and its key, both or none.
type TLS struct {
	Cert, Key string
}

// Admin says who may inspect and change a running gateway.
type Admin struct {
	// Token is empty if nobody may.
	Token Secret
	// TokenEnv and TokenFile say where the token came from; at most one is set.
	TokenEnv, TokenFile string
	// Hosts are further names, with or without a port, under which browsers may
	// reach the gateway.
	Hosts []string
}

// Failure says what happens when something that the gateway needs fails.
type Failure struct {
	Judge    JudgeFailure
	Storage  StorageFailure
	Upstream UpstreamFailure
}

// JudgeFailure is what happens to a block when a policy cannot judge it.
type JudgeFailure string

// What happens if a policy fails: what its on_error says, or the same for all.
const (
	JudgePolicy JudgeFailure = "policy"
	JudgeBlock  JudgeFailure = "block"
	JudgeAllow  JudgeFailure = "allow"
)

// StorageFailure is what happens to requests when nothing can be recorded.
type StorageFailure string

// They go on unrecorded, or are refused.
const (
	StorageContinue StorageFailure = "continue"
	StorageRefuse   StorageFailure = "refuse"
)

// UpstreamFailure is what happens when a provider cannot be reached.
type UpstreamFailure string

// The client gets an error at once, or after one more attempt, which is made
// only if there was no connection and so nothing was sent.
const (
	UpstreamError UpstreamFailure = "error"
	UpstreamRetry UpstreamFailure = "retry"
)

// Limits bound what one request can take.
type Limits struct {
	// Body is a request's body, Payload one payload of an answer, Header the
	// head of a request; all in bytes.
	Body, Payload, Header int64
	// Messages, Parts and Tools are how many of them a request may have.
	Messages, Parts, Tools int
	// FirstByte is how long a provider may take to start its answer, Idle how
	// long it may be silent after that, Total how long a whole exchange may
	// take.
	FirstByte, Idle, Total time.Duration
	// Write is how long a client may take to read what was written to it.
	Write time.Duration
	// FirstEvent is how long the gateway waits for the first event of an answer
	// before it sends the status line.
	FirstEvent time.Duration
	// Drain is how long requests may continue when the gateway is stopped.
	Drain time.Duration
	// Streams limits concurrent requests; 0 means no limit.
	Streams int
}

// Session is what policies are told about the program that sluice run starts.
type Session struct {
	// Cwd and Home are absolute paths on the client's machine, empty if nothing
	// was said.
	Cwd, Home string
	Labels    []string
}
