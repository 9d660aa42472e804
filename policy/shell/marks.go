package shell

// nameMark is a byte in which the names of programs differ. Most commands are
// those of no small table: their marks say so sooner than the table.
func nameMark(name string) byte {
	n := len(name)
	if n == 0 {
		return 0
	}
	return 7*name[0] + 3*name[n-1] + byte(n)
}

// marksOf are the marks of the names in a table.
func marksOf[T any](table map[string]T) (marks byteSet) {
	for name := range table {
		marks.add(nameMark(name))
	}
	return marks
}

var (
	marksOfWrappers   = marksOf(wrappers)
	marksOfValueFlags = marksOf(valueFlags)
)
