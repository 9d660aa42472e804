package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
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
	opened map[string]invocation.Descriptor
}

// open notes a descriptor.
func (to *redirects) open(d *syntax.Redirect, path string, in invocation.Flow) {
	number := "1"
	if d.Op == syntax.RdrIn || d.Op == syntax.RdrInOut || d.Op == syntax.WordHdoc || d.Op == syntax.Hdoc {
		number = "0"
	}
	if d.N != nil {
		number = strings.Trim(d.N.Value, "{}")
	}
	if to.opened == nil {
		to.opened = map[string]invocation.Descriptor{}
	}
	to.opened[number] = invocation.Descriptor{Path: path, In: in, Given: givenTo(d.Word)}
}

// redirections reads the redirections of a statement. They change what it gets
// as its input.
func (r *reader) redirections(list []*syntax.Redirect, in *invocation.Flow, to *redirects) {
	for _, d := range list {
		switch d.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			v := r.document(d)
			*in = r.fed(&v)
			to.input = v.Texts[0].As
			to.open(d, "", *in)
		case syntax.WordHdoc:
			v := r.value(d.Word)
			for i := range v.Texts {
				v.Texts[i] = invocation.Text{As: v.Texts[i].As + "\n", Bare: v.Texts[i].Bare + "\n"}
			}
			*in = r.fed(&v)
			to.input = v.Texts[0].As
			to.open(d, "", *in)
		case syntax.RdrIn, syntax.RdrInOut:
			v := r.value(d.Word)
			if v.Made != nil {
				*in = *v.Made
				to.open(d, "", *in)
				continue
			}
			first := len(to.reads)
			for _, t := range v.Texts {
				to.reads = append(to.reads, t.As)
			}
			*in = r.FromFiles(to.reads[first:])
			to.open(d, v.Texts[0].As, *in)
			if d.Op == syntax.RdrInOut && !strings.HasPrefix(v.Texts[0].As, "/dev/") {
				to.write(v, true)
			}
		case syntax.DplIn:
			v := r.value(d.Word)
			if from, ok := r.Scope.Fds[strings.TrimSuffix(v.Texts[0].As, "-")]; ok {
				*in = from.In
				if from.Path != "" {
					to.reads = append(to.reads, from.Path)
				}
			}
		case syntax.DplOut:
			v := r.value(d.Word)
			if s := strings.TrimSuffix(v.Texts[0].As, "-"); s != "" && !invocation.IsDigits(s) {
				to.takes = true
				to.write(v, false)
			} else if on, ok := r.Scope.Fds[s]; ok && on.Given != nil {
				to.takes, to.given = true, append(to.given, on.Given)
			} else if ok && on.Path != "" {
				to.write(invocation.Literal(on.Path), true)
			}
		default:
			if p := givenTo(d.Word); p != nil && (d.N == nil || d.N.Value == "1") { // it runs with what is printed
				to.takes, to.given = true, append(to.given, p)
				continue
			}
			v := r.value(d.Word)
			to.open(d, v.Texts[0].As, invocation.Flow{})
			if d.N == nil || d.N.Value == "1" {
				to.takes = true
			} else if invocation.IsNoFile(v.Texts[0].As) {
				continue // 2>/dev/null
			}
			to.write(v, d.Op == syntax.AppOut || d.Op == syntax.AppAll)
		}
	}
}

// document is a here-document. One of which the end is quoted is literal, of
// the others the expansions are made.
func (r *reader) document(d *syntax.Redirect) invocation.Value {
	if d.Hdoc == nil {
		return invocation.Literal("")
	}
	literalEnd := false
	for _, p := range d.Word.Parts {
		if lit, ok := p.(*syntax.Lit); !ok || strings.IndexByte(lit.Value, '\\') >= 0 {
			literalEnd = true
		}
	}
	v := invocation.Value{Texts: []invocation.Text{{}}}
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
func (r *reader) grow(v invocation.Value, s string) invocation.Value {
	if len(v.Texts) == 1 && len(v.Texts[0].As) <= invocation.MaxText {
		v.Texts = []invocation.Text{{As: v.Texts[0].As + s, Bare: v.Texts[0].Bare + s}}
		return v
	}
	return r.append(v, invocation.Literal(s))
}

func untab(s string) string {
	lines := strings.SplitAfter(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimLeft(lines[i], "\t")
	}
	return strings.Join(lines, "")
}

// fed is a value that is given to a command as its input.
func (r *reader) fed(v *invocation.Value) invocation.Flow {
	in := invocation.Flow{Piped: true, Sources: v.Sources, Shows: v.Shows, Remote: v.Remote, Hidden: v.Hidden, By: "<<"}
	if len(v.Texts) == 1 {
		// What is not known of it stands as it is written, and means nothing to
		// whoever reads it further.
		in.Known, in.Text = true, v.Texts[0].As
	}
	return in
}

// FromFiles is the contents of files that are given to a command.
func (r *reader) FromFiles(paths []string) invocation.Flow {
	in := invocation.Flow{Piped: true, By: "<"}
	for _, p := range paths {
		resolved, _ := r.Scope.At.Resolve(p)
		if host, ok := overNetwork(p); ok {
			in.Remote = host
			continue
		}
		if !invocation.IsNoFile(p) {
			origins := r.Origins(resolved)
			in.Sources, in.Shows = invocation.Merge(in.Sources, origins), invocation.Merge(in.Shows, origins)
		}
		if p == "/dev/null" && len(paths) == 1 {
			in.Known = true // nothing
		}
		if f := r.File(resolved); f != nil && len(paths) == 1 {
			in.Known, in.Text, in.Remote = f.Known, f.Content, f.Remote
		}
	}
	if len(paths) > 1 && in.Remote == "" {
		follow.Joined(&r.Reader, paths, &in)
	}
	return in
}

func (to *redirects) write(v invocation.Value, more bool) {
	for _, t := range v.Texts {
		to.writes, to.appends = append(to.writes, t.As), append(to.appends, more)
	}
}

// redirected notes the effects of redirections, when it is known what the
// statement prints. It returns what is left for a pipe.
func (r *reader) redirected(to *redirects, out invocation.Flow) invocation.Flow {
	a := invocation.Act{Command: &invocation.Command{Sudo: false, Remote: r.From.Remote}, R: &r.Reader, Number: to.number, At: r.Scope.At, Guess: r.From.Guess}
	if to.number >= len(r.Reading.Commands) {
		a.Number = -1
	}
	a.Name = "redirection"
	for _, p := range to.reads {
		if host, ok := overNetwork(p); ok {
			a.Does(effect.Connect, host)
			continue
		}
		follow.ReadsFiles(&a, p)
	}
	for i, p := range to.writes {
		if invocation.IsNoFile(p) || strings.HasPrefix(p, "&") || strings.HasSuffix(p, "/") && !strings.HasPrefix(p, "/dev/") { // a directory cannot be written to
			continue
		}
		e := effect.Effect{Verb: effect.Write, Object: a.Path(p), From: out.Remote}
		if out.Known && out.Piped && len(out.Text) <= invocation.MaxText {
			e.Content = out.Text
		}
		if to.appends[i] && e.Content != "" {
			if before := r.File(e.Object); before != nil && before.Known && len(before.Content)+len(e.Content) <= invocation.MaxText {
				e.Content = before.Content + e.Content
			}
		}
		if strings.HasSuffix(e.Object, ".json") {
			e.Content = effect.Unescaped(e.Content)
		}
		if e.From == "" && !out.Known && len(out.Sources) > 0 {
			e.From = out.Sources[0]
		}
		if host, ok := overNetwork(p); ok {
			r.network(&a, host, &out)
			continue
		}
		switch {
		case invocation.IsDevice(e.Object), invocation.IsDevice(p):
			e.Verb = effect.Format
		case !to.appends[i] && (!out.Piped || out.Known && out.Text == "" || fileops.IsRecord(e.Object)):
			a.DeletesFiles(false, p) // > file, : > file: nothing is left in it
		}
		a.Add(e)
		if e.Verb == effect.Write && !out.Known {
			for _, source := range out.Sources {
				if source != e.From {
					a.Add(effect.Effect{Verb: effect.Write, Object: e.Object, From: source})
				}
			}
		}
	}
	var printed invocation.Flow
	for _, p := range to.given {
		out.Piped = true
		printed.And(r.subshell(func() invocation.Flow { return r.stmts(p.Stmts, &out) }))
	}
	if to.takes && !slices.ContainsFunc(to.writes, output.IsScreen) {
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
func (r *reader) network(a *invocation.Act, host string, out *invocation.Flow) {
	if a.Number >= 0 && follow.IsShell(r.Reading.Commands[a.Number].Name) {
		a.Does(effect.ReverseShell, host)
		return
	}
	a.Does(effect.Connect, host)
	for _, s := range out.Sources {
		a.Add(effect.Effect{Verb: effect.Send, Object: host, From: s})
	}
	if len(out.Sources) == 0 && out.Piped {
		a.Does(effect.Send, host)
	}
}

// overNetwork is the host, with its port, of a path by which bash talks to another machine.
func overNetwork(p string) (host string, ok bool) {
	rest, tcp := strings.CutPrefix(p, "/dev/tcp/")
	if !tcp {
		if rest, ok = strings.CutPrefix(p, "/dev/udp/"); !ok {
			return "", false
		}
	}
	return strings.Replace(rest, "/", ":", 1), true
}
