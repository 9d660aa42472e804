package call

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// files reads the paths in the arguments.
func (c *Call) files(t *tool, m members) {
	does := t.touch
	if does&byVerb != 0 {
		does = c.verb(m)
	}
	if does == reads && m.has(fieldContent) {
		does = reads | writes
	}
	c.searching = searches(c.Name, c.words, c.Raw, m)
	c.showing = (does&reads != 0 || m.namesFile()) && c.shows()
	if c.showing && c.looksForSettings(m) {
		c.part = effect.Settings
	}
	patched := c.patches(t, m)
	if c.transfer(t, m) {
		return
	}
	paths := 0
	for i := range m {
		v := &m[i]
		does := does
		switch v.field {
		case fieldPath:
			if downloads(t.name) && c.saves(t, m, v) {
				paths++
				continue
			}
		case fieldSource:
			if m.has(fieldLanguage) {
				continue // of a program
			}
			if m.has(fieldTarget) && does == reads|writes && !deletes(c.doing) {
				does = reads
			}
		case fieldTo:
			if !deletes(c.doing) || !looksLikePath(v.text) {
				continue
			}
		case fieldAttachment:
			does = reads
		case fieldTarget:
			if v.kind == jsonscan.String && !looksLikePath(v.text) && !downloads(t.name) {
				continue
			}
			if does |= writes; c.saves(t, m, v) {
				paths++
				continue
			}
		case fieldDir, fieldDirPath:
			if t.kind == KindShell || m.hasCommand() {
				continue // the directory in which it runs
			}
		case fieldPattern:
			if t.kind != KindRead || !strings.Contains(strings.ToLower(t.name), "glob") || !strings.ContainsAny(v.text, "/~") {
				continue
			}
			if t.name == "Glob" && strings.HasPrefix(v.text, "**/") {
				continue // it searches for names below a directory, as find does
			}
		case fieldGlob:
			for _, name := range v.texts() { // .env*, but not *.ts
				if base := name[strings.LastIndexByte(name, '/')+1:]; base != "" && strings.IndexByte("*{?[!", base[0]) < 0 && does&reads != 0 {
					dir, _ := m.text(fieldPath)
					c.file(path.Join(dir, base), reads, c.at)
				}
			}
			continue
		case fieldURL:
			v.text = strings.TrimPrefix(strings.TrimSpace(v.text), viewSource)
			if !strings.HasPrefix(v.text, "file:") {
				continue
			}
			does |= reads
		default:
			continue
		}
		if t.kind == KindShell {
			continue
		}
		for _, p := range v.texts() {
			c.file(p, does, c.at)
		}
		switch {
		case v.kind == jsonscan.Null, v.kind == jsonscan.Object:
			continue
		case !v.isTexts():
			c.doubt(Shape, doubtOf(does))
		}
		paths++
	}
	if t.kind == KindEdit && !patched && paths == 0 {
		c.doubt(Shape, Incomplete{Writes: true})
	}
}

// verb returns what a tool does if a member named command says so, and sets the
// call's kind.
func (c *Call) verb(m members) touch {
	verb, _ := m.text(fieldCommand)
	kind, does := KindEdit, writes
	switch verb {
	case "view", "read", "list", "open":
		kind, does = KindRead, reads
	case "create", "write":
		kind = KindWrite
	case "delete", "remove", "rm":
		does |= removes
	case "":
		does = reads | writes
	}
	if c.Kind == KindEdit {
		c.Kind = kind
	}
	return does
}

// doubtOf is the doubt about the lists that a touch adds to.
func doubtOf(does touch) Incomplete {
	return Incomplete{Reads: does&reads != 0, Writes: does&writes != 0}
}

// file adds a path in all its interpretations.
func (c *Call) file(p string, does touch, at Place) {
	if p == "" {
		return
	}
	if does&reads != 0 && len(c.Reads) >= MaxPaths || does&writes != 0 && len(c.Writes) >= MaxPaths {
		c.doubt(invocation.Many, doubtOf(does))
		return
	}
	c.reading(p, does, at)
	if strings.IndexByte(p, '\\') >= 0 && !effect.IsWindows(p) {
		// A backslash may be part of a name, or a separator.
		c.reading(strings.ReplaceAll(p, `\`, "/"), does, at)
	}
}

// reading adds a path in one interpretation.
func (c *Call) reading(p string, does touch, at Place) {
	resolved, known := at.Resolve(p)
	remote := c.forged(p)
	if remote {
		resolved, known = path.Clean(p), true
	}
	if !known {
		c.doubt(invocation.Variable, doubtOf(does))
	}
	if does&reads != 0 {
		c.affect(&effect.Effect{Verb: effect.Read, Object: resolved, Remote: remote, Wide: c.searching, Shown: does == reads && c.showing, Kind: c.part, How: c.Name, Command: -1})
		if !remote {
			c.readsCopy(resolved, does)
		}
	}
	if does&writes == 0 {
		return
	}
	e := effect.Effect{Verb: effect.Write, Object: resolved, Remote: remote, How: c.Name, Command: -1}
	if deletes(c.doing) {
		e.Verb, e.Wide = effect.Delete, true
		c.apply()
		delete(c.wrote, resolved)
	}
	c.affect(&e)
	if does&removes != 0 && e.Verb == effect.Write { // by a patch, which changes it
		e.Verb, e.Wide = effect.Delete, c.Name == "memory"
		c.affect(&e)
	}
}

// readsCopy adds the file that the one being read was copied from.
func (c *Call) readsCopy(resolved string, does touch) {
	if c.before == nil || !c.before.Wrote() {
		return
	}
	if f := c.before.File(resolved); f != nil && strings.ContainsAny(f.From, "./~") && !strings.Contains(f.From, "://") {
		c.affect(&effect.Effect{Verb: effect.Read, Object: f.From, Shown: does == reads && c.showing, Kind: c.part, How: c.Name, Command: -1})
	}
}

// deletes reports whether a tool deletes the files that it is given.
func deletes(name string) bool {
	return means(name, "deletes") || slices.Contains(wordsOf(name), "rm")
}

// forged reports whether a path is one in a repository that the server of the tool keeps.
// One that begins at a root is of this machine.
func (c *Call) forged(p string) bool {
	return c.atForge() && !effect.IsAbs(p) && !effect.IsWindows(p) && !strings.HasPrefix(p, "~") && !strings.ContainsAny(p, "\\$:")
}

// atForge reports whether the tool is surely one of such a server.
func (c *Call) atForge() bool {
	if c.Server == "" || c.ServerUnknown {
		return false
	}
	return means(c.Server, "forge")
}
