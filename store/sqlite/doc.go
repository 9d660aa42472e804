// Package sqlite opens a file of SQLite as a [store.DB].
//
//	db, err := sqlite.Open(ctx, "/var/lib/sluice/sluice.db", sqlite.Options{})
//
// The file and its directory are made if they are missing, for their owner alone
// (0600 and 0700). One connection writes and several read; readers do not wait
// for the writer, nor it for them (write-ahead log). Writers, also those of other
// processes, wait for each other, as long as [Options.Wait] and their context
// allow. After a loss of power the file is whole, but the last commits may be
// missing (synchronous=NORMAL).
//
// The file must be on a local disk: the locks of network drives cannot be
// trusted.
//
// [Memory] opens a database that lasts until it is closed, for tests and
// examples. It has one connection, so its transactions wait for each other.
package sqlite
