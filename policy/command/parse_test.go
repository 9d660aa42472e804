package command

// Parse reads descriptions that add to those of another catalogue, which may be nil.
// It returns the first mistake.
func Parse(file, text string, below *Catalogue) (*Catalogue, error) {
	c := over(below)
	if err := c.index(file, text); err != nil {
		return nil, err
	}
	if mistakes := c.loadAll(); len(mistakes) > 0 {
		return nil, mistakes[0]
	}
	return c, nil
}
