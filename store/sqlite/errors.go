package sqlite

import (
	"errors"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// code returns SQLite's primary result code, 0 if the error is not from SQLite.
func code(err error) int {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return 0
	}
	return e.Code() & 0xff
}

func busy(err error) bool {
	c := code(err)
	return c == codes.SQLITE_BUSY || c == codes.SQLITE_LOCKED
}

func known(err error) (advice string, known bool) {
	switch code(err) {
	case 0:
		return "", false
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return "another program is writing and did not end in time: try again, or end it", true
	case codes.SQLITE_READONLY, codes.SQLITE_PERM, codes.SQLITE_CANTOPEN:
		return "let this user write the file and its directory, or choose another path", true
	case codes.SQLITE_NOTADB:
		return "the file is something else: choose another path", true
	case codes.SQLITE_CORRUPT:
		return "the file is damaged: put back a copy, or choose another path", true
	case codes.SQLITE_FULL:
		return "make room on the disk", true
	case codes.SQLITE_IOERR:
		return "the disk could not be read or written: check it, and that the file is on a local one", true
	default:
		return "", true
	}
}

// again always reports false: there is one writing connection, which waits for other
// writers before it begins, so no transaction is aborted halfway.
func again(error, bool) bool { return false }
