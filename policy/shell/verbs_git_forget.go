package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// gitUpdatesListed notes what git update-ref deletes that reads what to do.
func (a *act) gitUpdatesListed() {
	if !a.in.known {
		a.does(effect.Discard, "refs")
		if a.gitListsToDelete() {
			a.add(effect.Effect{Verb: effect.DeleteBranch, Object: "*", Wide: true})
		}
		return
	}
	deletes := false
	for order := range strings.FieldsFuncSeq(a.in.text, func(r rune) bool { return r == '\n' || r == 0 }) {
		words := strings.Fields(order)
		if !a.r.pay(argumentSteps) || len(words) < 2 || words[0] != "delete" {
			continue
		}
		deletes = true
		if branch, ok := strings.CutPrefix(strings.Trim(words[1], `"`), "refs/heads/"); ok && isTrunk(branch) {
			a.does(effect.DeleteBranch, branch)
		}
	}
	if deletes {
		a.does(effect.Discard, "refs")
	}
}

// gitListsToDelete reports whether the commands before list all refs, or all
// branches, and make orders to delete of them.
func (a *act) gitListsToDelete() bool {
	lists, deletes := false, false
	for i := range a.r.reading.Commands {
		c := &a.r.reading.Commands[i]
		if !a.r.pay(argumentSteps) {
			break
		}
		lists = lists || c.Name == "git" && (c.Sub == "for-each-ref" || c.Sub == "show-ref") && !slices.ContainsFunc(c.Args, isSomeRefs)
		deletes = deletes || slices.ContainsFunc(c.Args, func(arg string) bool { return strings.Contains(arg, "delete") })
	}
	return lists && deletes
}

// isSomeRefs reports whether a pattern of refs means neither all of them nor all
// branches: those below refs/original are copies of what was rewritten.
func isSomeRefs(arg string) bool {
	below, ok := strings.CutPrefix(arg, "refs/")
	switch kind, name, _ := strings.Cut(below, "/"); kind {
	case "", "*", "**", "heads", "remotes":
		return ok && strings.Trim(name, "*/") != ""
	}
	return ok
}

// gitForgets notes that commits go which nothing names. Where the log of what
// there was goes too, nothing can be found again.
func (a *act) gitForgets() {
	e := effect.Effect{Verb: effect.Discard, Object: "unreachable commits"}
	for i := range a.r.reading.Effects {
		if !a.r.pay(1) {
			break
		}
		before := &a.r.reading.Effects[i]
		e.Wide = e.Wide || before.Verb == effect.Discard && before.Object == "reflog"
	}
	for i := range a.r.reading.Commands {
		if c := &a.r.reading.Commands[i]; c.Name == "git" && a.r.pay(argumentSteps) {
			e.Wide = e.Wide || gitExpiresLog(c.Args)
		}
	}
	a.add(e)
}

// gitExpiresLog reports whether arguments of git say that its log is to be given up
// at once: -c gc.reflogExpire=now, config gc.reflogExpire now.
func gitExpiresLog(args []string) bool {
	const setting = "gc.reflogexpire" // and gc.reflogExpireUnreachable
	for i, arg := range args {
		if len(arg) < len(setting) || !strings.EqualFold(arg[:len(setting)], setting) {
			continue
		}
		_, when, given := strings.Cut(arg, "=")
		if !given && i+1 < len(args) {
			when = args[i+1]
		}
		switch when {
		case "now", "all", "0", "today":
			return true
		}
		if unknown(when) {
			return true
		}
	}
	return false
}
