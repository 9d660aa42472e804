// Package where says whether a path of a client lies in a directory or matches a
// pattern, and which host an address has, as far as that is known.
//
// Paths in calls are those of the client, so its working directory and home
// determine what "a" and "~/a" mean. If they are not known and the answer depends on
// them, it is unknown.
//
//	where.Under("~/.ssh/id", "~/.ssh", effect.Place{})  // Yes
//	where.Host("git@github.com:o/r.git")                // github.com, true
package where

// Answer is what is known of a path.
type Answer uint8

const (
	// No: it does not.
	No Answer = iota
	// Yes: it does.
	Yes
	// NoBegin: that depends on where the path begins: in somebody else's home, or
	// in the value of a variable.
	NoBegin
	// NoCwd and NoHome: it depends on the client's working directory or home.
	NoCwd
	NoHome
)

func answerOf(b bool) Answer {
	if b {
		return Yes
	}
	return No
}
