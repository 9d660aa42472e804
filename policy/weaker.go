package policy

// Weaker says, one sentence for each, what of the policies of another set does not
// hold any more in this one: policies that are gone, that only observe, that are
// not what they were, or whose order has changed. Whether another condition,
// parameter or exception lets more pass is not for a program to tell, so every
// change counts. Policies that were only added, or that are enforced now, do not:
// the result is empty then. Policies in code are compared by their version.
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
			changes = append(changes, before.Name+" is gone")
			continue
		case s.definitions[at].Version != before.Version:
			changes = append(changes, before.Name+" is not what it was")
		case before.Mode == Enforce && s.definitions[at].Mode != Enforce:
			changes = append(changes, before.Name+" only observes")
		case at < last:
			changes = append(changes, before.Name+" comes earlier than it did")
		}
		last = max(last, at)
	}
	return changes
}
