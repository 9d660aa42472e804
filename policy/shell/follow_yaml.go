package shell

import "github.com/sluice-project/sluice/policy/project"

// parseCost is what a byte costs that is parsed as YAML, in bytes that are only read.
const parseCost = 24

// mostParsed is how many texts of YAML are remembered.
const mostParsed = 32

// parsedAs is a text of YAML and the way in which it was read.
type parsedAs struct {
	way  string
	file project.File
}

// parsedFile is what was read of it.
type parsedFile struct {
	steps    project.Steps
	services []project.Service
	host     bool
}

// readYAML reads a file of YAML in one way. The same file is parsed once, and one that
// would cost too much is read line by line; if even that would, nothing is read.
func (r *reader) readYAML(way string, f project.File, read func(f project.File) parsedFile) parsedFile {
	key := parsedAs{way, f}
	if result, ok := r.yaml[key]; ok {
		r.pay(len(f.Content))
		return result
	}
	cost := parseCost * len(f.Content)
	if f.Unparsed = cost > r.budget || len(f.Content) > project.MaxYAML; f.Unparsed {
		cost = len(f.Content)
	}
	if !r.pay(cost) {
		return parsedFile{}
	}
	result := read(f)
	if r.yaml == nil {
		r.yaml = map[parsedAs]parsedFile{}
	}
	if len(r.yaml) < mostParsed {
		r.yaml[key] = result
	}
	return result
}

// parsing is read for files of YAML, each parsed once.
func (r *reader) parsing(way string, read func(f project.File) project.Steps) func(f project.File) project.Steps {
	return func(f project.File) project.Steps {
		result := r.readYAML(way, f, func(f project.File) parsedFile { return parsedFile{steps: read(f)} })
		return result.steps
	}
}
