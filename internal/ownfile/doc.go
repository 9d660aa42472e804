// Package ownfile stores the program's own secrets in files: keys and tokens that only
// the user who runs it may know or choose.
//
//	data, err := ownfile.Read(name, 4096)
//	if errors.Is(err, fs.ErrNotExist) {
//		err = ownfile.Create(name, fresh) // fs.ErrExist if another process was faster
//	}
//
// A file that others can read or write, that belongs to somebody else, or that is in a
// directory in which others can create files is not used: whoever can write it chooses
// the secret, and whoever can read it knows it.
package ownfile
