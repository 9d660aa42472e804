package effect

// Extent is how much an effect is about.
type Extent string

// The extents.
const (
	// One: the object alone.
	One Extent = "one"
	// Many: it is one of several that the same command names, or it stands for those
	// that its name matches.
	Many Extent = "many"
	// All: everything in it, everything that a pattern matches, or everything that
	// another command lists.
	All Extent = "all"
)

// ExtentDocs say what the extents mean, each with a command.
func ExtentDocs() []struct {
	Extent         Extent
	Means, Example string
} {
	return []struct {
		Extent         Extent
		Means, Example string
	}{
		{One, "the object alone", "rm a.txt"},
		{Many, "it is one of several that the command names, or stands for those that its name matches", "helm uninstall a b"},
		{All, "everything in it, all that a pattern matches, or all that another command lists", "rm -rf build"},
	}
}

// Extents are all extents.
func Extents() []Extent { return []Extent{One, Many, All} }

// Extent says how much the effect is about.
func (e *Effect) Extent() Extent {
	switch {
	case e.Wide && e.Several:
		return Many
	case e.Wide:
		return All
	case e.Verb.OfFile() && isWild(e.Object):
		return Many
	default:
		return One
	}
}

// Certain reports whether the effect happens whatever is not known: the text says what it
// is done to, and it could not be meant otherwise.
func (e *Effect) Certain() bool { return !e.Guess && !e.Possible && !Expands(e.Object) }
