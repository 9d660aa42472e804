package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// readVerbs are the programs that show what is in files, or something made of
// it. Programs that list files and say how large they are have no effect.
var readVerbs = map[string]verb{
	"cat": cat, "gcat": cat, "tac": cat, "gtac": cat, "zcat": cat, "bzcat": cat, "xzcat": cat, "zstdcat": cat, "gzcat": cat, "vis": cat, "rev": cat, "nroff": cat,
	"less": pager("bhjkopPtTxyzD"), "more": pager("n"), "most": pager(""), "zless": pager(""), "zmore": pager(""),
	"bat": reads("lHrm", "language", "line-range", "highlight-line", "theme", "style", "color", "paging", "map-syntax", "file-name", "tabs", "wrap"), "batcat": reads("lHrm"),
	"head": reads("nc", "lines", "bytes"), "ghead": reads("nc"), "tail": reads("ncsb", "lines", "bytes", "pid", "sleep-interval"), "gtail": reads("ncs"),
	"multitail": reads("ciIlLnsR"), "nl": reads("bdfhilnsvw"), "wc": reads("", "files0-from"), "gwc": reads(""), "od": reads("AjNSt", "address-radix", "skip-bytes", "read-bytes", "format"), "hexdump": reads("efns"), "hd": reads("efns"),
	"xxd": inOut("cglnosR", 1), "hexyl": reads("nsobc"), "strings": reads("nteTs", "bytes", "radix", "encoding"),
	"base64": encoder, "gbase64": encoder, "base32": encoder, "basenc": encoder, "uuencode": uuencode, "uudecode": reads("o"), "ascii85": reads(""),
	"cut": reads("bcdf", "bytes", "characters", "delimiter", "fields", "output-delimiter"), "paste": reads("d", "delimiters"), "join": reads("12aejotv"), "comm": reads(""),
	"column": reads("csNORTWHEo", "separator", "table-columns", "output-separator", "table-right"), "fold": reads("w"), "fmt": reads("wgp"), "pr": reads("hlowDNW"),
	"expand": reads("t"), "unexpand": reads("t"), "tsort": reads(""), "ptx": reads(""), "look": skips(1, ""),
	"diff": compare, "gdiff": compare, "colordiff": compare, "sdiff": compare, "diff3": compare, "cmp": compare, "delta": compare, "difft": compare, "icdiff": compare,
	"md5sum": reads(""), "sha1sum": reads(""), "sha224sum": reads(""), "sha256sum": reads(""), "sha384sum": reads(""), "sha512sum": reads(""), "b2sum": reads("l"),
	"cksum": reads("a"), "sum": reads(""), "md5": reads("s"), "shasum": reads("a"), "xxhsum": reads("H"), "b3sum": reads("l"), "crc32": reads(""),
	"grep": grep, "egrep": grep, "fgrep": grep, "ggrep": grep, "zgrep": grep, "rg": grep, "ag": grep, "ack": grep, "ugrep": grep, "pcregrep": grep, "ripgrep": grep, "sift": grep, "pt": grep,
	"jq": jq, "gojq": jq, "jaq": jq, "yq": yq, "dasel": yq, "fx": reads(""), "xmllint": reads("", "xpath", "schema", "output", "format"), "xmlstarlet": skips(1, "tmvos"), "csvcut": reads("dcqez"),
	"sort": sortVerb, "gsort": sortVerb, "shuf": shuf, "gshuf": shuf, "uniq": inOut("fsw", 1), "guniq": inOut("fsw", 1), "iconv": iconv,
	"man": manual, "gcore": dumps, "procdump": dumps,
	"openssl": openssl, "gpg": gpg, "gpg2": gpg, "age": age, "rage": age, "ssh-keygen": keygen, "sops": sops, "ansible-vault": sops,
	"pbcopy": cat, "xclip": cat, "glow": reads("sw"), "mdcat": reads(""), "pandoc": pandoc, "exiftool": reads(""), "nm": reads(""), "objdump": reads("jMmb"), "readelf": reads("xpw"), "textutil": reads(""),
	"csvlook": reads("d"), "mlr": reads(""), "xsv": skips(1, "do"), "plutil": plutil, "qrencode": reads("ostlv"), "ccat": cat, "lolcat": cat, "vimcat": cat, "fzf": fzf,
	"gdb": debugger, "lldb": debugger,
}

// reads is a program that shows all files that it names.
func reads(values string, long ...string) verb { return skips(0, values, long...) }

// skips is reads for a program whose first operands are no files.
func skips(n int, values string, long ...string) verb {
	u := &usage{values: values, long: long}
	return func(a *act) {
		g := a.given(u)
		for range n {
			g.first()
		}
		a.looks(false, g.all("files0-from")...)
		a.looks(false, g.operands...)
	}
}

// inOut is a program that reads its first operands and writes the one behind.
func inOut(values string, n int) verb {
	u := &usage{values: values}
	return func(a *act) {
		g := a.given(u)
		from := ""
		for i, p := range g.operands {
			if i < n {
				a.looks(false, p)
				if !isNoFile(p) {
					from = a.path(p)
				}
				continue
			}
			a.put(p, from)
		}
	}
}

func cat(a *act) { a.looks(false, a.Operands()...) }

// pager shows files; what follows +! runs.
func pager(values string) verb {
	u := &usage{values: values}
	return func(a *act) {
		g := a.given(u)
		for _, p := range g.operands {
			if command, ok := strings.CutPrefix(p, "+"); ok {
				if _, script, runs := strings.Cut(command, "!"); runs {
					a.script(script)
				}
				continue
			}
			a.looks(false, p)
		}
		a.writes(g.all("o", "O", "log-file")...)
	}
}

// encoder is base64 and its kin, on macOS with files in options.
func encoder(a *act) {
	g := a.given(&usage{values: "wbo", long: []string{"wrap", "break", "output"}})
	a.looks(false, g.operands...)
	a.looks(false, g.all("input")...)
	a.writes(g.all("o", "output")...)
}

func uuencode(a *act) {
	if g := a.given(&usage{}); len(g.operands) > 1 {
		a.looks(false, g.operands[0])
	}
}

func compare(a *act) {
	g := a.given(&usage{values: "CUIxXFSWD", long: []string{"label", "exclude", "exclude-from", "from-file", "to-file", "unified", "context", "width", "color", "diff-program", "output"}})
	if program := g.value("diff-program"); program != "" {
		a.script(program)
	}
	a.looks(g.has("r", "recursive"), g.operands...)
	a.looks(false, g.all("from-file", "to-file")...)
	if a.Name == "sdiff" {
		a.writes(append(a.after("-o"), g.all("output")...)...)
	}
}

var grepUsage = usage{values: "efmABCdgtTjEMr", long: []string{
	"regexp", "file", "max-count", "after-context", "before-context", "context", "glob", "iglob", "type", "type-not", "threads", "replace", "sort", "sortr",
	"pre", "pre-glob", "max-depth", "ignore-file", "type-add", "pager", "ignore", "depth", "files-with-matches-from", "output", "hostname-bin", "max-columns", "max-filesize", "encoding", "engine", "color-match",
}}

// plainGrepUsage is that of grep itself, agUsage that of ag and ack.
var (
	plainGrepUsage = usage{values: "efmABCdD", long: grepUsage.long} // where r has no value
	agUsage        = usage{values: "mABCGgpW", long: grepUsage.long}
)

// grep shows the lines of files that match. Some of its kin search the working
// directory unless they are told otherwise, or are given something.
func grep(a *act) {
	searches := a.Name == "rg" || a.Name == "ag" || a.Name == "ack" || a.Name == "ugrep" || a.Name == "ripgrep" || a.Name == "sift" || a.Name == "pt"
	u := &grepUsage
	switch {
	case !searches:
		u = &plainGrepUsage
	case a.Name == "ag", a.Name == "ack":
		u = &agUsage
	}
	g := a.givenOnce(u)
	a.looks(false, g.all("f", "file")...)
	if command := g.value("pager"); command != "" {
		a.script(command)
	}
	if g.has("files", "type-list", "version", "help", "V") {
		return // only names
	}
	if !g.has("e", "f", "regexp", "file") {
		g.first()
	}
	whole := searches || !searches && g.has("r", "R", "recursive", "dereference-recursive") || g.value("d", "directories") == "recurse"
	if len(g.operands) == 0 && whole && (!a.in.piped || !searches) {
		g.operands = []string{"."}
	}
	a.looks(whole, g.operands...)
	if command := g.value("pre"); command != "" && a.Name == "rg" { // is given each file
		a.argv(append([]string{command}, g.operands...))
	}
	if command := g.value("hostname-bin"); command != "" {
		a.argv([]string{command})
	}
}

var jqUsage = usage{values: "fL", long: []string{"from-file", "indent", "library-path"}}

// jq shows parts of files by an expression, which can also show variables.
func jq(a *act) {
	args := make([]string, 0, len(a.Args))
	for i := 0; i < len(a.Args); i++ {
		switch a.Args[i] {
		case "--arg", "--argjson":
			i += 2
		case "--slurpfile", "--rawfile", "--argfile":
			if i += 2; i < len(a.Args) {
				a.looks(false, a.Args[i])
			}
		default:
			args = append(args, a.Args[i])
		}
	}
	own := *a.Command
	own.Args = args
	g := (&act{Command: &own}).given(&jqUsage)
	expression := ""
	if !g.has("f", "from-file") {
		expression = g.first()
	}
	a.looks(false, g.all("f", "from-file")...)
	a.jqEnvironment(expression)
	if g.has("args", "jsonargs") {
		g.operands = g.operands[:min(1, len(g.operands))]
	}
	a.looks(false, g.operands...)
}

// jqEnvironment notes variables that an expression shows.
func (a *act) jqEnvironment(expression string) {
	for _, name := range []string{"$ENV", "env"} {
		for rest, more := expression, true; more; {
			before, after, found := strings.Cut(rest, name)
			more, rest = found, after
			if !found || name == "env" && before != "" && (isNameByte(before[len(before)-1]) || strings.HasSuffix(before, ".") || strings.HasSuffix(before, "$")) {
				continue
			}
			if after != "" && isNameByte(after[0]) {
				continue
			}
			if field, ok := strings.CutPrefix(after, "."); ok && field != "" && isNameByte(field[0]) {
				a.revealsVariable(leadingName(field))
				continue
			}
			a.reveals("environment")
		}
	}
}

func leadingName(s string) string {
	n := 0
	for n < len(s) && isNameByte(s[n]) {
		n++
	}
	return s[:n]
}

func yq(a *act) {
	g := a.given(&usage{values: "opIf", long: []string{"output-format", "input-format", "indent", "split-exp", "from-file", "expression", "arg", "argjson"}})
	if len(g.operands) > 0 {
		switch g.operands[0] {
		case "e", "eval", "ea", "eval-all", "r", "read", "w", "write", "select", "put", "delete":
			g.first()
		}
	}
	if len(g.operands) > 1 && !g.has("from-file", "expression") {
		g.first()
	}
	if g.has("i", "inplace", "in-place") {
		for _, p := range g.operands {
			a.put(p, "")
		}
		return
	}
	a.looks(false, g.operands...)
}

func fzf(a *act) {
	if command := a.Flag("--preview"); command != "" {
		a.script(command)
	}
}

// debugger can make another program call what it likes.
func debugger(a *act) {
	for _, command := range a.after("-ex", "--ex", "-eval-command", "--eval-command", "-iex", "-o", "-O", "--one-line") {
		trimmed := strings.TrimSpace(command)
		switch word, rest, _ := strings.Cut(trimmed, " "); {
		case strings.HasPrefix(trimmed, "!"):
			a.script(trimmed[1:])
		case word == "shell", word == "make":
			a.script(rest)
		case strings.HasPrefix(trimmed, "platform shell "):
			a.script(strings.TrimPrefix(trimmed, "platform shell "))
		case word == "python", word == "py", word == "script", word == "source":
			if !a.calls(rest, "system(", "popen(") {
				a.doubt(Eval)
			}
		default:
			a.calls(trimmed, "system(", "popen(")
		}
	}
	for _, file := range a.after("-x", "--command", "-s", "--source") {
		a.runs(file)
	}
	for _, pid := range a.after("-p", "--pid") {
		if a.Sudo || pid == "1" { // one's own processes are there to be looked at
			a.does(effect.Grant, "memory of process "+pid)
		}
	}
}
