// Package sqlite remembers conversations in a file of SQLite.
//
//	repo, err := sqlite.Open(ctx, "chat.db")
//	if err != nil {
//		return err
//	}
//	defer repo.Close()
//
// The file is made if it is missing, for its owner alone. Several programs can
// use it at the same time. What is promised of a repository is said in
// [memory.Repository]; how the file is opened, in store/sqlite.
package sqlite
