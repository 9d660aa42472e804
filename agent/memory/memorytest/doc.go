// Package memorytest specifies what a [memory.Repository] must do, as tests
// that run against any implementation.
//
//	func TestRepository(t *testing.T) {
//		memorytest.Run(t, func(t *testing.T) memory.Repository {
//			repo, err := openMine(t.TempDir())
//			if err != nil {
//				t.Fatal(err)
//			}
//			t.Cleanup(func() { repo.Close() })
//			return repo
//		})
//	}
//
// The function is called once for each behaviour and returns an empty
// repository. What survives a restart is for the repository's own tests.
package memorytest
