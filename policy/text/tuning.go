package text

// tuning affects speed and memory but never a result. It is fixed; tests make
// everything small.
type tuning struct {
	// cells bounds the table of an automaton, 4 bytes each, as long as there is
	// room for the given number of states however many classes there are.
	cells, states int

	// A cache miss of the automaton costs a stream missPrice, every byte that
	// it reads earns 1, up to credit. A stream without credit reads the next
	// blind bytes with the stages alone: text that needs a new state for nearly
	// every byte is faster without states.
	credit, blind int

	// patience is how many undecided bytes a stream may hold at the end of a
	// Write before the stages take over. They know exactly where the first
	// pending match begins, and need not read again, but are slower.
	patience int
}

func defaultTuning() tuning {
	return tuning{cells: 1 << 20, states: 256, credit: 1 << 18, blind: 1 << 16, patience: 64}
}

const (
	missPrice = 64

	// maxWeight bounds what the states of a table refer to.
	maxWeight = 1 << 20

	// maxBatch is how much the stages read before the stream checks whether
	// they are at rest.
	maxBatch = 4096

	// splice is how much of a piece is copied after held text at once. Held text
	// is usually decided soon after, and the rest of the piece needs no copy.
	splice = 256

	// roomy is the size from which on a buffer is not kept for the next Write.
	roomy = 1 << 16
)
