package invocation

import (
	"strings"
)

// openFile is what is known of a file that stands for something that is open: the
// input, or another descriptor. It is nil for other files.
func (r *Reader) openFile(p string) *File {
	var of *Flow
	switch number, ok := descriptorOf(p); {
	case !ok:
		return nil
	case number == "0":
		of = &r.Stdin
	default:
		d, ok := r.Opened[number]
		if !ok {
			d, ok = r.Scope.Fds[number]
		}
		if !ok {
			return nil
		}
		of = &d.In
	}
	if !of.Piped || !of.Known && of.Remote == "" {
		return nil
	}
	return &File{Content: of.Text, Known: of.Known, Remote: of.Remote}
}

// openedFrom are the files that are read through the name of something that is open:
// exec 5<file; curl -T /dev/fd/5.
func (r *Reader) openedFrom(p string) []string {
	number, ok := descriptorOf(p)
	if !ok {
		return nil
	}
	if number == "0" {
		return r.Stdin.Sources
	}
	d, ok := r.Opened[number]
	if !ok {
		d = r.Scope.Fds[number]
	}
	return d.In.Sources
}

// descriptorOf is the number in the name of an open file.
func descriptorOf(p string) (number string, ok bool) {
	if p == "/dev/stdin" {
		return "0", true
	}
	for _, dir := range [...]string{"/dev/fd/", "/proc/self/fd/", "/proc/$$/fd/", "/proc/thread-self/fd/"} {
		if number, ok = strings.CutPrefix(p, dir); ok {
			return number, IsDigits(number)
		}
	}
	return "", false
}
