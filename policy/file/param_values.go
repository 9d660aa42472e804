package file

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/internal/pattern"

	"go.yaml.in/yaml/v3"
)

// What the values of a parameter are, as its declaration says with of. A value that is set
// is read as that, or refused: a form that its conditions do not compare with anything
// would let pass what it names.
const (
	ofPaths       = "paths"       // files, or directories with everything in them
	ofDirectories = "directories" // paths as they are
	ofBranches    = "branches"
	ofHosts       = "hosts"
	ofPattern     = "pattern" // a regular expression
)

var valueKinds = []string{ofPaths, ofDirectories, ofBranches, ofHosts, ofPattern}

// meant is a value as the conditions of a parameter compare it. The message is not empty
// if it is of a form that they do not take; the hint says what to write.
func meant(of, text string) (value, message, hint string) {
	switch of {
	case ofPaths, ofDirectories:
		return pathMeant(of, text)
	case ofBranches:
		return branchMeant(text)
	case ofHosts:
		return hostMeant(text)
	case ofPattern:
		if refused, instead := pattern.Refused(text); refused != "" {
			return "", "is no pattern: " + refused, instead
		}
	}
	return text, "", ""
}

// pathMeant takes a directory, which ends in a name, for itself and everything in it.
func pathMeant(of, text string) (value, message, hint string) {
	mark := text[:len(text)-len(strings.TrimLeft(text, "!"))]
	path := text[len(mark):]
	switch {
	case path == "":
		return "", "is not a path", "write a path, such as ~/keys"
	case strings.Contains(path, "://"):
		return "", "is not a path", "write the path alone"
	case strings.HasPrefix(path, "$HOME/"), strings.HasPrefix(path, "${HOME}/"), strings.HasPrefix(path, "%USERPROFILE%"):
		_, rest, _ := strings.Cut(strings.ReplaceAll(path, `\`, "/"), "/")
		return "", "names a variable, and they are not expanded", "write " + mark + "~/" + rest
	case strings.ContainsAny(path, "$`"):
		return "", "names a variable, and they are not expanded", "write the path, with * for what varies"
	}
	if path != "/" {
		path = strings.TrimRight(path, "/")
	}
	last := path[strings.LastIndexByte(path, '/')+1:]
	if of == ofPaths && last != "" && last != "." && last != "~" && !strings.ContainsAny(last, "*?") {
		path += "/**"
	}
	return mark + path, "", ""
}

// branchMeant is a name, or a prefix that ends in a slash.
func branchMeant(text string) (value, message, hint string) {
	name := strings.TrimPrefix(strings.TrimPrefix(text, "refs/"), "heads/")
	for _, all := range []string{"/**", "/*"} {
		if prefix, ok := strings.CutSuffix(name, all); ok {
			name = prefix + "/"
		}
	}
	switch {
	case name == "":
		return "", "is not a branch", "write its name"
	case strings.ContainsAny(name, "*?["):
		return "", "has a wildcard, and only NAME/* is taken, for all branches that begin with NAME/", "write the names, or a policy of your own with e.object.matches"
	case strings.ContainsAny(name, " ~^:\\") || strings.HasPrefix(name, "-"):
		return "", "is not the name of a branch", "write it as git branch lists it"
	}
	return name, "", ""
}

// hostMeant is a host alone: its subdomains are meant as well.
func hostMeant(text string) (value, message, hint string) {
	host := strings.ToLower(text)
	if _, rest, ok := strings.Cut(host, "://"); ok {
		host = rest
	}
	host = strings.TrimPrefix(strings.TrimPrefix(host, "*."), ".")
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	if name, port, ok := strings.Cut(host, ":"); ok && !strings.Contains(port, ":") {
		host = name
	}
	host = strings.TrimSuffix(host, ".")
	switch {
	case host == "" || strings.ContainsAny(host, " *"):
		return "", "is not a host", "write a host, such as example.com: its subdomains are meant as well"
	case !strings.EqualFold(host, text):
		return "", "is not a host alone", "write " + host + ": its subdomains and all ports are meant as well"
	}
	return host, "", ""
}

// meant reads the values of a parameter as what its declaration says.
func (r *reader) meant(p *param, n *yaml.Node, value any) (any, bool) {
	if p.of == "" {
		return value, true
	}
	one := func(n *yaml.Node, item any) (any, bool) {
		text, isText := item.(string)
		if !isText {
			r.problemf(n, "", "a value of %s is a %s, but must be a text", p.name, kindOf(item))
			return nil, false
		}
		if text == "" && n == p.node { // a default that says that there is none
			return item, true
		}
		is, message, hint := meant(p.of, text)
		if message != "" {
			r.problemf(n, hint, "%s of %s %s", quote(text), p.name, message)
			return nil, false
		}
		return is, true
	}
	list, isList := value.([]any)
	if !isList {
		return one(n, value)
	}
	all := make([]any, len(list))
	for i, item := range list {
		is, ok := one(n.Content[i], item)
		if !ok {
			return nil, false
		}
		all[i] = is
	}
	return all, true
}

// kindOfValues reads what the values of a declared parameter are.
func (r *reader) kindOfValues(m member) string {
	of := r.text(m)
	if m.value != nil && !slices.Contains(valueKinds, of) {
		r.problemf(m.value, "write one of "+strings.Join(valueKinds, ", "), "%s is no kind of values", quote(of))
		return ""
	}
	return of
}
