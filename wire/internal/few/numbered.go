package few

// Numbered finds things by a number. Nearly always one is there, at most a few;
// those cost no map. The zero value is empty and ready.
type Numbered[V any] struct {
	keys   [4]int
	values [4]*V
	few    int
	many   map[int]*V
}

// Get returns what Put put there, nil if there is nothing.
func (n *Numbered[V]) Get(key int) *V {
	for i := range n.few {
		if n.keys[i] == key {
			return n.values[i]
		}
	}
	return n.many[key]
}

// Put makes key lead to value, whatever it led to before.
func (n *Numbered[V]) Put(key int, value *V) {
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

// Remove makes key lead to nothing.
func (n *Numbered[V]) Remove(key int) {
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

// Clear makes every key lead to nothing.
func (n *Numbered[V]) Clear() { *n = Numbered[V]{} }
