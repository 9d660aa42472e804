// Package pgtest gives a test a real PostgreSQL. It is for tests only.
//
//	func TestOnPostgres(t *testing.T) {
//		db, err := postgres.Open(t.Context(), pgtest.Start(t))
//		...
//	}
//
// Each call of [Start] gets an empty database of its own, which is dropped when
// the test ends. If SLUICE_TEST_POSTGRES holds the address of a server, it is
// made there; the user needs the right to make databases. Otherwise a server is
// started, once for each test binary, from the installed programs (in PATH or
// where Debian puts them), in a temporary directory, reachable only through a
// socket there. It ends and leaves nothing behind when the test binary ends, in
// whatever way.
//
// Where there is no server the test is skipped and says how to get one. With
// SLUICE_REQUIRE_POSTGRES=1 it fails instead, for machines that must not forget
// it.
package pgtest
