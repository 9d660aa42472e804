package library

// Operations are what descriptions can say that a call does or gives.
var Operations = []string{
	// What happens.
	"shell", "argv", "program", "command", "run", "popen", "attached", // a text, words, one program, either, what words or one text
	"delete", "write", "read", "open", "move", "copy", "link", "mode", "owner", // of files
	"eval", "load", "revive", // a text, a file or an object as a program
	"fetch", "request", "request-with", "send", "lookup", "connect", "listen", "tell", "put", // of others; into something that is open
	"ask", "serve", // an address, and give it what stands behind
	"feed", "named-program", "unseen", "reach", // the input of a shell; a program with the name of the call; what nobody sees
	"extract", "download", "download-each", "unwrap", "start", "library", "foreign", "assembly", "run-for", "read-in", "startup", // files and scripts of Windows
	"stop", "shutdown", "format", "erase", "persist", "disarm", "grant", "install", "reveal", "reveal-named", "registry", "set-variable", "map-drive", "remove-instance", "bind", "pass", "tell-name", "tell-socket", "items", "source", "run-as", "run-remote", "last", "behind", "create", "address-in", "listing", "line", "starts", "sets", "drop-named", "destroy-named", "destroy-part",
	"process", "instance", "object", "as", "characters", "hidden-name", "folder", "writer", "reader",
	"kill", "query", "chdir", "variable", "environment", "show",
	"fork", "loop", "hand-over", // of processes, without end, standard input and output
	"call", "apply", "map", "member", "hidden-names", // of functions
	// What something is.
	"same", "list", "path", "parent", "entries", "found", "walk", "element", "pairs", "first",
	"concat", "join", "format", "replace", "split", "part", "trim", "lower", "letter", "letters", "text", "number", "bytes", "home",
	"base64", "base32", "hex", "rot13", "zlib", "url", "to-base64", "to-url", "from-json", "to-json", "resolve", "reverse", "decode", "hidden",
	"client", "address", "socket", "file", "name", "answer", "made", "body", "other", "nothing", "function",
	// What only code can tell.
	"call-first", "extend", "import", "fill-in", "member-call", "pack", "unpack", "translate", "rest", "field",
	"client-request", "make-request", "open-request", "upload", "machine", "base", "git-push",
	"perl-open", "perl-print", "perl-readline", "perl-shift", "perl-find", "ruby-open", "ruby-map", "ruby-send", "ruby-send-to",
	"php-option", "php-curl", "lua-command",
	"web-request", "invoke-command", "wmi-method", "new-object", "for-each", "set-alias", "item-property", "invoke", "shell-execute",
	"powershell", "cmd", "services", "network", "runs-address", "find-text",
}
