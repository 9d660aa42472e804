package secret

import (
	"strings"
	"sync"
)

// Bounds of a vault if nothing else is said.
const (
	DefaultSecrets = 10_000
	DefaultBytes   = 16 << 20
)

// VaultOptions bounds a vault. The zero value is useful.
type VaultOptions struct {
	// Secrets is how many secrets it holds at most, DefaultSecrets if 0 or less,
	// and Bytes how many bytes they and their placeholders have together,
	// DefaultBytes if 0 or less.
	Secrets, Bytes int
}

// Vault remembers in memory which secret a placeholder stands for. When it is
// full, the least recently used secret is forgotten, and Forgot says so. It is
// safe for concurrent use, and a nil vault remembers nothing.
//
// Make one for an exchange and fill it from what came with that exchange: nothing
// else can then be restored. Never share one between exchanges: a placeholder can
// be copied, and would bring one user's secret to another.
type Vault struct {
	opts VaultOptions

	mu    sync.Mutex
	by    map[string]*entry
	first *entry // the oldest
	last  *entry
	bytes int
	lost  bool
	// conceals replaces what is in the vault, nil until somebody asks.
	conceals *strings.Replacer
}

// entry is a secret in the list from the oldest to the newest.
type entry struct {
	placeholder, secret string
	before, after       *entry
}

func (e *entry) size() int { return len(e.placeholder) + len(e.secret) }

// NewVault makes an empty vault.
func NewVault(opts VaultOptions) *Vault {
	if opts.Secrets <= 0 {
		opts.Secrets = DefaultSecrets
	}
	if opts.Bytes <= 0 {
		opts.Bytes = DefaultBytes
	}
	return &Vault{opts: opts, by: map[string]*entry{}}
}

// Len is the number of secrets in the vault.
func (v *Vault) Len() int {
	if v == nil {
		return 0
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.by)
}

// Forgot reports whether there were more secrets than the vault holds, so that it
// does not know some of them.
func (v *Vault) Forgot() bool {
	if v == nil {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.lost
}

// Restore replaces placeholders by their secrets. It reports whether all of them
// were known; if not, the text still has those that were not known, and must not
// be used where a secret belongs.
//
// The text must not be encoded; see [Vault.RestoreJSON].
func (v *Vault) Restore(s string) (restored string, allKnown bool) {
	allKnown = true
	restored = eachPlaceholder(s, func(found string) string {
		secret, known := v.get(found)
		if !known {
			allKnown = false
			return found
		}
		return secret
	})
	return restored, allKnown
}

func (v *Vault) get(placeholder string) (secret string, known bool) {
	if v == nil || !isPlaceholder(placeholder) {
		return "", false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	e, known := v.by[placeholder]
	if !known {
		return "", false
	}
	return e.secret, true
}

// put remembers a secret. One that is larger than the vault is not kept.
func (v *Vault) put(placeholder, secret string) {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.conceals = nil
	if len(placeholder)+len(secret) > v.opts.Bytes {
		v.lost = true
		return
	}
	if e, known := v.by[placeholder]; known {
		v.unlink(e)
		v.append(e)
		return
	}
	// A copy: what was found is a part of a text that need not be kept.
	e := &entry{placeholder: placeholder, secret: strings.Clone(secret)}
	v.append(e)
	v.by[placeholder] = e
	for len(v.by) > v.opts.Secrets || v.bytes > v.opts.Bytes {
		v.lost = true
		oldest := v.first
		v.unlink(oldest)
		delete(v.by, oldest.placeholder)
	}
}

func (v *Vault) append(e *entry) {
	e.before, e.after = v.last, nil
	if v.last == nil {
		v.first = e
	} else {
		v.last.after = e
	}
	v.last = e
	v.bytes += e.size()
}

func (v *Vault) unlink(e *entry) {
	if e.before == nil {
		v.first = e.after
	} else {
		e.before.after = e.after
	}
	if e.after == nil {
		v.last = e.before
	} else {
		e.after.before = e.before
	}
	v.bytes -= e.size()
}
