//go:build !unix

package ownfile

import (
	"io/fs"
	"os"
)

// open opens a file. Access is controlled here by the directory, which is the user's
// own by default.
func open(name string) (*os.File, error) { return os.Open(name) }

// ownerOf: files have no comparable owner here.
func ownerOf(fs.FileInfo) (id int, known bool) { return 0, false }
