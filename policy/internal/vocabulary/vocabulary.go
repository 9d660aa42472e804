package vocabulary

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/where"
)

// Texts is the set of possible texts of one kind: one of some values, or any of a
// certain form.
type Texts struct {
	// Noun is the name of the kind: "verb".
	Noun string
	// Values are all of them, nil where only their form is known.
	Values []string
	// empty: it can be empty, too.
	empty bool
	// synonyms are what people write for one of the values.
	synonyms map[string]string
	// malformed says why no text of the form equals a constant, and what to
	// write instead; empty if one can.
	malformed func(text string) (message, suggestion string)
	// unclear says what a constant means, beside others, that probably means something
	// else to who wrote it; nil if none does.
	unclear func(text string, beside []string) (message, suggestion string)
	// part says why no text starts with, ends with or contains a constant; nil where
	// that is not known.
	part func(function, text string) (message, suggestion string)
	// without are characters that no text of the form has.
	without string
	// PartsOpen: a part that no text has deserves a warning and not an error.
	PartsOpen bool
	// Open: a host may add values, so that others deserve a warning and not an
	// error.
	Open bool
}

// Never says why nothing ever equals a constant, and what to write instead;
// empty if something can.
func (v *Texts) Never(text string) (message, suggestion string) {
	switch {
	case v.malformed != nil:
		return v.malformed(text)
	case slices.Contains(v.Values, text), text == "" && v.empty:
		return "", ""
	}
	message = fmt.Sprintf("there is no %s %q", v.Noun, text)
	meant := v.synonyms[strings.ToLower(text)]
	if meant == "" {
		meant = Nearest(text, v.Values)
	}
	if meant != "" {
		suggestion = fmt.Sprintf("did you mean %q? ", meant)
	}
	return message, suggestion + "use one of " + strings.Join(v.Values, ", ")
}

// Unclear says what a constant means that probably was to mean something else, and
// what to write; empty if it is clear.
func (v *Texts) Unclear(text string, beside []string) (message, suggestion string) {
	if v.unclear == nil {
		return "", ""
	}
	return v.unclear(text, beside)
}

// NeverPart says why no text starts with, ends with, contains or matches a constant, and what
// to write instead; empty if one can.
func (v *Texts) NeverPart(function, text string) (message, suggestion string) {
	if i := strings.IndexAny(text, v.without); i >= 0 && function != "matches" {
		_, suggestion = v.Never(text)
		return fmt.Sprintf("no %s %s %q", v.Noun, partVerbs[function], text), suggestion
	}
	if v.part != nil {
		return v.part(function, text)
	}
	return "", ""
}

var partVerbs = map[string]string{"startsWith": "starts with", "endsWith": "ends with", "contains": "contains", "matches": "matches"}

// Members are the members of objects that are such texts, by type and name; Lists
// are those that are lists of them.
var (
	Members = map[string]map[string]*Texts{
		"Call": {
			"kind":   {Noun: "kind of call", Values: textsOf(call.Kinds()), synonyms: kindSynonyms},
			"name":   {Noun: "tool", malformed: badToolName, unclear: unclearToolName, part: badToolPart, PartsOpen: true},
			"server": {Noun: "server", malformed: badServer, part: badServerPart, Open: true},
		},
		"Command": {
			"name": {Noun: "program", malformed: badProgram, unclear: unclearProgramName, without: " \t/"},
			"sub":  {Noun: "subcommand", malformed: badSubcommand, Open: true},
		},
		"Effect": {
			"verb": {Noun: "verb", Values: textsOf(effect.Verbs()), synonyms: effect.Synonyms()},
			"how":  {Noun: "program or tool", malformed: badHow},
			"extent": {Noun: "extent", Values: textsOf(effect.Extents()), synonyms: map[string]string{
				"single": "one", "several": "many", "some": "many", "everything": "all", "wide": "all", "recursive": "all",
			}},
			"place": {Noun: "place", Values: textsOf(effect.Areas()), synonyms: map[string]string{
				"workspace": "project", "cwd": "project", "repo": "project", "tmp": "scratch", "temp": "scratch", "user": "home", "root": "system", "machine": "system",
				"ssh": "remote", "container": "remote", "away": "remote", "unknown": "elsewhere",
			}},
		},
		"Message": {
			"role": {Noun: "role", Open: true, Values: textsOf([]llm.Role{llm.System, llm.User, llm.Assistant, llm.ToolRole}),
				synonyms: map[string]string{"developer": "system", "model": "assistant", "human": "user", "function": "tool"}},
		},
		"Session": {
			"client": {Noun: "client", Open: true, Values: policy.Clients(), synonyms: map[string]string{
				"claude": "claude-code", "claude-cli": "claude-code", "gemini": "gemini-cli", "qwen": "qwen-code", "openai": "openai-sdk", "anthropic": "anthropic-sdk",
			}},
			"cwd":  {Noun: "path", malformed: badPathText, part: badPathPart, Open: true},
			"home": {Noun: "path", malformed: badPathText, part: badPathPart, Open: true},
		},
	}
	Lists = map[string]map[string]*Texts{
		"Call": {
			"unknown": {Noun: "reason", Values: call.Reasons()},
			"urls":    {Noun: "address", malformed: badURL, Open: true},
			"reads":   {Noun: "path", malformed: badPathText, part: badPathPart, Open: true},
			"writes":  {Noun: "path", malformed: badPathText, part: badPathPart, Open: true},
		},
	}
)

// Results are the functions that return texts of a vocabulary, and
// Arguments those that take them.
var (
	Results = map[string]*Texts{
		"host": {Noun: "host", malformed: badHost, without: "/@ ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
	}
	Arguments = map[string]*Texts{
		"is":    {Noun: "program", malformed: badProgram, unclear: unclearProgram},
		"has":   {Noun: "flag", malformed: badFlag},
		"flag":  {Noun: "flag", malformed: badFlag},
		"flags": {Noun: "flag", malformed: badFlag},

		"@under":   {Noun: "directory", malformed: badDirectory},
		"@glob":    {Noun: "path", malformed: badPath},
		"@touches": {Noun: "path", malformed: badPath, unclear: unclearPath},
		"@around":  {Noun: "path", malformed: badPath, unclear: unclearPath},
		"@carries": {Noun: "path", malformed: badPath, unclear: unclearPath},
		"@names":   {Noun: "path", malformed: badPath, unclear: unclearPath},
		"@within":  {Noun: "path", malformed: badPath, unclear: unclearPlace},
		"@outside": {Noun: "path", malformed: badPath, unclear: unclearPlace},
	}
)

// Numbers are the parts of a time with their minimum and maximum.
var Numbers = map[string][2]int{
	"getHours": {0, 23}, "getMinutes": {0, 59}, "getSeconds": {0, 59}, "getMilliseconds": {0, 999},
	"getDayOfWeek": {0, 6}, "getDayOfMonth": {0, 30}, "getDate": {1, 31}, "getDayOfYear": {0, 365}, "getMonth": {0, 11},
}

// kindSynonyms are what people write for kinds of calls.
var kindSynonyms = map[string]string{
	"bash": "shell", "exec": "shell", "command": "shell", "terminal": "shell", "web": "fetch", "http": "fetch", "patch": "edit", "agent": "task",
}

// unclearToolName: the tool of one client has a name that means all of a kind.
func unclearToolName(text string, _ []string) (message, suggestion string) {
	kind := kindSynonyms[text]
	if slices.Contains(textsOf(call.Kinds()), text) {
		kind = text
	}
	if kind == "" || !call.IsKnown(text) {
		return "", ""
	}
	return fmt.Sprintf("only some clients have a tool with the name %q", text), fmt.Sprintf("write call.kind == %q for the tools of all clients", kind)
}

// unclearProgram: a wrapper is taken off the command that it runs.
func unclearProgram(text string, _ []string) (message, suggestion string) {
	p := command.Builtin().Program(text)
	if p == nil || !p.Wraps() || p.Alone() {
		return "", ""
	}
	suggestion = fmt.Sprintf("ask about the command that it runs, or write c.text.matches(%q)", `\b`+regexp.QuoteMeta(text)+`\s`)
	if p.OtherUser() {
		suggestion = "write c.sudo for all commands that run as another user"
	}
	return text + " is taken off the command that it runs, so this is only true where it runs none", suggestion
}

// unclearProgramName: the same, and other names of the program, which is() knows.
func unclearProgramName(text string, beside []string) (message, suggestion string) {
	if others := Versions(text); others != nil && strings.TrimRight(text, "0123456789.") == text && !slices.ContainsFunc(others, func(name string) bool { return slices.Contains(beside, name) }) {
		return fmt.Sprintf("%s has other names with its version, such as %s", text, others[0]), fmt.Sprintf("write c.is(%q)", text)
	}
	return unclearProgram(text, beside)
}

// badToolName: call.name is the canonical name of known tools, without their
// server.
func badToolName(text string) (message, suggestion string) {
	name, server := call.Canonical(text)
	switch {
	case text == "" || call.SameName(name, text):
		return "", ""
	case server != "":
		return fmt.Sprintf("no tool has the name %q: call.name is the name without its server", text),
			fmt.Sprintf("write call.server == %q && call.name == %q, or call.raw_name == %q", server, name, text)
	default:
		return fmt.Sprintf("no tool has the name %q: call.name is the usual spelling", text),
			fmt.Sprintf("write call.name == %q, or call.raw_name == %q for the name as the model wrote it", name, text)
	}
}

// badToolPart: the same for what names begin with and have in them.
func badToolPart(function, text string) (message, suggestion string) {
	plain := text
	if function == "matches" {
		plain = strings.TrimPrefix(strings.NewReplacer(".*", "", `\w+`, "", "[^_]+", "", "$", "").Replace(text), "^")
	}
	found := len(plain) >= 4 && strings.EqualFold(plain[:4], "mcp_")
	if !found && !strings.Contains(plain, "__") {
		return "", ""
	}
	server, tool, _ := strings.Cut(strings.TrimPrefix(plain[min(4, len(plain)):], "_"), "__")
	message = fmt.Sprintf("call.name of an MCP tool is its name without the server, so that none %s %q", partVerbs[function], text)
	switch {
	case !found:
		return message, `write call.server == "SERVER" && call.name == "TOOL", or ask about call.raw_name`
	case server == "":
		return message, `write call.server != "" for the tools of all servers, or ask about call.raw_name`
	case tool != "":
		return message, fmt.Sprintf("write call.server == %q && call.name.startsWith(%q), or ask about call.raw_name", server, tool)
	default:
		return message, fmt.Sprintf("write call.server == %q, or ask about call.raw_name", server)
	}
}

// badServer: a server is named without what clients put before its name.
func badServer(text string) (message, suggestion string) {
	if len(text) < 4 || !strings.EqualFold(text[:4], "mcp_") {
		return "", ""
	}
	_, server := call.Canonical(strings.TrimRight(text, "_") + "__tool")
	return fmt.Sprintf("call.server is the name of the server alone, never %q", text), fmt.Sprintf("write call.server == %q", server)
}

func badServerPart(function, text string) (message, suggestion string) {
	if function != "startsWith" {
		return "", ""
	}
	return badServer(text)
}

// badProgram: the name of a program is one word, without its directory.
func badProgram(text string) (message, suggestion string) {
	list := strings.Fields(text)
	switch {
	case len(list) > 1 && strings.HasPrefix(list[1], "-"):
		return fmt.Sprintf("no program has the name %q: it is a program with a flag", text),
			fmt.Sprintf("write c.is(%q) && %s", list[0], hasFlags(list[1:]))
	case len(list) > 1:
		return fmt.Sprintf("no program has the name %q: it is a program with a subcommand", text),
			fmt.Sprintf("write c.is(%q) && c.sub == %q", list[0], list[1])
	case len(list) == 1 && list[0] != text:
		return fmt.Sprintf("no program has the name %q", text), fmt.Sprintf("remove the spaces: %q", list[0])
	case strings.ContainsAny(text, `/\`):
		return fmt.Sprintf("no program has the name %q: a program is named without its directory", text),
			fmt.Sprintf("write %q", text[strings.LastIndexAny(text, `/\`)+1:])
	case len(text) > 4 && strings.EqualFold(text[len(text)-4:], ".exe"):
		return fmt.Sprintf("no program has the name %q: a program is named without .exe", text), fmt.Sprintf("write %q", text[:len(text)-4])
	}
	return "", ""
}

// badHow: how an effect comes about is a program or a tool, without arguments.
func badHow(text string) (message, suggestion string) {
	list := strings.Fields(text)
	switch {
	case text == effect.ToolInstall:
	case len(list) > 1:
		return fmt.Sprintf("nothing is done by %q: how is the name of a program or a tool, without arguments", text), fmt.Sprintf("write e.how == %q", list[0])
	case strings.ContainsAny(text, `/\`):
		return fmt.Sprintf("nothing is done by %q: how is a name without its directory", text), fmt.Sprintf("write e.how == %q", text[strings.LastIndexAny(text, `/\`)+1:])
	}
	return "", ""
}

// hasFlags is the condition that a command has some flags: -rf is two of them.
func hasFlags(flags []string) string {
	var parts []string
	for _, flag := range flags {
		if letters, short := strings.CutPrefix(flag, "-"); short && !strings.HasPrefix(letters, "-") && len(letters) <= 3 {
			for _, letter := range letters {
				parts = append(parts, fmt.Sprintf("c.has(%q)", "-"+string(letter)))
			}
		} else if short {
			parts = append(parts, fmt.Sprintf("c.has(%q)", flag))
		}
	}
	return strings.Join(parts, " && ")
}

// badSubcommand: a subcommand is the first argument that is not a flag.
func badSubcommand(text string) (message, suggestion string) {
	list := strings.Fields(text)
	switch {
	case strings.HasPrefix(text, "-"):
		return fmt.Sprintf("the subcommand %q is a flag, which a subcommand cannot be", text), fmt.Sprintf("write c.has(%q)", text)
	case len(list) > 1:
		return fmt.Sprintf("the subcommand %q has several words, and a subcommand is one argument", text),
			fmt.Sprintf("write c.is(%q) && c.sub == %q if %[1]s is the program, or c.sub == %[1]q && %[2]q in c.args", list[0], list[1])
	}
	return "", ""
}

// badFlag: a flag is named with or without its dashes, and without its value.
func badFlag(text string) (message, suggestion string) {
	list := strings.Fields(text)
	name, value, hasValue := strings.Cut(strings.TrimLeft(text, "-"), "=")
	switch {
	case strings.Trim(text, "-") == "":
		return fmt.Sprintf("no flag has the name %q", text), `name it: "--force" or "-f"`
	case hasValue:
		return fmt.Sprintf("no flag has the name %q: it has a value in it", text), fmt.Sprintf("write c.flag(%q) == %q", name, value)
	case len(list) > 1 && strings.HasPrefix(list[1], "-"):
		return fmt.Sprintf("no flag has the name %q: these are several", text), "write " + hasFlags(list)
	case len(list) > 1:
		return fmt.Sprintf("no flag has the name %q: it has a value in it", text),
			fmt.Sprintf("write c.flag(%q) == %q", strings.TrimLeft(list[0], "-"), strings.Join(list[1:], " "))
	}
	return "", ""
}

// badHost: a host is written in lower case, without port, user and path.
func badHost(text string) (message, suggestion string) {
	switch lower, usual := strings.ToLower(text), where.Numeric(text); {
	case usual != "":
		return fmt.Sprintf("no host has the name %q: numeric addresses are dotted", text), fmt.Sprintf("write %q", usual)
	case strings.Contains(text, "*"):
		return fmt.Sprintf("no host has the name %q: == compares it as it is written", text),
			fmt.Sprintf("write .endsWith(%q)", strings.TrimLeft(text, "*"))
	case strings.ContainsAny(text, "/@ ") || strings.Count(text, ":") == 1 || strings.HasSuffix(text, ".") && text != ".":
		suggestion = "write it without scheme, user, port and path"
		if name, known := where.Host(text); known && name != text && name != "" {
			suggestion += fmt.Sprintf(": %q", name)
		}
		return fmt.Sprintf("no host has the name %q", text), suggestion
	case lower != text:
		return fmt.Sprintf("no host has the name %q: hosts are in lower case", text), fmt.Sprintf("write %q", lower)
	}
	return "", ""
}

// badURL: an address has a scheme.
func badURL(text string) (message, suggestion string) {
	if strings.Contains(text, "://") || text == "" {
		return "", ""
	}
	name, _, _ := strings.Cut(text, "/")
	return fmt.Sprintf("no address is %q: an address begins with its scheme, as https://", text), fmt.Sprintf("write u.host() == %q", strings.ToLower(name))
}

// badDirectory: under takes a directory, not a pattern.
func badDirectory(text string) (message, suggestion string) {
	if !strings.ContainsAny(text, "*?") {
		return badPath(text)
	}
	suggestion = fmt.Sprintf("write .glob(%q)", text)
	if dir, ok := strings.CutSuffix(text, "/**"); ok && !strings.ContainsAny(dir, "*?") {
		suggestion = fmt.Sprintf("write .under(%q), which is the directory and everything in it", dir)
	}
	return fmt.Sprintf("under takes a directory, but %q is a pattern", text), suggestion
}

// textsOf are values of a type of texts as texts.
func textsOf[T ~string](list []T) []string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = string(v)
	}
	return texts
}
