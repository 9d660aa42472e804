package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/effect"
)

// redirects is where the output of a statement goes, and what it reads.
type redirects struct {
	reads, writes []string
	appends       []bool // by write
	// takes: what is printed goes there, and not on.
	takes bool
	input string
	// given are the commands that get what is printed: > >(command).
	given []*syntax.ProcSubst
	// number is the command that the effects belong to, -1 for none.
	number int
	// opened are descriptors that stay open if the command is exec.
	opened map[string]descriptor
}

// open notes a descriptor.
func (to *redirects) open(d *syntax.Redirect, path string, in flow) {
	number := "1"
	if d.Op == syntax.RdrIn || d.Op == syntax.RdrInOut || d.Op == syntax.WordHdoc || d.Op == syntax.Hdoc {
		number = "0"
	}
	if d.N != nil {
		number = strings.Trim(d.N.Value, "{}")
	}
	if to.opened == nil {
		to.opened = map[string]descriptor{}
	}
	to.opened[number] = descriptor{path, in, givenTo(d.Word)}
}

// redirections reads the redirections of a statement. They change what it gets
// as its input.
func (r *reader) redirections(list []*syntax.Redirect, in *flow, to *redirects) {
	for _, d := range list {
		switch d.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			v := r.document(d)
			*in = r.fed(&v)
			to.input = v.texts[0].as
			to.open(d, "", *in)
		case syntax.WordHdoc:
			v := r.value(d.Word)
			for i := range v.texts {
				v.texts[i] = text{v.texts[i].as + "\n", v.texts[i].bare + "\n"}
			}
			*in = r.fed(&v)
			to.input = v.texts[0].as
			to.open(d, "", *in)
		case syntax.RdrIn, syntax.RdrInOut:
			v := r.value(d.Word)
			if v.made != nil {
				*in = *v.made
				to.open(d, "", *in)
				continue
			}
			first := len(to.reads)
			for _, t := range v.texts {
				to.reads = append(to.reads, t.as)
			}
			*in = r.fromFiles(to.reads[first:])
			to.open(d, v.texts[0].as, *in)
			if d.Op == syntax.RdrInOut && !strings.HasPrefix(v.texts[0].as, "/dev/") {
				to.write(v, true)
			}
		case syntax.DplIn:
			v := r.value(d.Word)
			if from, ok := r.scope.fds[strings.TrimSuffix(v.texts[0].as, "-")]; ok {
				*in = from.in
				if from.path != "" {
					to.reads = append(to.reads, from.path)
				}
			}
		case syntax.DplOut:
			v := r.value(d.Word)
			if s := strings.TrimSuffix(v.texts[0].as, "-"); s != "" && !isDigits(s) {
				to.takes = true
				to.write(v, false)
			} else if on, ok := r.scope.fds[s]; ok && on.given != nil {
				to.takes, to.given = true, append(to.given, on.given)
			} else if ok && on.path != "" {
				to.write(literal(on.path), true)
			}
		default:
			if p := givenTo(d.Word); p != nil && (d.N == nil || d.N.Value == "1") { // it runs with what is printed
				to.takes, to.given = true, append(to.given, p)
				continue
			}
			v := r.value(d.Word)
			to.open(d, v.texts[0].as, flow{})
			if d.N == nil || d.N.Value == "1" {
				to.takes = true
			} else if isNoFile(v.texts[0].as) {
				continue // 2>/dev/null
			}
			to.write(v, d.Op == syntax.AppOut || d.Op == syntax.AppAll)
		}
	}
}

// document is a here-document. One of which the end is quoted is literal, of
// the others the expansions are made.
func (r *reader) document(d *syntax.Redirect) value {
	if d.Hdoc == nil {
		return literal("")
	}
	literalEnd := false
	for _, p := range d.Word.Parts {
		if lit, ok := p.(*syntax.Lit); !ok || strings.IndexByte(lit.Value, '\\') >= 0 {
			literalEnd = true
		}
	}
	v := value{texts: []text{{}}}
	for _, p := range d.Hdoc.Parts {
		if lit, ok := p.(*syntax.Lit); ok {
			s := lit.Value
			if !literalEnd {
				s = unescape(s, true)
			}
			if d.Op == syntax.DashHdoc {
				s = untab(s)
			}
			v = r.grow(v, s)
			continue
		}
		v = r.append(v, r.part(p))
	}
	return v
}

// grow appends a literal, which may be longer than what is followed otherwise.
func (r *reader) grow(v value, s string) value {
	if len(v.texts) == 1 && len(v.texts[0].as) <= MaxText {
		v.texts = []text{{v.texts[0].as + s, v.texts[0].bare + s}}
		return v
	}
	return r.append(v, literal(s))
}

func untab(s string) string {
	lines := strings.SplitAfter(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimLeft(lines[i], "\t")
	}
	return strings.Join(lines, "")
}

// fed is a value that is given to a command as its input.
func (r *reader) fed(v *value) flow {
	in := flow{piped: true, sources: v.sources, shows: v.shows, remote: v.remote, hidden: v.hidden, by: "<<"}
	if len(v.texts) == 1 {
		// What is not known of it stands as it is written, and means nothing to
		// whoever reads it further.
		in.known, in.text = true, v.texts[0].as
	}
	return in
}

// fromFiles is the contents of files that are given to a command.
func (r *reader) fromFiles(paths []string) flow {
	in := flow{piped: true, by: "<"}
	for _, p := range paths {
		resolved, _ := r.scope.at.Resolve(p)
		if host, ok := overNetwork(p); ok {
			in.remote = host
			continue
		}
		if !isNoFile(p) {
			origins := r.origins(resolved)
			in.sources, in.shows = merge(in.sources, origins), merge(in.shows, origins)
		}
		if p == "/dev/null" && len(paths) == 1 {
			in.known = true // nothing
		}
		if f := r.file(resolved); f != nil && len(paths) == 1 {
			in.known, in.text, in.remote = f.Known, f.Content, f.Remote
		}
	}
	if len(paths) > 1 && in.remote == "" {
		r.joined(paths, &in)
	}
	return in
}

func (to *redirects) write(v value, more bool) {
	for _, t := range v.texts {
		to.writes, to.appends = append(to.writes, t.as), append(to.appends, more)
	}
}

// redirected notes the effects of redirections, when it is known what the
// statement prints. It returns what is left for a pipe.
func (r *reader) redirected(to *redirects, out flow) flow {
	a := act{Command: &Command{Sudo: false, Remote: r.from.remote}, r: r, number: to.number, at: r.scope.at, guess: r.from.guess}
	if to.number >= len(r.reading.Commands) {
		a.number = -1
	}
	a.Name = "redirection"
	for _, p := range to.reads {
		if host, ok := overNetwork(p); ok {
			a.does(effect.Connect, host)
			continue
		}
		a.reads(p)
	}
	for i, p := range to.writes {
		if isNoFile(p) || strings.HasPrefix(p, "&") || strings.HasSuffix(p, "/") && !strings.HasPrefix(p, "/dev/") { // a directory cannot be written to
			continue
		}
		e := effect.Effect{Verb: effect.Write, Object: a.path(p), From: out.remote}
		if out.known && out.piped && len(out.text) <= MaxText {
			e.Content = out.text
		}
		if to.appends[i] && e.Content != "" {
			if before := r.file(e.Object); before != nil && before.Known && len(before.Content)+len(e.Content) <= MaxText {
				e.Content = before.Content + e.Content
			}
		}
		if strings.HasSuffix(e.Object, ".json") {
			e.Content = effect.Unescaped(e.Content)
		}
		if e.From == "" && !out.known && len(out.sources) > 0 {
			e.From = out.sources[0]
		}
		if host, ok := overNetwork(p); ok {
			r.network(&a, host, &out)
			continue
		}
		switch {
		case isDevice(e.Object), isDevice(p):
			e.Verb = effect.Format
		case !to.appends[i] && (!out.piped || out.known && out.text == "" || isRecord(e.Object)):
			a.deletes(false, p) // > file, : > file: nothing is left in it
		}
		a.add(e)
	}
	var printed flow
	for _, p := range to.given {
		out.piped = true
		printed.and(r.subshell(func() flow { return r.stmts(p.Stmts, &out) }))
	}
	if to.takes && !slices.ContainsFunc(to.writes, isScreen) {
		return printed
	}
	return out
}

// givenTo is the command that a redirection writes to, nil if it is a file.
func givenTo(w *syntax.Word) *syntax.ProcSubst {
	if w == nil || len(w.Parts) != 1 {
		return nil
	}
	if p, ok := w.Parts[0].(*syntax.ProcSubst); ok && p.Op == syntax.CmdOut {
		return p
	}
	return nil
}

// network notes what goes to another machine by the shell's own means.
func (r *reader) network(a *act, host string, out *flow) {
	if a.number >= 0 && isShell(r.reading.Commands[a.number].Name) {
		a.does(effect.ReverseShell, host)
		return
	}
	a.does(effect.Connect, host)
	for _, s := range out.sources {
		a.add(effect.Effect{Verb: effect.Send, Object: host, From: s})
	}
	if len(out.sources) == 0 && out.piped {
		a.does(effect.Send, host)
	}
}

// overNetwork is the host of a path by which bash talks to another machine.
func overNetwork(p string) (host string, ok bool) {
	rest, tcp := strings.CutPrefix(p, "/dev/tcp/")
	if !tcp {
		if rest, ok = strings.CutPrefix(p, "/dev/udp/"); !ok {
			return "", false
		}
	}
	host, _, _ = strings.Cut(rest, "/")
	return host, true
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
