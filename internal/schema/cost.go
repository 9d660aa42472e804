package schema

// cost is what comparing one value with a node can take, without its parts: how many
// nodes are about the same value, and how many of them are inside each other. A part
// is smaller than the value, and is paid for when it is compared.
type cost struct {
	nodes, depth int
}

// bounded reports whether values can be compared with nodes: not if these go in a
// circle, and not if they multiply.
func bounded(nodes map[uintptr]*node) bool {
	w := weighing{costs: make(map[*node]cost, len(nodes))}
	for _, n := range nodes {
		if !w.weigh(n) {
			return false
		}
	}
	return true
}

// weighing has what is known of nodes. One that is being weighed costs nothing yet.
type weighing struct{ costs map[*node]cost }

// weigh finds out what a node costs. It reports false if that is too much.
func (w *weighing) weigh(n *node) bool {
	if known, ok := w.costs[n]; ok {
		return known.nodes > 0
	}
	w.costs[n] = cost{}
	total := cost{nodes: 1, depth: 1}
	for sub := range n.same {
		if !w.weigh(sub) {
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

// same yields the subschemas that are about the same value as n.
func (n *node) same(yield func(*node) bool) {
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
