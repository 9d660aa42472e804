package connect

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Options say which gateway a client should use and what the user has set up.
type Options struct {
	// BaseURL is the gateway, without /v1: http://127.0.0.1:8484.
	BaseURL string
	// Key is the Sluice key (slk_...) that the gateway needs, empty if it needs
	// none. The client's own credentials are never replaced by it; the client
	// sends both.
	Key string
	// ForeignUpstream is set when the gateway does not forward to the provider's
	// own API. Claude Code switches some features off then.
	ForeignUpstream bool

	// Env is the user's environment in the form of os.Environ.
	Env []string
	// Args are the user's arguments for the client, without the program.
	Args []string
	// Dir is the directory in which the client runs, "" for the current one.
	// Clients read settings from it and from the directories above.
	Dir string

	// OS is the system whose paths count, as in runtime.GOOS; "" for this one.
	OS string
	// Root is put before the paths of system-wide settings, for tests and for
	// images that are being built. "" reads those of this machine.
	Root string
}

// Launch is how a client is started so that its model traffic goes through the
// gateway.
type Launch struct {
	Client Client
	// Args are the arguments with what was added, without the program.
	Args []string
	// Env is the whole environment for the client; Changes is what differs from
	// the user's.
	Env     []string
	Changes []Change
	Dir     string
	// Files are written before the client starts and removed after it ended.
	Files []File
	// Upstream has the URLs that the user's own setup points at, by the name of
	// the gateway's upstream (anthropic, openai, gemini). The gateway has to
	// forward there for this client; what is not named stays as it is.
	Upstream map[string]string
	// Permanent is true if the user's own setup already points at this gateway.
	Permanent bool
	// Notes are remarks for the person who started it, in whole sentences.
	Notes []string
}

// File is a temporary file with settings. It may hold a key.
type File struct {
	Path    string
	Content []byte
}

// RefusedError says why a client would not, or could not, go through the
// gateway. The client must not be started.
type RefusedError struct {
	// Client is its title.
	Client string
	// Reason is what prevents it and where it was found.
	Reason string
	// Advice is what to do.
	Advice string
}

// Error is the reason with the advice.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s: %s; %s", e.Client, e.Reason, e.Advice)
}

// Prepare finds out what a client needs to reach the gateway. It reads the
// client's settings, changes none of them, and starts nothing. The user's own
// logins, keys and settings keep working. What would bypass the gateway is
// overridden where the client allows it, and is a *RefusedError where it does
// not.
func Prepare(c Client, opt Options) (Launch, error) {
	p, err := newPreparation(c, opt)
	if err != nil {
		return Launch{}, err
	}
	prepare := map[kind]func() error{
		generic: p.generic, claude: p.claude, codex: p.codex, opencode: p.opencode, qwen: p.qwen, gemini: p.gemini,
	}[c.kind]
	if err := prepare(); err != nil {
		if c.Purpose(opt.Args) != Manage {
			return Launch{}, err
		}
		// No model is asked, so nothing can bypass the gateway, and the command
		// may be the remedy: a login, another setting.
		if p, err = newPreparation(c, opt); err != nil {
			return Launch{}, err
		}
	}
	p.spareProxy()
	p.Env, p.Changes = p.env.list, p.env.changes
	return p.Launch, nil
}

// preparation is a launch under construction.
type preparation struct {
	Launch

	env  *environ
	base string // the gateway, without a slash at the end
	key  string
	opt  Options
	home string
	os   string
}

func newPreparation(c Client, opt Options) (*preparation, error) {
	base, err := BaseURL(opt.BaseURL)
	if err != nil {
		return nil, err
	}
	if strings.ContainsFunc(opt.Key, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '"' || r == '\\' }) {
		return nil, errors.New("connect: the Sluice key holds a character that no key has; check SLUICE_KEY")
	}
	p := &preparation{
		Launch: Launch{Client: c, Args: slices.Clone(opt.Args), Dir: opt.Dir, Upstream: map[string]string{}},
		env:    newEnviron(opt.Env), base: base, key: opt.Key, opt: opt, os: opt.OS,
	}
	if p.os == "" {
		p.os = runtime.GOOS
	}
	if p.opt.Dir == "" {
		if p.opt.Dir, err = os.Getwd(); err != nil {
			return nil, fmt.Errorf("connect: the current directory is not known: %w", err)
		}
	}
	p.home = p.homeDirectory()
	return p, nil
}

// homeDirectory is where the clients look for the user's own settings. Without a
// variable they ask the system. It is never empty: what is below an empty path
// is in the current directory, and that is the repository's.
func (p *preparation) homeDirectory() string {
	if home := p.env.first("HOME", "USERPROFILE"); home != "" {
		return home
	}
	if u, err := user.Current(); err == nil && u.HomeDir != "" && p.opt.Root == "" {
		return u.HomeDir
	}
	return os.DevNull // no settings are below it
}

// BaseURL checks a gateway's URL and removes a trailing slash or /v1, because
// people paste both.
func BaseURL(raw string) (string, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%q is not the URL of a gateway: write one like http://127.0.0.1:8484", raw)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(raw, "\"'\\` ") {
		return "", fmt.Errorf("the URL of a gateway has no user, query or quotes, but this one has: %q", raw)
	}
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/v1")
	u.RawPath = ""
	return u.String(), nil
}

// generic sets what the providers' SDKs read.
func (p *preparation) generic() error {
	for _, v := range []struct{ name, url, upstream string }{
		{"OPENAI_BASE_URL", p.base + "/v1", "openai"},
		{"OPENAI_API_BASE", p.base + "/v1", "openai"},
		{"ANTHROPIC_BASE_URL", p.base, "anthropic"},
		{"GOOGLE_GEMINI_BASE_URL", p.base, "gemini"},
	} {
		p.upstreamFrom(v.upstream, p.env.get(v.name))
		p.env.set(v.name, v.url)
	}
	p.notef("%s is not a client that Sluice knows: it goes through the gateway only if it reads OPENAI_BASE_URL, ANTHROPIC_BASE_URL or GOOGLE_GEMINI_BASE_URL.", p.Client.Title)
	if p.key == "" {
		return nil
	}
	p.env.setSecret("SLUICE_KEY", p.key)
	for _, name := range []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"} {
		if p.env.get(name) == "" {
			p.env.setSecret(name, p.key)
		} else {
			p.notef("%s is yours, so the program has to send the Sluice key itself, as the header X-Sluice-Key.", name)
		}
	}
	return nil
}

// upstreamFrom makes a base URL that the user had set the gateway's upstream,
// unless it is the gateway's own.
func (p *preparation) upstreamFrom(upstream, at string) bool {
	at = strings.TrimSpace(at)
	if at == "" {
		return false
	}
	if p.isGateway(at) {
		p.Permanent = true
		return false
	}
	p.Upstream[upstream] = strings.TrimRight(at, "/")
	return true
}

// isGateway reports whether a URL is below the gateway.
func (p *preparation) isGateway(raw string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(raw)), strings.ToLower(p.base))
	return ok && (rest == "" || rest[0] == '/')
}

func (p *preparation) notef(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

func (p *preparation) refuse(advice, format string, args ...any) error {
	return &RefusedError{Client: p.Client.Title, Reason: fmt.Sprintf(format, args...), Advice: advice}
}

// temporary adds a file to the launch and returns where it will be.
func (p *preparation) temporary(name string, content []byte) string {
	at := filepath.Join(os.TempDir(), "sluice-"+rand.Text(), name)
	p.Files = append(p.Files, File{Path: at, Content: content})
	return at
}
