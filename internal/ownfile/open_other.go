//go:build !unix

package ownfile

import (
	"io/fs"
	"os"
)

// open opens a file. What others may do with it, the directory above says here, which
// is the user's own by default.
func open(name string) (*os.File, error) { return os.Open(name) }

// ownerOf: files have no owner that could be compared here.
func ownerOf(fs.FileInfo) (id int, known bool) { return 0, false }
