package schema

// cost is what checking one value against a node can take, without the value's parts:
// how many nodes apply to the same value, and how deeply they nest. A part is smaller
// than the value, and is accounted for when it is checked.
type cost struct {
	nodes, depth int
}

// bounded reports whether values can be checked against the nodes: not if these form a
// cycle, and not if they multiply.
func bounded(nodes map[uintptr]*node) bool {
	w := costTable{costs: make(map[*node]cost, len(nodes))}
	for _, n := range nodes {
		if !w.compute(n) {
			return false
		}
	}
	return true
}

// costTable memoises the cost of nodes. A node that is still being computed has a zero
// cost.
type costTable struct{ costs map[*node]cost }

// compute computes the cost of a node. It reports false if that is too high.
func (w *costTable) compute(n *node) bool {
	if known, ok := w.costs[n]; ok {
		return known.nodes > 0
	}
	w.costs[n] = cost{}
	total := cost{nodes: 1, depth: 1}
	for sub := range n.inPlace {
		if !w.compute(sub) {
			return false
		}
		total.nodes += w.costs[sub].nodes
		total.depth = max(total.depth, 1+w.costs[sub].depth)
		if total.nodes > maxWork/stepsOfNode || total.depth > maxCheckDepth {
			return false
		}
	}
	w.costs[n] = total
	return true
}

// inPlace yields the subschemas that apply to the same value as n.
func (n *node) inPlace(yield func(*node) bool) {
	for _, sub := range []*node{n.ref, n.not, n.when, n.then, n.otherwise} {
		if sub != nil && !yield(sub) {
			return
		}
	}
	for _, list := range [][]*node{n.allOf, n.anyOf, n.oneOf} {
		for _, sub := range list {
			if !yield(sub) {
				return
			}
		}
	}
	for _, sub := range n.dependent {
		if !yield(sub) {
			return
		}
	}
}
