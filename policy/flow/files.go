package flow

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// What is remembered of files at most: how many of them, how many changes of
// them, and how much of their contents, in one and in all.
const (
	MaxFiles     = 2000
	MaxChanges   = 20_000
	MaxFileBytes = 1 << 20
	MaxFileTotal = 8 << 20
	// maxFollowed is how much of scripts is read for the calls of the history
	// that ran them.
	maxFollowed = 1 << 20
	// maxWork is how many bytes may be copied to put files together.
	maxWork = 64 << 20
)

// files are the files that were written, by their resolved paths. They are put
// together when somebody asks.
type files struct {
	// older are those that were written before, nil if there are none.
	older *files
	cwd   string // of the session
	of    map[string]*file
	// dirs are directories that were fetched as a whole.
	dirs []string
	// archives are what was unpacked of what was fetched.
	archives []archive
	// made is what files were made from, forgot: there were too many of them.
	made   invocation.Made
	forgot bool
	// reads are the private files that the commands of the call read that is
	// taken in, nil before somebody asks.
	reads map[int]string
	// changes, bytes, followed and work count what the limits are for.
	changes, bytes, followed, work int
	// turn is the number of the turn whose calls are taken in, shown how many
	// fetched files were shown.
	turn, shown int
	// linked: a file may have several names. moved: relative names may begin in
	// another directory.
	linked, moved bool
	// texts are what the calls say that nobody has looked through for links.
	texts []string
}

// file is what was written to a file.
type file struct {
	invocation.File

	// gone: it was deleted.
	gone bool
	// pending are the calls that changed it and were not read yet.
	pending []*call.Call
	// turn is when it was last changed.
	turn int
	// loose: what writes it may not have ended.
	loose bool
	// seen: nobody wrote it, and a result showed all of it.
	seen bool
}

func newFiles(older *files, at effect.Place) *files {
	return &files{older: older, cwd: at.Cwd, of: make(map[string]*file)}
}

// none reports whether nothing was written, fetched or unpacked.
func (f *files) none() bool {
	return len(f.of) == 0 && len(f.dirs) == 0 && len(f.archives) == 0 && (f.older == nil || f.older.none())
}

// take notes what a call writes.
func (f *files) take(c *call.Call, at effect.Place) {
	f.clones(c, at)
	f.terminal(c)
	f.unsettle(c, at)
	f.left(c, at)
	f.reads = nil
	f.made.Next()
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Remote {
			continue
		}
		if f.changes++; f.changes > MaxChanges {
			return
		}
		switch e.Verb {
		case effect.Write:
			f.write(c, e)
		case effect.Delete:
			f.delete(e)
		case effect.Link:
			if e.From == "" {
				continue
			}
			next := invocation.File{Link: e.Object}
			if from := f.file(e.Object); from != nil {
				next = *from
				next.Link = e.Object
			}
			f.set(e.From, next)
		default:
		}
	}
}

// terminal notes the program that waits for its input, and what was typed into it.
func (f *files) terminal(c *call.Call) {
	if opened := c.Opens(); opened != "" {
		f.set(call.SessionFile, invocation.File{Content: opened, Known: true})
		f.set(call.TypedFile, invocation.File{})
	} else if begun, ok := c.Typed(); ok && (begun != "" || f.file(call.TypedFile) != nil) {
		f.set(call.TypedFile, invocation.File{Content: begun, Known: true})
	}
}

// write notes that a file is written.
func (f *files) write(c *call.Call, e *effect.Effect) {
	if f.notes(c, e) { // of a command that wrote the rest of it
		return
	}
	if e.Wide && fetched(c, e.From) {
		f.fetchedDir(e.Object)
		f.unpacked(e.Object, e.From, e.From)
		return
	}
	if archive := f.file(e.From); e.Wide && archive != nil && archive.Remote != "" {
		f.unpacked(e.Object, e.From, archive.Remote)
	}
	if e.From != "" && (e.Wide || e.Moves()) {
		f.copies(e.From, e.Object)
	}
	if e.Command < 0 && e.Content == "" && e.From == "" { // by a tool: the call says what
		if own := f.own(e.Object); own != nil {
			own.gone, own.turn = false, f.turn
			if len(own.pending) == 0 || own.pending[len(own.pending)-1] != c {
				own.pending = append(own.pending, c)
			}
		}
		return
	}
	next := invocation.File{Content: e.Content, Known: e.Content != "" && e.From == ""}
	before := f.file(e.Object)
	switch {
	case fetched(c, e.From):
		next.Remote = e.From
	case e.From != "":
		if from := f.file(e.From); from != nil {
			next = *from
		}
	case e.Added != "" && before != nil && e.Possible: // in the place of something
		next = invocation.File{Content: before.Content, Remote: before.Remote}
	case e.Added != "" && before != nil:
		next = f.join(*before, e.Added)
	case e.Added != "":
		next.Content = e.Added
	case e.Content == "" && before != nil: // changed by a program
		next = invocation.File{Content: before.Content, Remote: before.Remote}
	case appends(c, e) && before == nil:
		next.Known = false
	case appends(c, e) && !strings.HasPrefix(e.Content, before.Content):
		next = f.join(*before, e.Content)
	}
	next.From = f.madeFrom(c, e, before)
	if before != nil && before.Link == e.From {
		next.Link = before.Link // ln writes it too
	}
	f.set(e.Object, next)
	if own := f.of[e.Object]; own != nil && next.Remote != "" && (lags(c) || f.moved && strings.Contains(c.Raw, "..")) {
		own.loose = true
	}
}

// mostCopied is how many files of a directory are followed where it is copied.
const mostCopied = 200

// copies notes that a directory is copied with all that is known to be in it.
func (f *files) copies(from, to string) {
	from, to = strings.TrimSuffix(from, "/")+"/", strings.TrimSuffix(to, "/")+"/"
	for _, name := range f.below(from, mostCopied) {
		if f.changes++; f.changes > MaxChanges {
			return
		}
		if strings.HasPrefix(name, to) {
			continue
		}
		if known := f.file(name); known != nil {
			f.set(to+inside(from, name), *known)
		}
	}
}

// below are the files in a directory, which ends in a slash, at most so many.
func (f *files) below(dir string, most int) []string {
	var names []string
	for part := f; part != nil; part = part.older {
		for name := range part.of {
			if inside(dir, name) != "" {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return names[:min(len(names), most)]
}

// inside is the name of a file in a directory, empty if it is in another one. Where
// the working directory is not known, src is /repo/src too.
func inside(dir, name string) string {
	if rest, ok := strings.CutPrefix(name, dir); ok {
		return rest
	}
	if effect.IsAbs(dir) || !effect.IsAbs(name) {
		return ""
	}
	_, rest, _ := strings.Cut(name, "/"+dir)
	return rest
}

// appends reports whether a command may add to a file instead of replacing it.
func appends(c *call.Call, e *effect.Effect) bool {
	text := c.Raw
	if e.Command >= 0 && e.Command < len(c.Commands) {
		text = c.Commands[e.Command].Text
	}
	return strings.Contains(text, ">>") || strings.Contains(text, "tee -a") || strings.Contains(text, "--append")
}

func (f *files) delete(e *effect.Effect) {
	if !e.Guess && !e.Wide && f.file(e.Object) != nil {
		f.set(e.Object, invocation.File{})
		if own := f.of[e.Object]; own != nil {
			own.gone = true
		}
	}
}

// set notes that a file is changed.
func (f *files) set(path string, next invocation.File) {
	f.replace(path, next)
	if own := f.of[path]; own != nil {
		own.turn = f.turn
	}
}

// replace replaces what is known of a file.
func (f *files) replace(path string, next invocation.File) {
	own := f.own(path)
	if own == nil {
		return
	}
	f.bytes -= len(own.Content)
	if room := min(MaxFileBytes, MaxFileTotal-f.bytes); len(next.Content) > room {
		next.Content, next.Known = next.Content[:max(room, 0)], false
	}
	f.bytes += len(next.Content)
	own.File, own.gone, own.pending, own.seen = next, false, nil, false
}

// own is a file of this part of the conversation, which begins as it was before;
// nil if there are too many.
func (f *files) own(path string) *file {
	if own := f.of[path]; own != nil {
		return own
	}
	if len(f.of) >= MaxFiles {
		return nil
	}
	own := &file{}
	if f.older != nil {
		if before := f.older.file(path); before != nil {
			own.File, own.seen = *before, f.older.isSeen(path)
		} else {
			own.gone = f.older.of[path] != nil
		}
	}
	f.of[path] = own
	return own
}

// file puts together what is known of a file, nil if nothing is.
func (f *files) file(path string) *invocation.File {
	own := f.of[path]
	switch {
	case own == nil && f.older != nil:
		return f.older.file(path)
	case own == nil || own.gone:
		return nil
	}
	if len(own.pending) > 0 {
		pending := own.pending
		own.pending = nil
		next := own.File
		for _, c := range pending {
			next = f.apply(next, path, c)
		}
		f.replace(path, next)
	}
	return &own.File
}

// apply applies what a tool writes to a file.
func (f *files) apply(was invocation.File, path string, c *call.Call) invocation.File {
	told := false
	for _, content := range c.Contents() {
		if content.Path != path {
			continue
		}
		told = true
		switch {
		case content.Whole:
			was = invocation.File{Content: content.Text, Known: true}
		case content.Old != "" && f.pay(len(was.Content)) && strings.Contains(was.Content, content.Old):
			// Where the old text stands more than once, the edit fails or
			// changes all.
			was.Content = strings.ReplaceAll(was.Content, content.Old, content.Text)
			if len(was.Content) > MaxFileBytes {
				was.Content, was.Known = was.Content[:MaxFileBytes], false
			}
		default:
			was = f.join(was, content.Text)
			was.Known = false
		}
	}
	was.Known = was.Known && told
	return was
}

// pay reports whether so many bytes may still be copied.
func (f *files) pay(n int) bool {
	f.work += n
	return f.work <= maxWork
}

// join adds a text to a file.
func (f *files) join(to invocation.File, text string) invocation.File {
	if len(to.Content)+len(text) > MaxFileBytes || !f.pay(len(to.Content)+len(text)) {
		to.Known = false
		return to
	}
	if to.Content != "" && !strings.HasSuffix(to.Content, "\n") {
		to.Content += "\n"
	}
	to.Content += text
	return to
}

// similar finds a file under another spelling where the working directory is not
// known: x.sh is /repo/x.sh then, if there is no other.
func (f *files) similar(p string) *invocation.File {
	path := ""
	for part := f; part != nil; part = part.older {
		for other := range part.of {
			long, short := p, other
			if effect.IsAbs(other) {
				long, short = other, p
			}
			short = strings.TrimPrefix(short, "~/")
			if !effect.IsAbs(long) || effect.IsAbs(short) || strings.HasPrefix(short, "..") || !strings.HasSuffix(long, "/"+short) {
				continue
			}
			if path != "" && path != other {
				return nil
			}
			path = other
		}
	}
	if path == "" {
		return nil
	}
	return f.file(path)
}

// full reports whether there were changes that nobody followed.
func (f *files) full() bool {
	return f != nil && (f.changes > MaxChanges || f.forgot || f.older.full())
}

// follow is what a call of the history that runs a file may read of it.
func (f *files) follow(path string) *invocation.File {
	found := f.file(path)
	if found == nil || f.followed+len(found.Content) > maxFollowed {
		return nil
	}
	f.followed += len(found.Content)
	return found
}
