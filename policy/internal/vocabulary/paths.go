package vocabulary

import (
	"fmt"
	"slices"
	"strings"
)

// badPath: a pattern of a path has no variables, and is not an address.
func badPath(text string) (message, suggestion string) {
	pattern := strings.TrimPrefix(text, "!")
	name, rest := leadingVariable(pattern)
	scheme, address, isAddress := strings.Cut(pattern, "://")
	switch {
	case pattern == "":
		return fmt.Sprintf("no path is %q", text), `write "./**" for the working directory and everything in it`
	case name == "HOME" || name == "USERPROFILE":
		return fmt.Sprintf("no path is %q: variables are not replaced here", text), fmt.Sprintf("write %q", "~"+rest)
	case name == "PWD" || name == "CD":
		return fmt.Sprintf("no path is %q: variables are not replaced here", text), fmt.Sprintf("write %q", "."+rest)
	case name != "":
		return fmt.Sprintf("no path is %q: variables are not replaced here", text), "write the path itself, with ~ for the home directory"
	case isAddress && scheme == "file":
		return fmt.Sprintf("no path is %q: it is an address", text), fmt.Sprintf("write %q", address)
	case isAddress:
		return fmt.Sprintf("no path is %q: it is an address", text), "ask about its host: e.object.host()"
	}
	return "", ""
}

// leadingVariable is the variable that a text begins with, as shells and Windows
// write it, and what follows it.
func leadingVariable(text string) (name, rest string) {
	switch {
	case strings.HasPrefix(text, "${"):
		name, rest, _ = strings.Cut(text[2:], "}")
	case strings.HasPrefix(text, "$") && len(text) > 1:
		end := strings.IndexAny(text, `/\`)
		if end < 0 {
			end = len(text)
		}
		if name, rest = text[1:end], text[end:]; strings.Contains(name, ".") {
			return "", text // $Recycle.Bin
		}
	case strings.HasPrefix(text, "%"):
		var closed bool
		if name, rest, closed = strings.Cut(text[1:], "%"); !closed {
			return "", text
		}
	}
	return name, rest
}

// unclearPath: a name without a directory matches in the working directory and nowhere
// else, and a directory does not include what is in it.
func unclearPath(text string, beside []string) (message, suggestion string) {
	if message, suggestion = unclearPlace(text, nil); message != "" {
		return message, suggestion
	}
	not, pattern := cutNot(text)
	if dir, ok := strings.CutSuffix(pattern, "/"); ok && dir != "" {
		return fmt.Sprintf("%q is the directory itself, without what is in it", text), fmt.Sprintf("write %q for both", not+dir+"/**")
	}
	if !strings.ContainsAny(pattern, `/\*?`) && pattern != "." && pattern != ".." && pattern != "~" {
		return fmt.Sprintf("%q matches only in the working directory", text), fmt.Sprintf("write %q for anywhere, or %q if that is meant", not+"**/"+pattern, not+"./"+pattern)
	}
	if isDirectory(pattern) && !slices.ContainsFunc(beside, func(other string) bool { return strings.HasPrefix(other, text+"/") }) {
		return fmt.Sprintf("%q is that path alone, without what is in it if it is a directory", text), fmt.Sprintf("write %q for both", text+"/**")
	}
	return "", ""
}

// fileNames are the names of files that have no extension.
var fileNames = strings.Fields(`passwd shadow group gshadow hosts hostname fstab sudoers crontab profile environment config credentials authorized_keys known_hosts
	Makefile Dockerfile Containerfile Jenkinsfile Vagrantfile Gemfile Rakefile Procfile Caddyfile LICENSE README CHANGELOG CODEOWNERS HEAD kubeconfig token cookies`)

// isDirectory reports whether a path probably is one of a directory, by its name.
func isDirectory(pattern string) bool {
	name := pattern[strings.LastIndexAny(pattern, `/\\`)+1:]
	switch {
	case name == pattern, strings.HasPrefix(pattern, "**/"), strings.HasPrefix(pattern, "/dev/"), strings.HasPrefix(pattern, "/proc/"), strings.ContainsAny(pattern, "*?["):
		return false
	case name == "", name == "..", strings.Contains(name, "."), strings.HasPrefix(name, "id_"), strings.HasSuffix(pattern, "/bin/"+name), slices.Contains(fileNames, name):
		return false
	}
	return true
}

// unclearPlace: a pattern without a directory matches in the working directory and
// nowhere else, unlike one of glob.
func unclearPlace(text string, _ []string) (message, suggestion string) {
	not, pattern := cutNot(text)
	if strings.ContainsAny(pattern, "*?") && !strings.ContainsAny(pattern, `/\`) && strings.Trim(pattern, "*") != "" {
		return fmt.Sprintf("%q matches only in the working directory", text), fmt.Sprintf("write %q for anywhere, or %q if that is meant", not+"**/"+pattern, not+"./"+pattern)
	}
	return "", ""
}

func cutNot(text string) (not, pattern string) {
	if pattern, excluded := strings.CutPrefix(text, "!"); excluded {
		return "!", pattern
	}
	return "", text
}

// badPathText: the paths of a call are absolute where the working directory and the
// home directory are known, and == compares them as they are.
func badPathText(text string) (message, suggestion string) {
	name, _ := leadingVariable(text)
	if dir := strings.TrimRight(text, `/`); dir != text && dir != "" && !strings.HasSuffix(dir, ":") && name == "" && !strings.ContainsAny(text, "*?") {
		return fmt.Sprintf("no path is %q: paths do not end with a slash", text), fmt.Sprintf("write %q", dir)
	}
	switch {
	case text == "" || name == "" && strings.HasPrefix(text, "/") && !strings.ContainsAny(text, "*?"), len(text) > 1 && text[1] == ':' && !strings.ContainsAny(text, "*?"):
		return "", ""
	case strings.ContainsAny(text, "*?"):
		return fmt.Sprintf("%q is compared as it is written, and not as a pattern", text), fmt.Sprintf("write .glob(%q)", text)
	case name != "":
		_, suggestion = badPath(text)
		return fmt.Sprintf("no path is %q: variables are not replaced here", text), strings.Replace(suggestion, `write "`, `write .glob("`, 1) + ")"
	case text == "~" || strings.HasPrefix(text, "~/"): // the home
		return "", ""
	default:
		return fmt.Sprintf("no path is %q where the working directory is known, because paths are absolute then", text),
			fmt.Sprintf("write .glob(%q) for anywhere", "**/"+strings.TrimPrefix(text, "./"))
	}
}

// fromHome is a text from the sign for the home directory on.
func fromHome(text string) string {
	_, rest, _ := strings.Cut(text, "~/")
	return "~/" + rest
}

// badPathPart: the same for how paths begin, end, and what is in them.
func badPathPart(function, text string) (message, suggestion string) {
	name, rest := leadingVariable(text)
	switch {
	case function == "matches" && strings.Contains(text, "~/"):
		return fmt.Sprintf("no path matches %q where the home directory is known, because paths are absolute then", text), `write startsWith("~/..."), .under("~") or .glob("~/...")`
	case function != "startsWith" && strings.Contains(text, "~/"):
		return fmt.Sprintf("no path %s %q where the home directory is known, because paths are absolute then", partVerbs[function], text), fmt.Sprintf("write startsWith(%q)", fromHome(text))
	case function != "startsWith":
		return "", ""
	case name == "HOME" || name == "USERPROFILE":
		return fmt.Sprintf("no path starts with %q: variables are not replaced here", text), fmt.Sprintf("write startsWith(%q)", "~"+rest)
	case strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") || name == "PWD":
		return fmt.Sprintf("no path starts with %q where the working directory is known, because paths are absolute then", text), `write .under("."), or .glob("./...")`
	}
	return "", ""
}
