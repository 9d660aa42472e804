package settings

// Parse loads a configuration whose file is not on disk.
func Parse(from Sources, name, content string) (*Settings, error) {
	return newLoading(from).finish(name, []byte(content))
}
