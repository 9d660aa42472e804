package file

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/internal/words"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/secret"
)

// Options describe what the host of the policies offers. The zero value is a
// host with nothing but the environment and the embedded presets.
type Options struct {
	// Models finds the model of a judge by the name in the file. An empty name
	// asks for the host's default. If it returns an error the policy is rejected,
	// and if it is nil all policies with a judge are.
	Models func(name string) (model.Model, error)
	// Secret finds the secret of a hook by the name of its variable; nil means
	// the environment. If it returns an error the policy is rejected, unless the error is
	// ErrNotAsked: then the hook is not asked, and counts as one that fails.
	Secret func(name string) (string, error)
	// Feedback says that the host can tell the model instead of the client, and
	// Approver that somebody can be asked. Policies that need them are loaded
	// with a warning if they are false.
	Feedback, Approver bool
	// OnError, if it is Allow or Block, overrides on_error for every policy with
	// a judge or a hook. Policies that also apply to blocks which cannot be
	// stopped keep their own.
	OnError policy.Action
	// Redactor returns what replaces secrets with placeholders, for policies that
	// do so or put them back. It is called once, and only if there is such a
	// policy; an error is a problem of that policy. Hosts that reload policies
	// return the same one, so that a secret keeps its placeholder; nil means a new
	// one, with a random key. It stores no secrets: what is put back is found in
	// the tool results of the exchange itself, see policy.Exchange.Results.
	Redactor func() (*secret.Redactor, error)
	// ShortNotices makes notices and records leave out what a call would have done,
	// as `notice: short` does in a file.
	ShortNotices bool
	// Host describes the host itself, which the presets protect from agents.
	Host Host
	// Presets are the presets as NAME.yaml; nil means those of this package.
	Presets fs.FS
	// Tolerant turns failing examples into warnings, so that an unfinished policy
	// can be tried. Do not enforce what it loads.
	Tolerant bool
	// Thorough also runs the examples of the named presets, which otherwise are
	// assumed to pass as they did when this package was tested, and notes examples that
	// pass their own policy and not another one.
	Thorough bool
}

// newRedactor returns a redactor with a random key.
func newRedactor() (*secret.Redactor, error) {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it never fails
	return secret.NewRedactor(key), nil
}

// Loaded are the policies of one or several files.
type Loaded struct {
	// Set holds the policies that are not disabled, in order.
	Set *policy.Set
	// Policies are all policies, including disabled ones.
	Policies []Policy
	// Warnings say what may not work here as intended.
	Warnings []Problem
	// Examples is how many examples were run, Forms in how many forms: one with a shell
	// command is run in every client's form of it.
	Examples, Forms int
	// Sources are the presets and files in force, in order, each preset as
	// preset:NAME before the file that names it. Implied presets are included.
	Sources []string
	// LeftOut is where `preset: none` was given, or recommended was disabled, empty
	// if it, or a preset that includes its policies, is in force. The note of Set
	// tells people.
	LeftOut  string
	disabled bool // by its mode

	// Programs are those that the files describe, nil if they describe none.
	Programs *command.Catalogue

	// guards are those of the policies in the set, with their sources.
	guards []*guard
	active []*use
}

// AsksWhose reports whether it matters to one of the policies which tool is called, and not
// only what it does: a custom tool or a dispatcher that runs a command is not a client's own
// shell to it.
func (l *Loaded) AsksWhose() bool { return slices.ContainsFunc(l.guards, (*guard).asksWhose) }

// ErrNotAsked is why a hook is not asked whose secret the host does not have.
var ErrNotAsked = errors.New("the hook is not asked")

// Policy describes a loaded policy, for people.
type Policy struct {
	Name string
	// File and Line are where it is defined; Preset is the preset through which
	// it was included, empty if it is in a file itself.
	File   string
	Line   int
	Preset string
	// Mode is enforce, shadow or disabled.
	Mode    string
	Applies []string
	// Then is the action's name, OnUnknown and OnError what happens when the
	// policy cannot tell and when it fails. OnUnknown is Then's where a policy replaces
	// what it finds and says nothing else.
	Then, OnUnknown, OnError string
	Reason                   string
	Version                  string
	// Doc, Sees and Blind explain the policy: what it is for, what it sees and
	// what it cannot see.
	Doc, Sees, Blind string
	// Examples is how many it has; Hook is the host that it asks, empty if it asks none.
	Examples int
	Hook     string
}

// Load reads policy files in order into one set. A path "preset:NAME" is a preset, and a folder means the
// files in it (see Files). The preset recommended comes first, whatever else is named, unless one of the
// sources names it, names a preset that includes its policies, or leaves it out with preset:none; without a
// path it is all there is. The error is of type Problems and lists everything that is wrong with all files.
func Load(o Options, paths ...string) (*Loaded, error) {
	l := newLoader(o)
	l.read(paths)
	return l.finish()
}

// Parse is Load for a file that is in memory and the paths after it; the name
// is for messages. It keeps nothing of data. The error is of type Problems.
func Parse(o Options, name string, data []byte, paths ...string) (*Loaded, error) {
	l := newLoader(o)
	l.documents = append(l.documents, read(l.report, name, "", data))
	l.read(paths)
	return l.finish()
}

type loader struct {
	options Options
	report  *report
	library *library
	// documents are the sources in order. A preset that was named by a path is a
	// document with nothing else in it.
	documents []*document
	uses      []use
	// paths are the policy files and folders that were read.
	paths []string
	// programs are those that the documents describe, nil if they describe none.
	programs  *command.Catalogue
	described []*yaml.Node
	// mistaken: one of them cannot be read, so that the examples of policies would fail.
	mistaken bool
	searches searches
	alone    bool // leave out judges, hooks and implied presets
}

func newLoader(o Options) *loader {
	if o.Redactor == nil {
		o.Redactor = newRedactor
	}
	o.Redactor = sync.OnceValues(o.Redactor) // the same for all policies of a load
	l := &loader{options: o, report: &report{}, searches: searches{}}
	l.library = &library{options: &l.options, report: l.report, read: make(map[string]*document), used: make(map[string]string)}
	return l
}

// read reads the files and presets that paths name.
func (l *loader) read(paths []string) {
	for _, path := range paths {
		if name, ok := strings.CutPrefix(path, presetPrefix); ok {
			l.documents = append(l.documents, l.library.named(name))
			continue
		}
		l.open(path)
	}
}

// finish compiles all policies, runs their examples and puts them into a set.
func (l *loader) finish() (*Loaded, error) {
	loaded := &Loaded{}
	l.combine(loaded)
	described := l.describe()
	loaded.Examples, loaded.Forms = described, described
	loaded.Programs = l.programs
	var active []*use
	var guards []*guard
	if len(l.uses) > maxPolicies {
		u := &l.uses[maxPolicies]
		u.fail(u.where, u.name, fmt.Sprintf("there are more than %d policies", maxPolicies), "load fewer files, or fewer presets")
		l.uses = l.uses[:maxPolicies]
	}
	first := make(map[string]*use, len(l.uses))
	added := l.options.Host.values(l.paths)
	for i := range l.uses {
		u := &l.uses[i]
		if other, twice := first[u.name]; twice && u.name != "" {
			u.fail(u.where, u.name, fmt.Sprintf("another policy has the same name: %s:%d", other.source.name, other.where.line), other.renaming())
			continue
		}
		first[u.name] = u
		u.programs = l.described
		u.whenAskingFails(l.options.OnError)
		if !u.sound {
			if u.applies != 0 { // its expressions may have problems too
				l.compiler(u).compile(u.standard, nil)
			}
			continue
		}
		g := l.guard(u, added, loaded)
		loaded.Policies = append(loaded.Policies, u.describe())
		if g != nil && u.mode != disabled {
			active, guards = append(active, u), append(guards, g)
		}
	}
	if len(l.report.problems) > 0 {
		return nil, l.report.all()
	}
	if l.options.Thorough {
		l.overruled(active, guards)
	}
	gate(guards)
	linkPrompts(active, guards)
	definitions := make([]policy.Definition, len(active))
	for i, u := range active {
		definitions[i] = u.definition(guards[i])
	}
	set, err := policy.NewSet(definitions...)
	if err != nil {
		return nil, Problems{{File: strings.Join(l.report.files, ", "), Message: err.Error()}}
	}
	if loaded.LeftOut != "" {
		if set, err = set.Noted(loaded.leftOut()); err != nil {
			return nil, Problems{{File: strings.Join(l.report.files, ", "), Message: err.Error()}}
		}
	}
	loaded.Set, loaded.guards, loaded.active = set, guards, active
	loaded.Warnings = l.report.warnings.sorted(l.report.files)
	return loaded, nil
}

func (l *loader) compiler(u *use) *compiler {
	return &compiler{options: &l.options, use: u, programs: l.programs, searches: l.searches}
}

// guard compiles a policy, with the host's additions to its parameters, and runs
// its examples; nil if there are problems.
func (l *loader) guard(u *use, added map[string][]any, loaded *Loaded) *guard {
	c := l.compiler(u)
	params, changed := u.params, u.changed
	if u.preset != "" {
		var more bool
		params, more = params.guarded(added)
		changed = changed || more
	}
	// The examples of a preset were written for its own parameters, and say
	// nothing about its users' exceptions.
	var g *guard
	tried := u.preset == "" || l.options.Presets != nil || l.options.Thorough && !u.implied
	if tried || !changed {
		if g = c.compile(u.standard, nil); g == nil {
			return nil
		}
	}
	if tried && !l.mistaken {
		loaded.Examples += len(u.examples)
		loaded.Forms += u.try(g, l.options.Tolerant)
	}
	if changed {
		if g = c.compile(params, u.excepts); g == nil {
			return nil
		}
	}
	if u.mode != disabled && !l.alone && !c.connect(g) {
		return nil
	}
	l.warn(u)
	return g
}

// warn reports what may not work here as intended.
func (l *loader) warn(u *use) {
	if u.mode == disabled {
		return
	}
	asks := u.then.action == policy.Ask || u.onUnknown == "ask" || u.onError == policy.Ask
	if asks && !l.options.Approver {
		u.warn(at(u.then.node), u.name, "nobody can be asked here, so ask will block", "use block, or set up an approver")
	}
	if u.then.action != policy.BlockFeedback {
		return
	}
	if others := u.applies &^ policy.KindsOf(llm.ToolCall, llm.Opaque); others != 0 {
		u.warn(at(u.then.node), u.name, "block: feedback is about calls, and acts as end_turn on "+words.OneOf(namesOf(others)), "")
	}
	if !l.options.Feedback {
		where := at(u.then.node)
		u.report.warn(Problem{
			File: u.source.name, Line: where.line, Column: where.column, Policy: u.name, Note: true,
			Message: "block: feedback acts as end_turn here, because this host cannot tell the model",
		})
	}
}

func (u *use) describe() Policy {
	then := u.then.action.String()
	failure := u.onError.String()
	if u.onError == policy.Annotate {
		failure = "allow"
	}
	host := ""
	if u.hook != nil && !u.silent {
		if address, err := url.Parse(u.hook.url); err == nil {
			host = address.Host
		}
	}
	return Policy{
		Examples: len(u.examples), Hook: host,
		Name: u.name, File: u.source.name, Line: u.where.line, Preset: u.preset, Mode: u.mode.String(),
		Applies: namesOf(u.applies), Then: then, OnUnknown: u.onUnknown, OnError: failure,
		Reason: u.reason, Version: u.version(), Doc: u.doc, Sees: u.sees, Blind: u.blind,
	}
}

// readAtMost reads the beginning of a file.
func readAtMost(path string, most int64) (data []byte, err error) {
	f, err := os.Open(path) //nolint:gosec // the path is the operator's
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	return io.ReadAll(io.LimitReader(f, most))
}

// reasonOf leaves out the path, which the problem names itself.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}
