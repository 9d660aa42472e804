// Package sqlite stores conversations in an SQLite file.
//
//	repo, err := sqlite.Open(ctx, "chat.db")
//	if err != nil {
//		return err
//	}
//	defer repo.Close()
//
// The file is created if it is missing, accessible to its owner only. Several
// programs can use it concurrently. See [memory.Repository] for what a
// repository guarantees, and store/sqlite for how the file is opened.
package sqlite
