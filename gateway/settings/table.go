package settings

import (
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-project/sluice/llm"
)

// key is one key of the configuration: its names in the file, as a flag and
// as a variable, its default, and how it is read and shown.
type key struct {
	// path names it in the file: limits.body is body in the mapping limits.
	path string
	// flag is empty if there is none; short is its one letter.
	flag, short string
	// variable is empty if there is none.
	variable string
	// fallback is the default; empty is the zero value.
	fallback string
	// use says which commands have the flag.
	use use
	// canBeEmpty: an empty text means none, whatever weaker sources say.
	canBeEmpty bool
	// many: it has several values. Flags are repeated, variables have commas.
	many bool
	// doc explains it in half a line.
	doc string
	// read checks a value and puts it into the settings. It returns false if
	// the value is wrong, after reporting why.
	read func(*loading, *key, given) bool
	// show is the value for people, without secrets.
	show func(*Settings) string
}

// use says which commands have a flag.
type use uint8

const (
	usedByAll use = iota
	usedToServe
	usedForSessions
)

// catalog has all keys in the order in which they are shown.
type catalog []key

const (
	mebibyte = 1 << 20
	gibibyte = 1 << 30
	day      = 24 * time.Hour
)

func newCatalog() catalog {
	keys := catalog{
		one(key{path: "listen", flag: "listen", fallback: "127.0.0.1:8484", doc: "address to listen on, HOST:PORT"},
			func(s *Settings) *string { return &s.Listen }, address, plainText),
		one(key{path: "insecure", flag: "insecure", use: usedToServe, fallback: "false", doc: "allow an address that other machines can reach without keys"},
			func(s *Settings) *bool { return &s.Insecure }, truth, showTruth),
	}
	for _, p := range providers {
		keys = append(keys, upstreamKeys(p)...)
	}
	return append(keys,
		several(key{path: "policies", flag: "policies", short: "p", fallback: "preset:recommended", doc: "policy file or folder, in addition to preset:recommended, or preset:NAME (preset:none leaves recommended out); can be repeated"},
			func(s *Settings) *[]string { return &s.Policies }, policyName, "name at least one, or preset:none to judge nothing"),
		one(key{path: "policies.pinned", fallback: "false", doc: "refuse reloads that weaken the policies, until a restart"},
			func(s *Settings) *bool { return &s.Pinned }, truth, showTruth),
		one(key{path: "notice", fallback: "full", doc: "what is said about blocked calls: full, or short, without what they would have done"},
			func(s *Settings) *Notice { return &s.Notice }, word(NoticeFull, NoticeShort), plainText),
		one(key{path: "data", flag: "data", doc: "data directory"},
			func(s *Settings) *string { return &s.Data }, filename, plainText),
		one(optional(key{path: "audit_log", flag: "audit-log", doc: "file for the audit log, - for standard output"}),
			func(s *Settings) *string { return &s.AuditLog }, filenameOrDash, plainText),
		one(key{path: "log.level", flag: "log-level", fallback: "info", doc: "debug, info, warn or error"},
			func(s *Settings) *slog.Level { return &s.Log.Level }, level, func(l slog.Level) string { return strings.ToLower(l.String()) }),
		one(key{path: "log.format", flag: "log-format", fallback: "text", doc: "text or json"},
			func(s *Settings) *string { return &s.Log.Format }, word("text", "json"), plainText),
		one(optional(key{path: "tls.cert", flag: "tls-cert", use: usedToServe, doc: "file with the certificate chain, the server's own certificate first"}),
			func(s *Settings) *string { return &s.TLS.Cert }, filename, plainText),
		one(optional(key{path: "tls.key", flag: "tls-key", use: usedToServe, doc: "file with the certificate's private key"}),
			func(s *Settings) *string { return &s.TLS.Key }, filename, plainText),
		key{
			path: "keys", variable: "SLUICE_KEYS", many: true, doc: "keys of clients, NAME=KEY in the variable",
			read: readKeys, show: func(*Settings) string { return "" },
		},
		one(key{path: "admin.token_env", doc: "variable with the token for the admin API"},
			func(s *Settings) *string { return &s.Admin.TokenEnv }, anyText, plainText),
		one(key{path: "admin.token_file", doc: "file with the token for the admin API"},
			func(s *Settings) *string { return &s.Admin.TokenFile }, filename, plainText),
		several(key{path: "admin.hosts", doc: "further host names under which browsers reach the gateway"},
			func(s *Settings) *[]string { return &s.Admin.Hosts }, adminHost, ""),
		one(key{path: "failure.judge", fallback: "policy", doc: "when a policy fails: policy (its on_error), block or allow"},
			func(s *Settings) *JudgeFailure { return &s.Failure.Judge }, word(JudgePolicy, JudgeBlock, JudgeAllow), plainText),
		one(key{path: "failure.storage", fallback: "continue", doc: "when nothing can be recorded: continue or refuse"},
			func(s *Settings) *StorageFailure { return &s.Failure.Storage }, word(StorageContinue, StorageRefuse), plainText),
		one(key{path: "failure.upstream", fallback: "error", doc: "when a provider cannot be reached: error or retry (once)"},
			func(s *Settings) *UpstreamFailure { return &s.Failure.Upstream }, word(UpstreamError, UpstreamRetry), plainText),
		bytesKey("body", "32MiB", 1<<10, gibibyte, "body of a request", func(s *Settings) *int64 { return &s.Limits.Body }),
		numberKey("messages", llm.DefaultMaxMessages, "messages of a request", func(s *Settings) *int { return &s.Limits.Messages }),
		numberKey("parts", llm.DefaultMaxParts, "parts of all messages of a request: texts, calls, results", func(s *Settings) *int { return &s.Limits.Parts }),
		numberKey("tools", llm.DefaultMaxTools, "tools that a request declares", func(s *Settings) *int { return &s.Limits.Tools }),
		bytesKey("payload", "16MiB", 64<<10, 256*mebibyte, "payload of an answer", func(s *Settings) *int64 { return &s.Limits.Payload }),
		bytesKey("header", "1MiB", 4<<10, 16*mebibyte, "head of a request", func(s *Settings) *int64 { return &s.Limits.Header }),
		timeKey("limits.first_byte", "10m", time.Second, day, "longest wait for a provider to begin its answer", func(s *Settings) *time.Duration { return &s.Limits.FirstByte }),
		timeKey("limits.idle", "5m", time.Second, day, "longest silence of a provider after that", func(s *Settings) *time.Duration { return &s.Limits.Idle }),
		timeKey("limits.total", "60m", time.Second, 7*day, "longest time for a whole exchange", func(s *Settings) *time.Duration { return &s.Limits.Total }),
		timeKey("limits.write", "60s", time.Second, time.Hour, "longest wait for a slow client to read what was written to it", func(s *Settings) *time.Duration { return &s.Limits.Write }),
		timeKey("limits.first_event", "10s", 100*time.Millisecond, 10*time.Minute, "longest wait for the first event of an answer before the status line is sent", func(s *Settings) *time.Duration { return &s.Limits.FirstEvent }),
		timeKey("limits.drain", "30s", 100*time.Millisecond, day, "longest wait for requests to finish when the gateway is stopped", func(s *Settings) *time.Duration { return &s.Limits.Drain }),
		one(key{path: "limits.streams", fallback: "0", doc: "concurrent requests, 0 means no limit"},
			func(s *Settings) *int { return &s.Limits.Streams }, count(0, 1_000_000), showNumber),
		timeKey("keepalive", "10s", time.Second, 5*time.Minute, "silence after which a client is sent a keepalive", func(s *Settings) *time.Duration { return &s.Keepalive }),
		several(key{path: "forward", doc: "additional paths to forward unjudged, exact or with /* at the end"},
			func(s *Settings) *[]string { return &s.Forward }, forwardPath, ""),
		one(optional(key{path: "session.cwd", flag: "session-cwd", use: usedForSessions, doc: "working directory that policies are told"}),
			func(s *Settings) *string { return &s.Session.Cwd }, absolute, plainText),
		one(optional(key{path: "session.home", flag: "session-home", use: usedForSessions, doc: "home directory that policies are told"}),
			func(s *Settings) *string { return &s.Session.Home }, absolute, plainText),
		several(key{path: "session.labels", flag: "session-label", use: usedForSessions, doc: "label that policies are told; can be repeated"},
			func(s *Settings) *[]string { return &s.Session.Labels }, anyText, ""),
	)
}

// upstreamKeys are the keys of one provider.
func upstreamKeys(p provider) []key {
	variable := "SLUICE_UPSTREAM_" + strings.ToUpper(p.name)
	return []key{
		one(key{path: "upstreams." + p.name + ".url", flag: "upstream-" + p.name, variable: variable, fallback: p.url, doc: "base URL of " + p.title},
			func(s *Settings) **url.URL { return &p.field(s).URL }, p.baseURL, (*url.URL).String),
		one(key{path: "upstreams." + p.name + ".key_env", variable: variable + "_KEY_ENV", doc: "variable with the " + p.title + " key, for clients that send only a Sluice key"},
			func(s *Settings) *string { return &p.field(s).KeyEnv }, anyText, plainText),
	}
}

func bytesKey(name, fallback string, least, most int64, doc string, field func(*Settings) *int64) key {
	return one(key{path: "limits." + name, fallback: fallback, doc: "largest " + doc}, field, size(least, most), shortSize)
}

func numberKey(name string, fallback int, doc string, field func(*Settings) *int) key {
	return one(key{path: "limits." + name, fallback: strconv.Itoa(fallback), doc: "most " + doc}, field, count(1, 1_000_000), showNumber)
}

func timeKey(path, fallback string, least, most time.Duration, doc string, field func(*Settings) *time.Duration) key {
	return one(key{path: path, fallback: fallback, doc: doc}, field, duration(least, most), shortTime)
}

// find returns the key of a path, nil if there is none.
func (c catalog) find(path string) *key {
	i := slices.IndexFunc(c, func(k key) bool { return k.path == path })
	if i < 0 {
		return nil
	}
	return &c[i]
}

// below are the words that can follow a prefix like "limits.".
func (c catalog) below(prefix string) []string {
	var names []string
	for _, k := range c {
		if rest, ok := strings.CutPrefix(k.path, prefix); ok {
			name, _, _ := strings.Cut(rest, ".")
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
