package effect

import "strings"

// Effect is one thing that a call would do.
type Effect struct { //nolint:recvcheck // String is for values, the others are asked of many
	Verb Verb
	// Kind is in which way it comes about, where that matters.
	Kind Kind
	// Object is what it is done to: a path, an address, a branch, a table. It
	// depends on the verb.
	Object string
	// From is where it comes from: the file that is sent or copied, the address
	// that is saved or run. Empty if there is none, or it is not known.
	From string
	// Wide: not the object alone but everything in it, or everything that a
	// pattern matches.
	Wide bool
	// Several: it is wide because the command names several, each of which is the
	// object of an effect of its own; see Extent.
	Several bool
	// Sudo and Remote: as another user, on another machine or in a container.
	Sudo, Remote bool
	// Guess: it happens only under an assumption about something unknown, such
	// as that a variable that nothing in the text sets is empty.
	Guess bool
	// Possible: it happens in one of the ways in which the command can be meant.
	Possible bool
	// Shown: what is read or revealed is in the call's result, and so gets into
	// the conversation.
	Shown bool
	// Scratch: what is dropped or destroyed is for tests, or is the user's own
	// on this machine, judging by its name or that of what contains it. What is
	// deleted was made by the same command, is in a throwaway container, or is
	// the .git of a repository that is not the project.
	Scratch bool
	// Content is what is written or sent, if it is known as a whole.
	Content string
	// Added is what is put into a file beside what was in it.
	Added string
	// How names the program or tool that does it, for people.
	How string
	// Command is the number of the command that does it, -1 if none does.
	Command int
}

// ToolInstall is how a file comes about that the installer of a tool copies.
const ToolInstall = "tool install"

// Moves reports whether something is written that had another name before, with all that
// is in it.
func (e *Effect) Moves() bool { return e.Verb == Write && (e.Kind == Move || e.How == "mv") }

// IsDefault reports whether the object is the default of a repository or a
// program: the branch that is checked out, which the text does not say.
func (e *Effect) IsDefault() bool {
	return e.ofBranch() && (e.Object == "HEAD" || e.Object == "@")
}

// ofBranch reports whether the object is a branch.
func (e *Effect) ofBranch() bool {
	return e.Verb == Push || e.Verb == ForcePush || e.Verb == DeleteBranch
}

// String describes the effect in words, for people.
func (e Effect) String() string {
	object, all := e.Object, e.ofBranch() && e.Wide && e.Object == "*"
	switch {
	case e.IsDefault():
		object = "the current branch"
	case all:
		object = "all branches"
	}
	words := []string{string(e.Verb)}
	add := func(more ...string) {
		for _, word := range more {
			if word != "" {
				words = append(words, word)
			}
		}
	}
	switch {
	case e.Verb == Send:
		add(e.sent())
		if e.Wide {
			words[len(words)-1] += ", and everything in it,"
		}
		if object != "" {
			add("to", object)
		}
	case e.From == "" || e.Verb == Discard: // the place, which is said by the object
		add(object)
	case e.Verb == Push || e.Verb == ForcePush || e.Verb == SetVariable:
		add(object, "to", e.From)
	case e.Verb == DeleteBranch:
		add(object, "on", e.From)
	case e.Verb == Link:
		add(object, "as", e.From)
	default:
		add(object, "from", e.From)
	}
	s := strings.TrimSuffix(strings.Join(words, " "), ",")
	switch {
	case !e.Wide || all || e.Verb == Send:
	case e.ofBranch():
		s += ", and others"
	case e.Verb == Discard:
		s += ", for good"
	case e.Verb == Kill:
		s += ", and all that it matches"
	default:
		s += ", and everything in it"
	}
	if e.Sudo {
		s += ", as another user"
	}
	if e.Remote {
		s += ", on another machine"
	}
	if e.Scratch {
		s += ", made for tests"
	}
	if e.Guess {
		s += ", depending on what is not known"
	}
	return s
}

// sent is what is sent, empty if that is not known.
func (e *Effect) sent() string {
	switch e.From {
	case "environment", "repository":
		return "the " + e.From
	case "secret":
		return "a secret"
	case "database":
		return "data from a database"
	}
	return e.From
}

// Verb says what is done.
type Verb string

// What is done to files. The object is a path.
const (
	// Read: the contents are shown, copied or sent.
	Read Verb = "read"
	// Write: made, replaced, appended to or changed. From is where the
	// contents come from: another file, an address.
	Write Verb = "write"
	// Delete: removed, also by moving it away or by making it empty.
	Delete Verb = "delete"
	// Mode: who may use it, or whose it is.
	Mode Verb = "mode"
	// Format: a disk or file system is formatted or overwritten.
	Format Verb = "format"
	// Link: another name for it is created. From is the new name.
	Link Verb = "link"
)

// What runs.
const (
	// Run: a program in a file that was not read. The object is its path.
	Run Verb = "run"
	// RunRemote: a program that comes from the network. The object is its
	// address, as far as it is known.
	RunRemote Verb = "run-remote"
	// RunHidden: a program that was decoded or generated by another program, so
	// that it cannot be read beforehand. The object says by what.
	RunHidden Verb = "run-hidden"
	// ReverseShell: a shell that another machine talks to. The object is its
	// address.
	ReverseShell Verb = "reverse-shell"
	// Exhaust: exhausts the machine's resources, as a fork bomb does.
	Exhaust Verb = "exhaust"
	// Kill: kills processes. The object is their name, PID or pattern.
	Kill Verb = "kill"
	// Stop: stops or disables a service. The object is its name.
	Stop Verb = "stop"
	// Shutdown: the machine.
	Shutdown Verb = "shutdown"
	// Control: a process or a service is traced, limited, paused, changed or started
	// anew. The object is its name or PID.
	Control Verb = "control"
	// StartAgent: an agent that acts by itself is started. The object is its name,
	// Content what it is told.
	StartAgent Verb = "start-agent"
)

// What goes over the network.
const (
	// Fetch: gets something. The object is the address.
	Fetch Verb = "fetch"
	// Send: sends something. The object is the address or host, From the file
	// it is in, "environment" for variables, "secret" for what prints secrets;
	// empty for text that is in the call.
	Send Verb = "send"
	// Connect: opens a connection without the text saying what it carries. The
	// object is the host.
	Connect Verb = "connect"
	// Listen: accepts connections. The object is the address.
	Listen Verb = "listen"
	// CutOff: connections are dropped, rejected or diverted, or an interface is taken
	// down. The object is the rule that does it.
	CutOff Verb = "cut-off"
)

// What is done to a repository.
const (
	// ForcePush: overwrites a branch on a remote. The object is the branch,
	// "*" for all or any of them.
	ForcePush Verb = "force-push"
	// DeleteBranch: deletes a branch or tag on a remote.
	DeleteBranch Verb = "delete-branch"
	// Push: sends commits. The object is the branch, "HEAD" for the one that is
	// checked out, From the remote; empty for the default one.
	Push Verb = "push"
	// Discard: discards uncommitted changes, or commits that nothing else refers to.
	// The object says which, From where it is; Wide: also untracked files.
	Discard Verb = "discard"
	// RewriteHistory: changes commits that others may have.
	RewriteHistory Verb = "rewrite-history"
	// SkipChecks: hooks or signatures are skipped.
	SkipChecks Verb = "skip-checks"
)

// What is done to what others run.
const (
	// Drop: data in a database is deleted irreversibly. The object says what:
	// "table users", "database", "rows of users".
	Drop Verb = "drop"
	// Destroy: infrastructure, stored objects, repositories. The object says
	// what. Wide: and what it stores, or several of them.
	Destroy Verb = "destroy"
	// Apply: infrastructure is changed. The object says what.
	Apply Verb = "apply"
	// Publish: a package, image or site is made public. The object is its name.
	Publish Verb = "publish"
)

// What changes the machine and who may do what on it.
const (
	// Install: a package. The object is its name, From the address it comes from
	// if that is not the usual registry. Content is "address" if that is the
	// address of the package itself.
	Install Verb = "install"
	// Grant: somebody gets more rights: users, groups, sudo, setuid,
	// capabilities. The object says what.
	Grant Verb = "grant"
	// Disarm: something that protects the machine is switched off or flushed.
	Disarm Verb = "disarm"
	// Persist: something runs later or repeatedly, without being called. The
	// object says what.
	Persist Verb = "persist"
	// Reveal: secrets are printed. The object says whose.
	Reveal Verb = "reveal"
	// SetVariable and UnsetVariable: of the environment of what runs later. The
	// object is its name; From, its value.
	SetVariable   Verb = "set-variable"
	UnsetVariable Verb = "unset-variable"
)

// Verbs are all verbs.
func Verbs() []Verb {
	return []Verb{
		Read, Write, Delete, Mode, Format, Link,
		Run, RunRemote, RunHidden, ReverseShell, Exhaust, Kill, Stop, Shutdown, Control, StartAgent,
		Fetch, Send, Connect, Listen, CutOff,
		ForcePush, DeleteBranch, Push, Discard, RewriteHistory, SkipChecks,
		Drop, Destroy, Apply, Publish,
		Install, Grant, Disarm, Persist, Reveal, SetVariable, UnsetVariable,
	}
}
