package shell

import (
	"slices"
	"strconv"
	"strings"
)

// displays reports whether a program prints what it reads, from files and from
// its input, so that it can be read, and whether it prints its arguments.
func (a *act) displays() (contents, words bool) {
	switch a.Name {
	case "echo", "print", "expr", "basename", "dirname", "figlet", "cowsay", "banner", "yes":
		return false, true
	case "printf":
		return false, len(a.Args) == 0 || a.Args[0] != "-v"
	case "wc", "gwc", "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "cksum", "sum", "md5", "shasum", "xxhsum", "b3sum", "crc32", "cmp",
		"pbcopy", "xclip", "man", "ssh-keygen", "gcore", "procdump", "nm", "objdump", "readelf", "gdb", "lldb", "sops", "ansible-vault", "exiftool", "qrencode":
		return false, false
	case "grep", "egrep", "fgrep", "ggrep", "zgrep", "rg", "ag", "ack", "ugrep", "pcregrep", "ripgrep", "sift", "pt":
		return a.grepShows(), false
	case "cut":
		return !a.cutsValues(), false
	case "head", "ghead":
		n, err := strconv.Atoi(a.Flag("c") + a.Flag("bytes"))
		return err != nil || n > mostGlimpse || n < 0, false
	case "sed", "gsed":
		if a.Has("i") || a.Has("--in-place") || slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "-i") || strings.HasPrefix(s, "--in-place") }) {
			return false, false
		}
		return !slices.ContainsFunc(a.Args, masksValues), true
	case "awk", "gawk", "mawk", "nawk", "original-awk":
		return !slices.ContainsFunc(a.Args, printsNames), true
	case "jq", "gojq", "jaq", "yq", "dasel", "fx":
		words := a.Operands("f", "L", "arg", "argjson", "o", "p", "I")
		return len(words) == 0 || !asksLittle(words[0]), true
	case "diff", "gdiff", "colordiff", "sdiff", "comm", "diff3":
		return !a.Has("q") && !a.Has("--brief"), false
	case "sort", "gsort", "shuf", "iconv", "pandoc":
		return !a.Has("o") && !a.Has("--output"), false
	case "openssl":
		return a.opensslShows(), false
	case "gpg", "gpg2", "age", "rage":
		return false, false // what they decrypt, they reveal
	case "dd", "gdd":
		return !slices.ContainsFunc(a.Args, func(s string) bool {
			to, ok := strings.CutPrefix(s, "of=")
			return ok && !isScreen(to)
		}), false
	case "tar", "gtar", "bsdtar", "cpio", "pax", "gzip", "bzip2", "xz", "zstd", "gunzip", "lz4", "zip", "brotli":
		return a.packsToOutput(), false
	case "cp", "gcp", "install", "ginstall", "mv", "rsync", "ln":
		return slices.ContainsFunc(a.Args, isScreen), false
	case "tr", "tee", "pv", "sponge", "ts", "envsubst", "unbuffer", "stdbuf", "ed", "ex", "vim", "vi", "nvim", "view", "vimdiff", "emacs", "sqlite3", "duckdb", "psql", "mysql", "mariadb",
		"file", "date", "dig", "ip", "arp", "m4", "gm4", "cpp", "gcc", "cc", "clang", "g++", "c++", "clang++", "as", "tcc", "less", "logger", "column", "bc", "dc", "split", "csplit", "xmlstarlet":
		return true, false
	case "git":
		return a.gitShows(), a.Sub == "cat-file" || a.Sub == "show"
	case "curl", "wget", "wget2":
		return slices.ContainsFunc(a.Args, func(s string) bool {
			return strings.HasPrefix(s, "file:") || s == "-i" && a.Name != "curl" || strings.HasPrefix(s, "--input-file")
		}), false
	}
	if readVerbsShow[a.Name] {
		return true, false
	}
	if a.isCode() || isCodeName(a.Name) {
		shows := a.codeShows()
		return shows, shows
	}
	return false, false
}

// readVerbsShow are the programs of readVerbs.
var readVerbsShow = func() map[string]bool {
	names := make(map[string]bool, len(readVerbNames))
	for _, name := range readVerbNames {
		names[name] = true
	}
	return names
}()

// readVerbNames are programs that print what they read, apart from those that
// displays knows more of.
var readVerbNames = strings.Fields(`cat gcat tac gtac zcat bzcat xzcat zstdcat gzcat vis rev nroff more most zless zmore bat batcat tail gtail multitail nl od hexdump hd xxd hexyl
	strings base64 gbase64 base32 basenc uuencode uudecode ascii85 paste join fold fmt pr expand unexpand tsort ptx look delta difft icdiff xmllint csvcut uniq guniq glow mdcat textutil
	csvlook mlr xsv plutil ccat lolcat vimcat fzf busybox toybox`)

// isCodeName reports whether a program is an interpreter that codeVerb does not
// know.
func isCodeName(name string) bool {
	switch name {
	case "julia", "tclsh", "wish", "expect", "jshell", "osascript", "swift", "elixir", "iex", "erl", "guile", "racket", "sbcl", "clojure", "bb", "scala", "groovy", "octave", "Rscript", "R", "ghci", "runghc", "ocaml", "crystal", "nim", "raku":
		return true
	}
	return false
}

// cutsValues reports whether cut leaves out what stands behind the names, or
// most of it.
func (a *act) cutsValues() bool {
	if fields := a.Flag("f") + a.Flag("fields"); fields != "" {
		by := a.Flag("d") + a.Flag("delimiter")
		return fields == "1" && (by == "=" || slices.Contains(a.Args, "-d=") || by == ":" || by == " ") && !a.Has("--complement")
	}
	columns := a.Flag("c") + a.Flag("b") + a.Flag("characters") + a.Flag("bytes")
	_, last, ok := strings.Cut(columns, "-")
	if !ok {
		last = columns
	}
	n, err := strconv.Atoi(last)
	return err == nil && n <= mostGlimpse
}

// masksValues reports whether a script of sed replaces what stands behind the
// names: s/=.*/=x/.
func masksValues(script string) bool {
	if len(script) < 4 || strings.ContainsRune(script, '&') {
		return false
	}
	for _, form := range []string{"=.*", "=.+", `=.\+`, "=[^", "[=:].*", ":.*", `=\S*`, `=\S+`} {
		if i := strings.Index(script, form); i > 0 && strings.Contains(script[:i], "s") {
			return true
		}
	}
	return false
}

// printsNames reports whether a program of awk prints what stands before the sign.
func printsNames(program string) bool {
	i := strings.Index(program, "print")
	if i < 0 {
		return false
	}
	for rest := program[i:]; ; {
		_, after, ok := strings.Cut(rest, "$")
		if !ok {
			return strings.Contains(program, "$1") || strings.Contains(program[i:], "length") || strings.Contains(program[i:], "NR")
		}
		if !strings.HasPrefix(after, "1") || len(after) > 1 && after[1] >= '0' && after[1] <= '9' {
			return false
		}
		rest = after
	}
}

// asksLittle reports whether an expression of jq is for names, or for one thing
// that is no secret by its name.
func asksLittle(expression string) bool {
	expression = strings.TrimSpace(expression)
	for _, end := range []string{"keys", "keys[]", "keys_unsorted", "length", "type", "has(", ".key"} {
		if strings.HasSuffix(expression, end) && !strings.HasSuffix(expression, "_key") && !strings.HasSuffix(expression, "private.key") || end == "has(" && strings.Contains(expression, end) {
			return expression != end || end[0] != '.'
		}
	}
	if len(expression) < 3 || expression[0] != '.' {
		return false
	}
	for i := range len(expression) {
		if c := expression[i]; !isNameByte(c) && c != '.' && c != '"' && c != '-' {
			return false
		}
	}
	return !isCredentialWord(expression)
}

// isCredentialWord reports whether a text that asks for something asks for a
// secret.
func isCredentialWord(text string) bool {
	text = strings.ToLower(text)
	for i := range len(text) {
		found := false
		switch rest := text[i:]; rest[0] {
		case 'p':
			found = strings.HasPrefix(rest, "pass") || strings.HasPrefix(rest, "pwd") || strings.HasPrefix(rest, "private") || strings.HasPrefix(rest, "parameter")
		case 's':
			found = strings.HasPrefix(rest, "secret")
		case 't':
			found = strings.HasPrefix(rest, "token")
		case 'k':
			found = strings.HasPrefix(rest, "key")
		case 'c':
			found = strings.HasPrefix(rest, "cred")
		case 'a':
			found = strings.HasPrefix(rest, "auth")
		case 'd':
			found = strings.HasPrefix(rest, "data")
		case 'v':
			found = strings.HasPrefix(rest, "value")
		}
		if found {
			return true
		}
	}
	return false
}

// opensslShows: keys are printed unless it is told otherwise.
func (a *act) opensslShows() bool {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(a.Args, name) })
	}
	switch a.Sub {
	case "rsa", "pkey", "ec", "dsa", "pkcs8", "pkcs12":
		if has("-pubout", "-pubin") && !has("-text") || has("-out") || has("-nokeys") || has("-check") && has("-noout") {
			return false
		}
		return !has("-noout") || has("-text")
	case "base64", "enc", "zlib", "asn1parse":
		return !has("-out")
	}
	return false
}

// packsToOutput reports whether what is packed or unpacked goes to the output.
func (a *act) packsToOutput() bool {
	switch a.Name {
	case "gzip", "bzip2", "xz", "zstd", "lz4", "brotli", "gunzip":
		return a.Has("c") || a.Has("--stdout") || a.Has("--to-stdout") || len(a.Operands()) == 0
	case "zip":
		return slices.Contains(a.Args, "-")
	case "cpio":
		return a.Has("o") || a.Has("--create")
	}
	if a.Has("O") || a.Has("--to-stdout") || slices.Contains(a.Args, "-f-") {
		return true
	}
	for i, arg := range a.Args {
		if isScreen(arg) || arg == "-" && i > 0 && strings.HasSuffix(a.Args[i-1], "f") {
			return true
		}
		if i == 0 && !strings.HasPrefix(arg, "-") && strings.Contains(arg, "O") {
			return true
		}
	}
	return !a.Has("f") && !a.Has("--file") && (len(a.Args) == 0 || strings.HasPrefix(a.Args[0], "-") || !strings.Contains(a.Args[0], "f"))
}

// gitShows reports whether git prints contents of files.
func (a *act) gitShows() bool {
	for _, flag := range []string{"--stat", "--name-only", "--name-status", "--shortstat", "--numstat", "--quiet", "-q", "--oneline", "-s", "--no-patch", "--summary", "-l", "--files-with-matches", "-c", "--count"} {
		if slices.Contains(a.Args, flag) && !(a.Sub == "log" && a.Has("p")) && (flag != "-c" || a.Sub == "grep") && (flag != "-l" || a.Sub == "grep") {
			return false
		}
	}
	switch a.Sub {
	case "show", "diff", "blame", "annotate", "cat-file", "grep", "hash-object", "archive", "bundle", "diff-index", "diff-tree", "diff-files", "whatchanged", "difftool", "range-diff":
		return true
	case "log", "stash", "reflog":
		return a.Has("p") || a.Has("--patch") || a.Has("-u") || slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "-L") })
	}
	return false
}
