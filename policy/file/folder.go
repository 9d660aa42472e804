package file

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Files are the policy files that a path refers to: itself or, if it is a folder, the
// files in it whose names end in .yaml or .yml, sorted by name. Subfolders and files
// whose names begin with a dot are ignored.
func Files(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path) // sorted
	if err != nil {
		return nil, err
	}
	var list []string
	for _, e := range entries {
		name := e.Name()
		if ext := filepath.Ext(name); strings.HasPrefix(name, ".") || ext != ".yaml" && ext != ".yml" {
			continue
		}
		// Not the type in the entry: a link to a file is a file.
		if info, err := os.Stat(filepath.Join(path, name)); err == nil && info.IsDir() {
			continue
		}
		list = append(list, filepath.Join(path, name))
	}
	return list, nil
}

// open reads the files that a path refers to.
func (l *loader) open(path string) {
	list, err := Files(path)
	switch {
	case err != nil:
		l.unreadable(path, err)
	case len(list) == 0:
		l.report.files = append(l.report.files, path)
		l.report.add(Problem{File: path, Message: "the folder has no policy files", Suggestion: "put one into it, with a name that ends in .yaml, or leave the folder out"})
	case len(list) > maxPolicies:
		l.report.files = append(l.report.files, path)
		l.report.add(Problem{File: path, Message: fmt.Sprintf("the folder has more than %d policy files", maxPolicies)})
	default:
		l.paths = append(l.paths, path) // a folder with whatever is put into it
		for _, name := range list {
			data, err := readAtMost(name, maxFile+1) // of a file that is too large, just enough to tell
			if err != nil {
				l.unreadable(name, err)
				continue
			}
			d := read(l.report, name, filepath.Dir(name), data)
			l.documents = append(l.documents, d)
			l.paths = append(l.paths, d.beside...)
		}
	}
}

func (l *loader) unreadable(path string, err error) {
	l.report.files = append(l.report.files, path)
	l.report.add(Problem{File: path, Message: "cannot be read: " + reasonOf(err), Unreadable: true})
}
