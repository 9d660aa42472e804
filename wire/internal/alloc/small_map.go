package alloc

// SmallMap maps ints to pointers. The first four entries are stored inline; only
// further ones need a Go map. The zero value is empty and ready to use.
type SmallMap[V any] struct {
	keys   [4]int
	values [4]*V
	used   int
	more   map[int]*V
}

// Get returns the value of key, nil if there is none.
func (n *SmallMap[V]) Get(key int) *V {
	for i := range n.used {
		if n.keys[i] == key {
			return n.values[i]
		}
	}
	return n.more[key]
}

// Put sets the value of key.
func (n *SmallMap[V]) Put(key int, value *V) {
	for i := range n.used {
		if n.keys[i] == key {
			n.values[i] = value
			return
		}
	}
	if _, have := n.more[key]; !have && n.used < len(n.keys) {
		n.keys[n.used], n.values[n.used] = key, value
		n.used++
		return
	}
	if n.more == nil {
		n.more = make(map[int]*V)
	}
	n.more[key] = value
}

// Remove deletes key.
func (n *SmallMap[V]) Remove(key int) {
	for i := range n.used {
		if n.keys[i] == key {
			n.used--
			n.keys[i], n.values[i] = n.keys[n.used], n.values[n.used]
			n.values[n.used] = nil
			return
		}
	}
	delete(n.more, key)
}

// Clear deletes every key.
func (n *SmallMap[V]) Clear() { *n = SmallMap[V]{} }
