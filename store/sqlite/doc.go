// Package sqlite opens an SQLite file as a [store.DB].
//
//	db, err := sqlite.Open(ctx, "/var/lib/sluice/sluice.db", sqlite.Options{})
//
// The file and its directory are created if missing, accessible to their owner only
// (0600 and 0700). One connection writes and several read; readers and the writer do
// not block each other (write-ahead log). Writers, including those of other processes,
// wait for each other as long as [Options.Wait] and their context allow. After a power
// loss the file is intact, but the last commits may be missing (synchronous=NORMAL).
//
// The file must be on a local disk: file locks on network drives are unreliable.
//
// [Memory] opens a database that lasts until it is closed, for tests and
// examples. It has one connection, so its transactions wait for each other.
package sqlite
