package effect

import "strings"

// Effect is one thing that a call would do.
type Effect struct { //nolint:recvcheck // String is for values, the others are asked of many
	Verb Verb
	// Object is what it is done to: a path, an address, a branch, a table. Each
	// verb says what it is.
	Object string
	// From is where it comes from: the file that is sent or copied, the address
	// that is saved or run. Empty where there is none, or it is not known.
	From string
	// Wide: not the object alone but everything in it, or everything that a
	// pattern matches.
	Wide bool
	// Sudo and Remote: as another user, on another machine or in a container.
	Sudo, Remote bool
	// Guess: it happens only if something that is not known is so, as a
	// variable that nothing in the text sets and that may be empty.
	Guess bool
	// Shown: what is read or revealed is in what the call returns, and so gets
	// into the conversation.
	Shown bool
	// Scratch: what is dropped or destroyed is made for tests, or is somebody's
	// own on this machine, as its name or that of what it is in says. What
	// is deleted was made by the same command, is in a container that is thrown
	// away, or is the .git of a repository that is not the project.
	Scratch bool
	// Content is what is written, where it is known as a whole.
	Content string
	// How names the program or tool that does it, for people.
	How string
	// Command is the number of the command that does it, -1 if none does.
	Command int
}

// IsDefault reports whether the object is what a repository or a program takes
// where nothing is named: the branch that is checked out. What that is, nobody can
// tell from the text.
func (e *Effect) IsDefault() bool {
	switch e.Verb {
	case Push, ForcePush, DeleteBranch:
		return e.Object == "HEAD" || e.Object == "@"
	default:
		return false
	}
}

// String says the effect in words, for people.
func (e Effect) String() string {
	object := e.Object
	if e.IsDefault() {
		object = "the current branch"
	}
	s := strings.TrimSpace(string(e.Verb) + " " + object)
	switch {
	case e.From == "" || e.Verb == Discard: // the place, which is said by the object
	case e.Verb == Push || e.Verb == ForcePush:
		s += " to " + e.From
	case e.Verb == DeleteBranch:
		s += " on " + e.From
	case e.Verb == Link:
		s += " as " + e.From
	case e.Verb == SetVariable:
		s += " to " + e.From
	default:
		s += " from " + e.From
	}
	if e.Wide {
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
		s += ", if what is not known is empty"
	}
	return s
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
	// Format: a disk or file system is made new or overwritten.
	Format Verb = "format"
	// Link: another name for it is made. From is the new name.
	Link Verb = "link"
)

// What runs.
const (
	// Run: a program in a file that was not read. The object is its path.
	Run Verb = "run"
	// RunRemote: a program that comes from the network. The object is its
	// address, as far as it is known.
	RunRemote Verb = "run-remote"
	// RunHidden: a program that was decoded or made by another program, so
	// that nobody can read it beforehand. The object says by what.
	RunHidden Verb = "run-hidden"
	// ReverseShell: a shell that another machine talks to. The object is its
	// address.
	ReverseShell Verb = "reverse-shell"
	// Exhaust: uses up the machine, as a fork bomb does.
	Exhaust Verb = "exhaust"
	// Kill: ends processes. The object is their name, number or pattern.
	Kill Verb = "kill"
	// Stop: stops or disables a service. The object is its name.
	Stop Verb = "stop"
	// Shutdown: the machine.
	Shutdown Verb = "shutdown"
)

// What goes over the network.
const (
	// Fetch: gets something. The object is the address.
	Fetch Verb = "fetch"
	// Send: gives something away. The object is the address or host, From the
	// file it is in, "environment" for variables, "secret" for what prints
	// secrets; empty for text that is in the call.
	Send Verb = "send"
	// Connect: opens a connection of which the text does not tell what it
	// carries. The object is the host.
	Connect Verb = "connect"
	// Listen: waits for others to connect. The object is the address.
	Listen Verb = "listen"
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
	// Discard: gives up changes that were not committed, or commits that
	// nothing else keeps. The object says which, From where it lies; Wide: also what
	// git never saw.
	Discard Verb = "discard"
	// RewriteHistory: changes commits that others may have.
	RewriteHistory Verb = "rewrite-history"
	// SkipChecks: hooks or signatures are not asked.
	SkipChecks Verb = "skip-checks"
)

// What is done to what others run.
const (
	// Drop: data in a database is deleted for good. The object says what:
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
	// Install: a package. The object is its name, From the address it comes
	// from where that is not the usual registry. Content is "address" where that
	// is the address of the package itself.
	Install Verb = "install"
	// Grant: somebody may do more: users, groups, sudo, setuid, capabilities.
	// The object says what.
	Grant Verb = "grant"
	// Disarm: something that protects the machine is switched off or emptied.
	Disarm Verb = "disarm"
	// Persist: something runs later or again and again, without being called.
	// The object says what.
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
		Run, RunRemote, RunHidden, ReverseShell, Exhaust, Kill, Stop, Shutdown,
		Fetch, Send, Connect, Listen,
		ForcePush, DeleteBranch, Push, Discard, RewriteHistory, SkipChecks,
		Drop, Destroy, Apply, Publish,
		Install, Grant, Disarm, Persist, Reveal, SetVariable, UnsetVariable,
	}
}
