package shell

import (
	"slices"
	"strings"
)

// mostConfigs is how many files of options, and files in those, are read.
const mostConfigs = 8

// mostOptions is how many options a file of them may have.
const mostOptions = 1000

// curlWhole is a part of curl's line with the options that its files hold and
// with what its variables stand for.
func (a *act) curlWhole(l *line) {
	for i, read := 0, 0; i < len(l.flags); i++ {
		if o := &l.flags[i]; o.name != "K" && o.name != "config" {
			continue
		}
		file := l.flags[i].value
		text, known := a.curlConfig(file)
		if read++; !known || read > mostConfigs {
			a.reads(file)
			a.doubt(Source)
			continue
		}
		args := configArgs(text)
		if len(args) > mostOptions {
			a.doubt(Long)
			args = args[:mostOptions]
		}
		inner := cutLine(args, curlTakes, shortens)
		l.flags = append(l.flags, inner.flags...)
		l.operands = append(slices.Clip(l.operands), inner.operands...)
	}
	a.curlExpands(l)
}

// curlConfig is what a file of options holds, as far as it is known: the input,
// the output of a command, or a file that the conversation wrote.
func (a *act) curlConfig(file string) (text string, known bool) {
	if file == "-" || file == "/dev/stdin" || file == "/dev/fd/0" {
		return a.in.text, a.in.known
	}
	for i := range a.mixture() {
		if made := a.words()[i].made; made != nil && i < len(a.Args) && file != "" && strings.HasSuffix(a.Args[i], file) {
			return made.text, made.known
		}
	}
	if f := a.r.file(a.path(file)); f != nil {
		return f.Content, f.Content != ""
	}
	return "", false
}

// configArgs are the options of such a file as arguments: one a line, with = or :
// or blanks before the value, with or without dashes.
func configArgs(text string) []string {
	var args []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value := line, ""
		if i := strings.IndexAny(line, "=: \t"); i >= 0 {
			name, value = line[:i], strings.TrimLeft(line[i:], "=: \t")
		}
		if !strings.HasPrefix(name, "-") {
			name = "--" + name
		}
		args = append(args, name)
		if quoted, ok := strings.CutPrefix(value, `"`); ok {
			quoted, _, _ = strings.Cut(strings.ReplaceAll(quoted, `\"`, "\x00"), `"`)
			value = strings.ReplaceAll(ansi(quoted), "\x00", `"`)
		} else {
			value, _, _ = strings.Cut(value, " ")
			value = strings.Trim(value, "'")
		}
		if value != "" {
			args = append(args, value)
		}
	}
	return args
}

// curlExpands puts in what the variables stand for that --expand-* options name:
// {{name}}, {{name:trim:b64}}. Those of the environment stay variables; what is in
// files is looked at where they are named.
func (a *act) curlExpands(l *line) {
	var put []string
	for i := range l.flags {
		if o := &l.flags[i]; o.name == "variable" {
			name, value, literal := strings.Cut(o.value, "=")
			if variable, ok := strings.CutPrefix(name, "%"); ok {
				name, _, _ = strings.Cut(variable, "@")
				value = "$" + name
			} else if !literal {
				name, _, _ = strings.Cut(o.value, "@")
			}
			put = append(put, name, value)
		}
	}
	for i := range l.flags {
		o := &l.flags[i]
		name, expands := strings.CutPrefix(o.name, "expand-")
		if !expands || len(put) > 2*mostAddresses || !a.r.pay(len(o.value)*(1+len(put))) {
			continue
		}
		o.name = name
		for p := 0; p+1 < len(put); p += 2 {
			before, after, ok := strings.Cut(o.value, "{{"+put[p])
			if _, rest, closed := strings.Cut(after, "}}"); ok && closed && (after[0] == '}' || after[0] == ':') {
				o.value = before + put[p+1] + rest
			}
		}
	}
}

// expandable adds to the options of curl those that put variables into them.
func expandable(options takes) takes {
	for name := range options {
		if len(name) > 1 && !strings.HasPrefix(name, "expand-") {
			options["expand-"+name] = true
		}
	}
	return options
}
