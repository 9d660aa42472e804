//go:build !unix

package ownfile

import "io/fs"

// ownerOf: files have no owner that could be compared here.
func ownerOf(fs.FileInfo) (id int, known bool) { return 0, false }
