package policy

import "cmp"

// Weaker lists, one sentence for each, the policies of another set that no longer
// hold in this one: policies that were removed, that only observe, that have
// changed, or whose order has changed. A program cannot tell whether a different
// condition, parameter or exception lets more pass, so every change counts but that of the
// wording, which decides nothing.
// Policies that were added, or that are enforced now, do not count: the result is
// empty then. Policies in code are compared by their version, if they do not say what decides.
func (s *Set) Weaker(than *Set) []string {
	now := make(map[string]int, len(s.definitions))
	for i := range s.definitions {
		now[s.definitions[i].Name] = i
	}
	var changes []string
	last := -1
	for i := range than.definitions {
		before := &than.definitions[i]
		at, there := now[before.Name]
		switch {
		case !there:
			changes = append(changes, before.Name+" was removed")
			continue
		case s.definitions[at].decides() != before.decides():
			changes = append(changes, before.Name+" has changed")
		case before.Mode == Enforce && s.definitions[at].Mode != Enforce:
			changes = append(changes, before.Name+" only observes now")
		case at < last:
			changes = append(changes, before.Name+" comes earlier than it did")
		}
		last = max(last, at)
	}
	return changes
}

// decides identifies what a policy decides.
func (d *Definition) decides() string { return cmp.Or(d.Decides, d.Version) }
