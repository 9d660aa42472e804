// Package settings reads the configuration of a gateway: the values, and where each
// came from.
//
//	settings.Flags(cmd.Flags())
//	…
//	s, err := settings.Load(settings.Sources{Flags: cmd.Flags(), Environ: os.Environ()})
//	if err != nil {
//		return err // settings.Problems: each with its place and what to do
//	}
//
// A value can be set in four places; the first that sets it counts:
//
//	flag         --listen, --upstream-openai, --policies, …
//	variable     SLUICE_LISTEN, SLUICE_UPSTREAM_OPENAI, SLUICE_POLICIES, …
//	file         listen:, upstreams:, policies:, … in YAML
//	default      suitable for one person on one machine
//
// A variable is SLUICE_ and the key in capitals, with _ for dots:
// SLUICE_LIMITS_BODY is limits.body. Upstreams are SLUICE_UPSTREAM_OPENAI and
// SLUICE_UPSTREAM_OPENAI_KEY_ENV. Lists are separated by commas and replace the
// list of the file. An empty variable counts as not set. Other programs'
// variables, such as PORT, are ignored. Settings.Entries has all keys with their
// values, origins, flags and variables.
//
// # Which file
//
// The file is named by --config, else by SLUICE_CONFIG. If neither is there it
// is sluice/config.yaml in the user's configuration directory, if it exists:
// XDG_CONFIG_HOME, else ~/.config, and %AppData% on Windows. The working
// directory is never searched. It may be a repository that somebody else wrote,
// who must not be able to switch policies off or to send conversations
// elsewhere.
//
// Relative paths in the file are relative to the file; those in flags and
// variables to the working directory. A path can begin with ~/.
//
// # A whole file
//
// Everything can be left out. Values other than samples are the defaults.
//
//	# The address to listen on. An address that other machines can reach
//	# needs keys, or insecure: true where the network is trusted.
//	listen: 127.0.0.1:8484
//	insecure: false
//
//	# The providers. A string is the url. What the paths of requests begin with (/v1,
//	# /v1beta, /backend-api/codex) may be at its end or not; other paths are
//	# kept. key_env names the variable with the provider's key: it is sent for
//	# clients that send only a Sluice key.
//	upstreams:
//	  anthropic: {url: "https://api.anthropic.com", key_env: ANTHROPIC_API_KEY}
//	  openai: {url: "https://api.openai.com/v1", key_env: OPENAI_API_KEY}
//	  gemini: {url: "https://generativelanguage.googleapis.com", key_env: GEMINI_API_KEY}
//	  chatgpt: https://chatgpt.com
//
//	# What is judged: files and presets, in this order. Files that change are read
//	# again; pinned refuses those that are weaker until a restart. A list alone is
//	# the files.
//	policies:
//	  files:
//	    - preset:recommended
//	    - policies.yaml
//	  pinned: false
//
//	notice: full                 # or short: blocked calls without what they would have done
//	data: ~/.local/share/sluice  # what is kept; else in the user's data directory
//	audit_log: audit.jsonl       # - is standard output; none by default
//	log: {level: info, format: text}  # debug, info, warn, error; text, json
//	tls: {cert: cert.pem, key: key.pem}  # both, or none as by default
//
//	# Who may connect, if not everybody on this machine. A key is slk_
//	# and at least 20 letters, digits, - and _:
//	#   echo "slk_$(head -c 24 /dev/urandom | base64 | tr '+/' '-_')"
//	# The file can have its hash instead (printf %s "$KEY" | sha256sum), the name
//	# of a variable, or the key itself. Policies see name, user and groups as key.
//	keys:
//	  - name: ada
//	    sha256: 9b4f0a4b8ad2c9a2d0c2f8f0b8b6a5c6e7d8091a2b3c4d5e6f708192a3b4c5d6
//	    user: ada@example.org
//	    groups: [release]
//	  - {name: ci, key_env: CI_SLUICE_KEY, groups: [robots]}
//	  - {name: prometheus, key_env: METRICS_KEY, roles: [read]}  # else send; also approve, admin
//
//	# Who may look at and change the running gateway: whoever has the token, of
//	# a variable (token_env) or a file (token_file). hosts are further names under
//	# which browsers reach it. By default a token is made in the data directory.
//	admin: {token_env: SLUICE_TOKEN, hosts: [sluice.example.org]}
//
//	# What to do when something fails.
//	failure:
//	  judge: policy      # what each policy's on_error says; or block, allow
//	  storage: continue  # or refuse: no request without a record of it
//	  upstream: error    # or retry: once more, if there was no connection
//
//	limits:
//	  body: 32MiB        # of a request
//	  messages: 10000    # of a request
//	  parts: 20000       # of all its messages: texts, calls, results
//	  tools: 5000        # that it declares
//	  payload: 16MiB     # one payload of an answer
//	  header: 1MiB       # of a request
//	  first_byte: 10m    # until a provider begins to answer
//	  idle: 5m           # silence of a provider after that
//	  total: 60m         # all of an exchange
//	  write: 60s         # until a slow client has read what was written to it
//	  first_event: 10s   # wait before the head of the response is sent
//	  drain: 30s         # for requests to end when the gateway is stopped
//	  streams: 0         # concurrent requests; 0 means no limit
//
//	keepalive: 10s       # silence after which a client gets a keepalive
//
//	# Paths that are passed on unjudged, exact or with /* at their end. None by
//	# default. What carries answers of models cannot be among them.
//	forward: [/v1/embeddings, /v1/files/*]
//
//	# What policies are told about the program that sluice run starts. By default
//	# what sluice run sees.
//	session: {cwd: /home/ada/project, home: /home/ada, labels: [laptop]}
//
// Sizes have the units KiB, MiB, GiB (of 1024), KB, MB, GB (of 1000) or none.
//
// # What is refused
//
// A configuration with anything that is not understood is refused, with all its
// problems at once; each names its file, line and column, its flag or its
// variable. So are contradictions: an address that others can reach without
// keys, a certificate without its key, a provider's key for everybody, an
// upstream that is the gateway itself. What is allowed but may be a mistake is
// in Settings.Warnings. Files have at most 1 MiB; aliases, tags and merge keys
// of YAML are not supported.
//
// # Secrets
//
// Clients' keys are stored as hashes, and shown as the first 8 digits of them.
// Providers' keys and the admin token are of type Secret, which hides itself
// from whatever prints it. No message and no Entry repeats a secret, nor a value
// that could be one by mistake.
package settings
