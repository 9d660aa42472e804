// Package pgtest gives a test a real PostgreSQL. It is for tests only.
//
//	func TestOnPostgres(t *testing.T) {
//		db, err := postgres.Open(t.Context(), pgtest.Start(t))
//		...
//	}
//
// Each call of [Start] gets an empty database of its own, which is dropped when the
// test ends. If SLUICE_TEST_POSTGRES holds the address of a server, the database is
// created there; the user must be allowed to create databases. Otherwise a server is
// started, once for each test binary, from the installed programs (in PATH or where
// Debian puts them), in a temporary directory, reachable only through a socket there.
// It stops and removes its directory when the test binary ends, even if that crashes.
//
// Without a server the test is skipped with a message on how to get one. With
// SLUICE_REQUIRE_POSTGRES=1 it fails instead, for machines where it must run.
package pgtest
