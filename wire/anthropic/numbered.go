package anthropic

// numbered finds things by a number. Nearly always one is there, at most a few;
// those cost no map. The zero value is empty and ready.
type numbered[V any] struct {
	keys   [4]int
	values [4]*V
	few    int
	many   map[int]*V
}

func (n *numbered[V]) get(key int) *V {
	for i := range n.few {
		if n.keys[i] == key {
			return n.values[i]
		}
	}
	return n.many[key]
}

func (n *numbered[V]) put(key int, value *V) {
	for i := range n.few {
		if n.keys[i] == key {
			n.values[i] = value
			return
		}
	}
	if _, have := n.many[key]; !have && n.few < len(n.keys) {
		n.keys[n.few], n.values[n.few] = key, value
		n.few++
		return
	}
	if n.many == nil {
		n.many = make(map[int]*V)
	}
	n.many[key] = value
}

func (n *numbered[V]) remove(key int) {
	for i := range n.few {
		if n.keys[i] == key {
			n.few--
			n.keys[i], n.values[i] = n.keys[n.few], n.values[n.few]
			n.values[n.few] = nil
			return
		}
	}
	delete(n.many, key)
}

func (n *numbered[V]) clear() { *n = numbered[V]{} }
