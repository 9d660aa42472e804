package flow

import "strings"

func set(words string) map[string]bool {
	all := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		all[w] = true
	}
	return all
}

// maxName is how much of a tool's name is looked at.
const maxName = 256

// wordsOf are the words of a name in lower case: read_mail, read-mail and
// readMail have two.
func wordsOf(name string) []string {
	name = name[:min(len(name), maxName)]
	var words []string
	start := 0
	cut := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(name[start:end]))
		}
	}
	for i := range len(name) {
		switch c := name[i]; {
		case c == '_', c == '-', c == ' ', c == '.', c == ':', c == '/':
			cut(i)
			start = i + 1
		case 'A' <= c && c <= 'Z' && i > start && 'a' <= name[i-1] && name[i-1] <= 'z':
			cut(i)
			start = i
		}
	}
	cut(len(name))
	return words
}

// fold is a name without case and the signs that join words.
func fold(name string) string {
	name = name[:min(len(name), maxName)]
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' || r == '.' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// familiar are tools of the usual clients that return nothing that others wrote.
var familiar = set("todowrite todoread todo updateplan exitplanmode enterplanmode askuserquestion requestuserinput skill slashcommand savememory killshell killbash taskstop " +
	"toolsearch python codeexecution jsrepl code codeinterpreter notebook thinking think sequentialthinking attemptcompletion askfollowupquestion finish submit final structuredoutput " +
	"taskcreate taskupdate tasklist taskget listmcpresources getdiagnostics lsp codesearch semanticsearch codebasesearch memory waitfor wait sleep viewimage imagegeneration")

func isFamiliar(name string) bool { return familiar[fold(name)] }

// listsResources reports whether a tool of the usual clients only says what there is to read
// from servers.
func listsResources(rawName string) bool {
	switch fold(rawName) {
	case "listmcpresources", "listmcpresourcestool", "listmcpresourcetemplates":
		return true
	}
	return false
}

// continues reports whether a tool shows what a command that already runs says.
func continues(name string) bool {
	switch fold(name) {
	case "bashoutput", "taskoutput", "writestdin", "interactwithprocess", "sendtoterminal", "getterminaloutput", "readprocessoutput", "getcommandorsubagentoutput":
		return true
	}
	return false
}

// localServers are servers whose tools work on the client's own files.
var localServers = set("filesystem fs files git memory sequentialthinking time ide serena desktopcommander shell terminal jetbrains vscode lsp languageserver treesitter " +
	"taskmaster taskmasterai todo todos everything sqlite repomix codeindex sluice cclsp xcodebuild")

func isLocalServer(name string) bool {
	name = strings.TrimSuffix(strings.TrimPrefix(fold(name), "mcp"), "mcp")
	return localServers[name] || localServers[strings.TrimPrefix(strings.TrimSuffix(name, "server"), "server")]
}
