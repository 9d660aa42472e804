package flow

import (
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Past is what came before a block that is judged. It is safe for concurrent
// use.
type Past struct {
	history *history
	// before are the blocks of the same answer.
	before []llm.Block
	// own is what they do, where the history's reading of the answer is further on.
	own *digest
}

type pastKey struct{}

// Of returns the past of a block. It is made at the first call, which must come
// while the block is judged; what is in it is read when it is asked for.
func Of(s *policy.Subject) *Past {
	past, _ := s.Fact(pastKey{}, func() any {
		return &Past{history: historyOf(s.Exchange), before: s.Before()}
	}).(*Past)
	return past
}

// Known reports whether all of the conversation is there.
func (p *Past) Known() bool {
	d := p.history.read()
	return d.missing == ""
}

// SawUntrusted reports whether the model has read something that others wrote,
// and where the first of it came from.
func (p *Past) SawUntrusted() (Source, bool) { return first(p.Untrusted()) }

// ReadPrivate reports whether the conversation has read something that is
// private, and where the first of it came from.
func (p *Past) ReadPrivate() (Source, bool) {
	if s, ok := first(p.Private()); ok {
		return s, true
	}
	return p.history.secret()
}

// SeenUntrusted reports whether what there is of the conversation shows something
// that others wrote. A history that is missing does not count.
func (p *Past) SeenUntrusted() bool {
	return len(p.history.read().untrusted)+len(p.answer().untrusted) > 0
}

// SeenPrivate is the same for what is private.
func (p *Past) SeenPrivate() bool {
	if len(p.history.read().private)+len(p.answer().private) > 0 {
		return true
	}
	_, found := p.history.secret()
	return found
}

func first(all []Source) (Source, bool) {
	if len(all) == 0 {
		return Source{Message: -1}, false
	}
	return all[0], true
}

// Untrusted are the sources of what others wrote, those of an unknown history
// first. There are at most MaxSources of the history, and as many of the answer.
func (p *Past) Untrusted() []Source {
	d, now := p.history.read(), p.answer()
	return slices.Concat(d.unknown(), d.untrusted, now.untrusted)
}

// Private are the files, tools and commands that brought something private, those
// of an unknown history first. Secrets in results whose source says nothing are
// not among them; ReadPrivate also looks for those.
func (p *Past) Private() []Source {
	d, now := p.history.read(), p.answer()
	return slices.Concat(d.unknown(), d.private, now.private)
}

// Copied reports whether a text stands in something that others wrote and not in
// what the user said, and where it stands: an address, a host, a mail address in
// the text, or the text itself, or a long run of it. Case, white space, quotes
// and escapes do not count. It takes time in proportion to the history.
func (p *Past) Copied(text string) (from Source, ok bool) {
	return p.history.corpus().copied(text)
}

// Leaks reports whether a text holds a value that a private read returned and the
// user did not say, and where that came from: a key, a password, or another value
// of a file of settings, also in base64, in hexadecimal or percent-encoded. Case
// does not count. Values are those of at least 8 characters that have a name and
// those of 12 without one, if they are no words, paths, versions, dates or
// checksums. Of a history that is missing nothing is known. It takes time in
// proportion to the text, and reads the private results once.
func (p *Past) Leaks(text string) (from Source, ok bool) {
	return p.history.values().leaks(text)
}

// Wrote reports whether the conversation has written any file.
func (p *Past) Wrote() bool {
	p.history.read()
	p.history.mu.Lock()
	defer p.history.mu.Unlock()
	return !p.reading().files.none()
}

// File returns what the conversation has written to a file, nil if it has not. A
// relative path is taken from the session's working directory. Of a path with
// wildcards it is what it has written to all the files that are meant.
func (p *Past) File(path string) *invocation.File {
	h := p.history
	h.read()
	h.mu.Lock()
	defer h.mu.Unlock()
	now := p.reading()
	if now.files.none() {
		return nil
	}
	resolved, _ := h.at.Resolve(path)
	found := now.files.file(resolved)
	if found == nil && follow.IsPattern(resolved) {
		found = now.files.matching(resolved)
	}
	if found == nil {
		found = now.files.similar(resolved)
	}
	if found == nil {
		found = now.files.inCopy(resolved)
	}
	if found == nil {
		found = now.files.script(resolved)
	}
	if found == nil {
		return nil
	}
	copied := *found
	if now.files.full() {
		copied.Known = false
		copied.Remote = either(copied.Remote, copied.Shown) // it may be another by now
	}
	return &copied
}

// Below are the files in a directory that the conversation has written, at most so many.
// The directory ends in a slash.
func (p *Past) Below(dir string, most int) []string {
	p.history.read()
	p.history.mu.Lock()
	defer p.history.mu.Unlock()
	return p.reading().files.below(dir, most)
}

// Shown is what results have shown of a file, from the last one on: there it stands
// already. It is empty if none was read.
func (p *Past) Shown(path string) string {
	resolved, _ := p.history.at.Resolve(path)
	results := p.history.read().results
	for i := range slices.Backward(results) {
		if slices.Contains(results[i].of, resolved) {
			return results[i].text
		}
	}
	return ""
}

// answer is what the blocks of the same answer brought.
func (p *Past) answer() brought {
	p.history.read()
	p.history.mu.Lock()
	defer p.history.mu.Unlock()
	now := p.reading()
	// Both only grow at their ends, so that nobody writes to what is handed out.
	return brought{untrusted: now.untrusted, private: now.private}
}

// brought are the sources in an answer.
type brought struct{ untrusted, private sources }

// reading is what the blocks of the same answer do. The history's lock is held, and
// the result is valid as long as it is. Most blocks are judged in their order: then
// each block of an answer is read once for all that follow it.
func (p *Past) reading() *digest {
	h := p.history
	if p.own != nil {
		return p.own
	}
	last := &h.answer
	if isBeginning(last.before, p.before) && last.digest != nil {
		last.digest.blocks(p.before[len(last.before):], llm.Assistant, -1)
		last.before = p.before
		return last.digest
	}
	d := h.newReading()
	d.blocks(p.before, llm.Assistant, -1)
	if last.digest == nil || !isBeginning(p.before, last.before) {
		last.digest, last.before = d, p.before // of another list
	} else {
		p.own = d
	}
	return d
}

// newReading is of an answer of which nothing was read.
func (h *history) newReading() *digest {
	return &digest{at: h.at, files: newFiles(h.digest.files, h.at), now: true, made: h.digest.made}
}

// isBeginning reports whether a list is the beginning of another. Those who hand them out
// let a list grow, and make a new one if something in it has changed.
func isBeginning(first, list []llm.Block) bool {
	return len(first) <= len(list) && (len(first) == 0 || &first[0] == &list[0])
}

// place is where a session works.
func place(s *policy.Session) effect.Place { return effect.Place{Cwd: s.Cwd, Home: s.Home}.Clean() }
