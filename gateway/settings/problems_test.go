package settings_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway/settings"
)

const (
	goodKey  = "slk_abcdefghijklmnopqrst"
	otherKey = "slk_zzzzzzzzzzzzzzzzzzzz"
	makeKey  = `echo "slk_$(head -c 24 /dev/urandom | base64 | tr '+/' '-_')"`
)

// Each case is a file and all its problems, with their places.
func TestEveryProblemIsReportedWithItsPlaceAndWhatToDo(t *testing.T) {
	t.Parallel()
	for _, tc := range problemCases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s, err := settings.Parse(settings.Sources{Environ: []string{home, "K=" + goodKey, "L=short", "T=0123456789abcdefghij", "SP=a b"}}, "f", tc.file)
			got, want := problemsOf(t, s, err), strings.TrimSpace(tc.want)
			if got != want {
				t.Errorf("file:\n%s\ngot:\n%s\nwant:\n%s", tc.file, got, want)
			}
		})
	}
}

var problemCases = []struct{ name, file, want string }{
	// The file.
	{"nothing", "", ""},
	{"only a comment", "# later\n", ""},
	{"a list at the top", "- listen\n", "f:1:1: the file is a list, not a mapping: write `key: value` pairs"},
	{"a text at the top", "hello\n", "f:1:1: the file is a single value, not a mapping: write `key: value` pairs"},
	{"no YAML", "listen: [a\n", "f:2:1: the file cannot be read as YAML: did not find expected ',' or ']': YAML is `key: value` in each line, indented with spaces"},
	{"tabs", "log:\n\tlevel: info\n", "f:2:1: the file cannot be read as YAML: found character that cannot start any token: YAML is `key: value` in each line, indented with spaces"},
	{"a second document", "listen: 127.0.0.1:1\n---\nlisten: 127.0.0.1:2\n", "f:2:1: the file cannot be read as YAML: a second document begins: keep one, and remove the line `---`"},
	{"an alias of nothing", "listen: *slk_abcdefghijklmnopqrst\n", "f:1:1: the file cannot be read as YAML: there is an alias without an anchor: YAML is `key: value` in each line, indented with spaces"},
	{"an alias", "audit_log: &a x\ndata: *a\n", "f:2:7: data is an alias, which is not supported: write the value out"},
	{"an alias of a mapping", "log: &a {level: info}\nlimits: *a\n", "f:2:9: limits is an alias, which is not supported: write the value out"},
	{"an alias in a list", "forward: [&a /x, *a]\n", "f:1:18: a value of forward is an alias, which is not supported: write the value out"},
	{"merge keys", "log:\n  <<: {level: info}\n", "f:2:3: merging with << is not supported: write the keys out"},
	{"a tag", "data: !env X\n", "f:1:7: data has a tag, which is not supported: write only the value; variables are named with the keys that end in _env"},
	{"a tag on a list", "forward: !x [/a]\n", "f:1:10: forward has a tag, which is not supported: write only the value; variables are named with the keys that end in _env"},

	// Keys.
	{"a misspelt key", "lisen: 127.0.0.1:1\n", `f:1:1: the file has an unknown key "lisen": did you mean listen?`},
	{"a misspelt key further in", "limits: {boddy: 1MiB}\n", `f:1:10: limits has an unknown key "boddy": did you mean body?`},
	{"a flag as a key", "audit-log: x\n", `f:1:1: the file has an unknown key "audit-log": did you mean audit_log?`},
	{"a key one level up", "level: debug\n", `f:1:1: the file has an unknown key "level": did you mean log.level?`},
	{"a key that resembles nothing", "zzzzzzzz: 1\n", `f:1:1: the file has an unknown key "zzzzzzzz": use listen, insecure, upstreams, policies, notice, data, audit_log, log, tls, keys, admin, failure, limits, keepalive, forward or session`},
	{"recordings", "record: kept\n", "f:1:1: the file has an unknown key \"record\": recording is not a setting, because recordings contain conversations: run `sluice record --out DIR` instead"},
	{"an unknown provider", "upstreams: {mistral: x}\n", `f:1:13: upstreams has an unknown key "mistral": use anthropic, openai, gemini or chatgpt`},
	{"a key twice", "data: a\ndata: b\n", `f:2:1: the file has the key "data" twice: first in line 1: remove one of them`},
	{"an unknown key twice", "dota: a\ndota: b\n", `
f:1:1: the file has an unknown key "dota": did you mean data?
f:2:1: the file has the key "dota" twice: first in line 1: remove one of them`},
	{"a key without a value", "data:\nlog:\n", "f:1:6: data has no value: write one, or remove the key\nf:2:5: log has no value: write one, or remove the key"},
	{"a key that is no word", "[a]: b\n", "f:1:1: a key of the file is not a word: write a word"},
	{"a text for a mapping", "limits: 5\n", "f:1:9: limits is a single value, not a mapping: write `key: value` pairs"},
	{"a list for a text", "data: [a]\n", "f:1:7: data is a list: write one value"},
	{"a mapping in a list", "forward: [{a: b}]\n", "f:1:11: a value of forward is a mapping: write one value"},
	{"nothing in a list", "forward: [~]\n", "f:1:11: a value of forward has no value: write one, or remove it"},
	{"an empty text", "data: ''\n", "f:1:7: data is empty: write a value, or leave it out"},
	{"an empty text where there can be none", "audit_log: ''\n", ""},
	{"an empty text in a list", "forward: ['']\n", `f:1:11: forward has "", which is not a path: write an exact path like /v1/embeddings, or one with /* at its end`},
	{"an empty label", "session: {labels: ['']}\n", "f:1:20: a value of session.labels is empty: remove it"},
	{"several at once, in order", "log: {level: loud}\nlimits:\n  idle: 5\nlisten: x\n", `
f:1:14: log.level is "loud", which is not a valid value: use debug, info, warn or error
f:3:9: limits.idle has no unit: write 5s for seconds
f:4:9: listen is "x", not an address to listen on: write HOST:PORT, like 127.0.0.1:8484`},

	// Values.
	{"a port alone", "listen: 8484\n", `f:1:9: listen is "8484", not an address to listen on: write 127.0.0.1:8484`},
	{"a host alone", "listen: 127.0.0.1\n", `f:1:9: listen is "127.0.0.1", not an address to listen on: add a port: 127.0.0.1:8484`},
	{"a host of the new kind alone", "listen: '::1'\n", `f:1:9: listen is "::1", not an address to listen on: add a port: [::1]:8484`},
	{"a port that is none", "listen: 127.0.0.1:65536\n", `f:1:9: listen has the port "65536": write a number from 0 to 65535`},
	{"a host that is none", "listen: 'a b:1'\n", `f:1:9: listen has the host "a b", which cannot be one: write 127.0.0.1:1`},
	{"no truth", "insecure: maybe\n", `f:1:11: insecure is "maybe": write true or false`},
	{"a near word", "failure: {storage: refues}\n", `f:1:20: failure.storage is "refues", which is not a valid value: did you mean refuse?`},
	{"a judge that is none", "failure: {judge: error}\n", `f:1:18: failure.judge is "error", which is not a valid value: use policy, block or allow`},
	{"an upstream failure that is none", "failure: {upstream: retries}\n", `f:1:21: failure.upstream is "retries", which is not a valid value: did you mean retry?`},
	{"a format that is none", "log: {format: logfmt}\n", `f:1:15: log.format is "logfmt", which is not a valid value: use text or json`},
	{"no time", "keepalive: soon\n", `f:1:12: keepalive is "soon", not a time: write a time like 10s, 500ms or 1m30s`},
	{"a time that is too short", "keepalive: 0\n", "f:1:12: keepalive is 0s, which is too short: write something from 1s to 5m"},
	{"a time that is too long", "limits: {total: 200h}\n", "f:1:17: limits.total is 200h, which is too long: write something from 1s to 168h"},
	{"no size", "limits: {body: much}\n", `f:1:16: limits.body is "much", not a size: write a size like 32MiB, 500KB or a number of bytes`},
	{"a unit that is none", "limits: {body: 32M}\n", `f:1:16: limits.body has the unknown unit "M": use B, KiB, MiB, GiB, KB, MB or GB`},
	{"a size that is too large", "limits: {body: 2GiB}\n", `f:1:16: limits.body is "2GiB", which is too large: write something from 1KiB to 1GiB`},
	{"a size beyond all", "limits: {body: 999999999999999GiB}\n", `f:1:16: limits.body is "999999999999999GiB", which is too large: write something from 1KiB to 1GiB`},
	{"a size that is too small", "limits: {payload: 32}\n", `f:1:19: limits.payload is "32", which is too small: write something from 64KiB to 256MiB`},
	{"a size below nothing", "limits: {header: -1}\n", `f:1:18: limits.header is "-1", not a size: write a size like 32MiB, 500KB or a number of bytes`},
	{"a number that is none", "limits: {streams: many}\n", `f:1:19: limits.streams is "many": write a whole number from 0 to 1000000`},
	{"a path that is not absolute", "session: {cwd: src}\n", `f:1:16: session.cwd is "src", not an absolute path: write the whole path`},
	{"a zero byte in a path", "data: \"a\\0b\"\n", "f:1:7: data has a zero byte in it: remove it"},
	{"a label twice", "session: {labels: [a, a]}\n", `f:1:23: session.labels has "a" twice: remove one of them`},

	// Policies.
	{"no policies", "policies: []\n", "f:1:11: policies is empty: name at least one, or preset:none to judge nothing"},
	{"a preset that is none", "policies: [preset:recommendet]\n", `f:1:12: policies names the preset "recommendet", which does not exist: did you mean recommended?`},
	{"a policy file that is not there", "policies:\n  - preset:paranoid\n  - none.yaml\n", `f:3:5: policies cannot be read: "none.yaml": no such file or directory: name a file that exists and that you can read`},
	{"a mapping without policies", "policies: {files: [], pinned: true}\n", "f:1:19: policies is empty: name at least one, or preset:none to judge nothing"},
	{"a mapping with another key", "policies: {file: [doc.go]}\n", `f:1:12: policies has an unknown key "file": did you mean files?`},
	{"pinned to nothing", "policies: {pinned: perhaps}\n", `f:1:20: policies.pinned is "perhaps": write true or false`},
	{"a policy file twice", "policies: [doc.go, ./doc.go]\n", `f:1:20: policies has "doc.go" twice: remove one of them`},

	// Other files.
	{"a certificate without key", "tls: {cert: doc.go}\n", "f:1:13: tls.cert has no tls.key: set tls.key as well, or neither"},
	{"a key without certificate", "tls: {key: doc.go}\n", "f:1:12: tls.key has no tls.cert: set tls.cert as well, or neither"},
	{"a certificate that is not there", "tls: {cert: none, key: doc.go}\n", `f:1:13: tls.cert cannot be read: "none": no such file or directory: name a file that exists and that you can read`},
	{"data in a file", "data: doc.go\n", `f:1:7: data is "doc.go", a file: name a directory`},
	{"an audit log that is a directory", "audit_log: testdata\n", `f:1:12: audit_log is "testdata", a directory: name a file in it`},
	{"an audit log in no directory", "audit_log: none/audit\n", `f:1:12: audit_log is in "none", which is not a directory: create it, or name another file`},

	// Upstreams.
	{"no URL", "upstreams: {openai: 'http://[x'}\n", "f:1:21: upstreams.openai.url is not a URL: write https://api.openai.com"},
	{"another scheme", "upstreams: {openai: 'ftp://x'}\n", "f:1:21: upstreams.openai.url is not an http or https URL: write http:// or https:// and a host, like https://api.openai.com"},
	{"no scheme", "upstreams: {openai: {url: 'localhost:8000'}}\n", "f:1:27: upstreams.openai.url is not an http or https URL: write http:// or https:// and a host, like https://api.openai.com"},
	{"no host", "upstreams: {openai: 'https:///v1'}\n", "f:1:21: upstreams.openai.url is not an http or https URL: write http:// or https:// and a host, like https://api.openai.com"},
	{"a host with odd characters", "upstreams: {openai: 'https://a_$b'}\n", "f:1:21: upstreams.openai.url has a host that cannot be one: write http:// or https:// and a host, like https://api.openai.com"},
	{"a user", "upstreams: {openai: 'https://u:secret@x'}\n", "f:1:21: upstreams.openai.url has a user name or password in it: take it out of the URL; key_env names a variable with the provider's key"},
	{"a query", "upstreams: {gemini: 'https://x/?key=secret'}\n", "f:1:21: upstreams.gemini.url has a query or fragment, which no request would keep: write only scheme, host and path"},
	{"a fragment", "upstreams: {gemini: 'https://x/#'}\n", "f:1:21: upstreams.gemini.url has a query or fragment, which no request would keep: write only scheme, host and path"},
	{"a path with dots", "upstreams: {gemini: 'https://x/a/../b'}\n", "f:1:21: upstreams.gemini.url has a path that requests could be misled by: write it as plain words between single slashes"},
	{"a path with escapes", "upstreams: {gemini: 'https://x/a%2fb'}\n", "f:1:21: upstreams.gemini.url has a path that requests could be misled by: write it as plain words between single slashes"},
	{"itself", "upstreams: {openai: 'http://localhost:8484/v1'}\n", "f:1:21: upstreams.openai.url is the gateway itself: requests would loop forever: name the provider, or listen on another port"},
	{"itself by its name", "listen: gw.example:443\ninsecure: true\nupstreams: {openai: 'https://GW.example'}\n", "f:3:21: upstreams.openai.url is the gateway itself: requests would loop forever: name the provider, or listen on another port"},
	{"a variable that is not set", "upstreams: {openai: {key_env: NONE}}\n", "f:1:31: upstreams.openai.key_env names a variable that is not set or empty: set it, or remove the key"},
	{"a key for a variable", "upstreams: {openai: {key_env: sk-proj-1}}\n", "f:1:31: upstreams.openai.key_env is not the name of a variable: set a variable to the secret and write the name of the variable"},
	{"a variable that is no key", "keys: [{name: a, key_env: K}]\nupstreams: {openai: {key_env: SP}}\n", "f:2:31: upstreams.openai.key_env names a variable with spaces or other characters that no key has: set it to the key alone"},

	// Who can reach it.
	{"everybody", "listen: 0.0.0.0:8484\n", "f:1:9: listen is 0.0.0.0:8484, which other machines can reach, and there are no keys: listen on 127.0.0.1, or issue a key with `sluice keys new NAME`, or add `keys:` to the configuration file (make a key with " + makeKey + ") or set SLUICE_KEYS=NAME=KEY, or set --insecure if the network is trusted"},
	{"everybody, in short", "listen: ':8484'\n", "f:1:9: listen is :8484, which other machines can reach, and there are no keys: listen on 127.0.0.1, or issue a key with `sluice keys new NAME`, or add `keys:` to the configuration file (make a key with " + makeKey + ") or set SLUICE_KEYS=NAME=KEY, or set --insecure if the network is trusted"},
	{"everybody, knowingly", "listen: 0.0.0.0:8484\ninsecure: true\n", ""},
	{"everybody with a key", "listen: 0.0.0.0:8484\nkeys: [{name: a, key_env: K}]\n", ""},
	{"a provider's key for everybody", "listen: 0.0.0.0:8484\ninsecure: true\nupstreams: {openai: {key_env: K}}\n", "f:3:31: upstreams.openai.key_env would let everybody who can reach 0.0.0.0:8484 use your OpenAI key: add keys, or let clients bring the provider's key"},

	// Clients' keys.
	{"keys that are no list", "keys: {name: a}\n", "f:1:7: keys is a mapping, not a list: begin each key with `- name: `"},
	{"a key that is no mapping", "keys: [" + goodKey + "]\n", "f:1:8: a key is a single value, not a mapping: write `key: value` pairs"},
	{"a key in place of a word", "keys: [{" + goodKey + ": x}]\n", "f:1:8: a key has 0 of key, key_env and sha256: write one of key, key_env and sha256; make a key with " + makeKey + "\nf:1:9: a key has an unknown key [hidden]: use name, key, key_env, sha256, user, groups or roles"},
	{"a key without name", "keys: [{key_env: K}]\n", "f:1:8: a key has no name: add `name:`, so that people can tell whose it is"},
	{"a key without key", "keys: [{name: a}]\n", "f:1:8: a key has 0 of key, key_env and sha256: write one of key, key_env and sha256; make a key with " + makeKey},
	{"a key with two", "keys: [{name: a, key: " + goodKey + ", key_env: K}]\n", "f:1:8: a key has 2 of key, key_env and sha256: write one of key, key_env and sha256; make a key with " + makeKey},
	{"an empty key", "keys: [{name: a, key: ''}]\n", "f:1:8: a key is empty: write one, or remove the key"},
	{"a key that is too short", "keys: [{name: a, key: slk_abcdefghijklmnopqrs}]\n", "f:1:23: a key is not slk_ and at least 20 letters, digits, - and _: make one with " + makeKey},
	{"a key of another kind", "keys: [{name: a, key: sk-abcdefghijklmnopqrstuvwxyz}]\n", "f:1:23: a key is not slk_ and at least 20 letters, digits, - and _: make one with " + makeKey},
	{"a variable with a short key", "keys: [{name: a, key_env: L}]\n", "f:1:27: a key is not slk_ and at least 20 letters, digits, - and _: make one with " + makeKey},
	{"a key's variable that is not set", "keys: [{name: a, key_env: NONE}]\n", "f:1:27: key_env of a key names a variable that is not set or empty: set it, or remove the key"},
	{"a key in place of its variable", "keys: [{name: a, key_env: " + goodKey + "}]\n", "f:1:27: key_env of a key names a variable that is not set or empty: set it, or remove the key"},
	{"no hash", "keys: [{name: a, sha256: abc}]\n", "f:1:26: sha256 of a key is not a SHA-256: write the 64 hexadecimal digits of: printf %s KEY | sha256sum"},
	{"a name with spaces", "keys: [{name: a b, key_env: K}]\n", `f:1:8: a key has the name "a b": use up to 100 letters, digits, - _ . and @`},
	{"a name twice", "keys:\n  - {name: a, key_env: K}\n  - {name: a, key: " + otherKey + "}\n", `f:3:5: a key has the name "a", which f:2 has already: give it a name of its own`},
	{"a key twice", "keys:\n  - {name: a, key_env: K}\n  - {name: b, key: " + goodKey + "}\n", `f:3:5: the key "b" is the same as that of f:2: remove one of them`},
	{"groups that are none", "keys: [{name: a, key_env: K, groups: {a: b}}]\n", "f:1:38: a value of groups of a key is a mapping: write one value"},

	// Admin.
	{"two tokens", "admin: {token_env: T, token_file: testdata/token}\n", "f:1:20: admin has both token_env and token_file: keep one of them"},
	{"a token that is not set", "admin: {token_env: NONE}\n", "f:1:20: admin.token_env names a variable that is not set or empty: set it, or remove the key"},
	{"a token that is too short", "admin: {token_env: L}\n", "f:1:20: the admin token is not 20 to 4096 plain characters without spaces: make one with head -c 24 /dev/urandom | base64"},
	{"a token that is not there", "admin: {token_file: none}\n", `f:1:21: admin.token_file cannot be read: "none": no such file or directory: name a file that exists and that you can read`},
	{"a token that clients have", "keys: [{name: a, key_env: K}]\nadmin: {token_env: K}\n", "f:2:20: the admin token is also the key of a client, who could then change the gateway: make one with head -c 24 /dev/urandom | base64"},
	{"a host with scheme", "admin: {hosts: ['http://x']}\n", `f:1:17: admin.hosts has "http://x", which is not a host name: write a host name without scheme and path, like sluice.example.org`},
	{"all hosts", "admin: {hosts: ['*']}\n", `f:1:17: admin.hosts has "*", which is not a host name: write a host name without scheme and path, like sluice.example.org`},

	// Paths that are not judged.
	{"everything", "forward: [/*]\n", `f:1:11: forward has "/*", which would pass everything on unjudged: name the paths that are needed`},
	{"the root", "forward: [/]\n", `f:1:11: forward has "/", which would pass everything on unjudged: name the paths that are needed`},
	{"no path", "forward: [v1]\n", `f:1:11: forward has "v1", which is not a path: write an exact path like /v1/embeddings, or one with /* at its end`},
	{"a pattern", "forward: [/v1/*/x]\n", `f:1:11: forward has "/v1/*/x", which is not a path: write an exact path like /v1/embeddings, or one with /* at its end`},
	{"a path that is judged", "forward: [/v1/messages]\n", `f:1:11: forward has "/v1/messages", but the answers of /v1/messages are judged: name only paths that carry no answers of models`},
	{"a path above one that is judged", "forward: [/v1/*]\n", `f:1:11: forward has "/v1/*", but the answers of /v1/messages are judged: name only paths that carry no answers of models`},
	{"a path below models of Gemini", "forward: ['/v1beta/models/g:generateContent']\n", `f:1:11: forward has "/v1beta/models/g:generateContent", but the answers of /v1beta/models are judged: name only paths that carry no answers of models`},
}

// What flags and variables say wrongly is reported under their names.
func TestProblemsOfFlagsAndVariables(t *testing.T) {
	t.Parallel()
	s, err := settings.Parse(settings.Sources{
		Environ: []string{home, "SLUICE_LIMITS_BODY=1", "SLUICE_POLICIES=none.yaml", "SLUICE_KEYS=" + goodKey + ",a=slk_x,b=" + otherKey + ",b=" + goodKey, "SLUICE_LISTEN=127.0.0.1"},
		Flags:   parsed(t, "--listen", "0.0.0.0:1", "--log-level", "ifno", "--data=", "--tls-cert", "none", "--upstream-openai", "https://u:p@x"),
	}, "f", "limits: {idle: 1}\n")
	want := `
f:1:16: limits.idle has no unit: write 1s for seconds
SLUICE_LISTEN: listen is "127.0.0.1", not an address to listen on: add a port: 127.0.0.1:8484
flag --upstream-openai: upstreams.openai.url has a user name or password in it: take it out of the URL; key_env names a variable with the provider's key
flag --data: data is empty: write a value, or leave it out
flag --log-level: log.level is "ifno", which is not a valid value: did you mean info?
SLUICE_KEYS: a key has no name: write NAME=KEY, and a comma before the next
SLUICE_KEYS: a key is not slk_ and at least 20 letters, digits, - and _: make one with ` + makeKey + `
SLUICE_KEYS: a key has the name "b", which SLUICE_KEYS has already: give it a name of its own
SLUICE_LIMITS_BODY: limits.body is "1", which is too small: write something from 1KiB to 1GiB
SLUICE_POLICIES: policies cannot be read: "none.yaml": no such file or directory: name a file that exists and that you can read
flag --tls-cert: tls.cert cannot be read: "none": no such file or directory: name a file that exists and that you can read
flag --tls-cert: tls.cert has no tls.key: set tls.key as well, or neither`
	if got := problemsOf(t, s, err); got != strings.TrimSpace(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, file, want string }{
		{"nothing unusual", "upstreams: {openai: 'http://127.0.0.1:9000'}\n", ""},
		{"everybody, knowingly", "listen: ':8484'\ninsecure: true\n", "f:1:9: everybody who can reach :8484 can use the gateway: add keys\n" +
			"f:1:9: keys and conversations of clients on other machines are not encrypted: set tls.cert and tls.key, unless a proxy in front of it does that"},
		{"not encrypted to clients", "listen: 192.0.2.1:8484\nkeys: [{name: a, key_env: K}]\n", "f:1:9: keys and conversations of clients on other machines are not encrypted: set tls.cert and tls.key, unless a proxy in front of it does that"},
		{"not encrypted to a provider", "upstreams: {openai: 'http://models.example'}\n", "f:1:21: upstreams.openai.url sends keys and conversations unencrypted over the network: use https"},
		{"a provider's key for nobody", "upstreams: {openai: {key_env: K}}\n", "f:1:31: upstreams.openai.key_env is never used: it is for clients with a Sluice key, and there are no keys: add keys, or remove it"},
		{"what cannot be judged passes", "failure: {judge: allow}\n", "f:1:18: failure.judge lets pass what no policy could judge: use block or policy where it matters"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s, err := settings.Parse(settings.Sources{Environ: []string{home, "K=" + goodKey}}, "f", tc.file)
			if err != nil {
				t.Fatal(err)
			}
			if got := settings.Problems(s.Warnings).Error(); got != tc.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tc.want)
			}
		})
	}
}

func TestAFileThatOthersCanReadOrChange(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, file string
		mode       os.FileMode
		want       string
	}{
		{"readable, without keys", "data: x\n", 0o644, ""},
		{"readable, with a hash", "keys: [{name: a, key_env: K}]\n", 0o644, ""},
		{"readable, with a key", "keys: [{name: a, key: " + goodKey + "}]\n", 0o640, ": the file has a key in it that others on this machine can read: run chmod 600 on it, or write sha256 or key_env"},
		{"private, with a key", "keys: [{name: a, key: " + goodKey + "}]\n", 0o600, ""},
		{"changeable", "data: x\n", 0o646, ": others on this machine can change the file, and so switch policies off: run chmod o-w on it"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			name := write(t, t.TempDir(), "f.yaml", tc.file)
			if err := os.Chmod(name, tc.mode); err != nil {
				t.Fatal(err)
			}
			s, err := settings.Load(settings.Sources{File: name, Environ: []string{home, "K=" + goodKey}})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimPrefix(settings.Problems(s.Warnings).Error(), filepath.Clean(name)); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// A pipe can be read only once, by the code that needs its contents.
func TestPipesAreNotOpened(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	name := fmt.Sprintf("/dev/fd/%d", r.Fd())
	if _, err := os.Stat(name); err != nil {
		t.Skip("there are no names for pipes")
	}
	if s := mustParse(t, settings.Sources{Environ: []string{home, "SLUICE_POLICIES=" + name}}, ""); s.Policies[0] != name {
		t.Errorf("policies are %v", s.Policies)
	}
}
