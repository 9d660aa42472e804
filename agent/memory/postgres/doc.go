// Package postgres remembers conversations in a database of PostgreSQL.
//
//	repo, err := postgres.Open(ctx, "postgres://chat:secret@db.example.org/chat")
//	if err != nil {
//		return err
//	}
//	defer repo.Close()
//
// Its tables are made when it is opened first; the user needs the right to make
// tables then. Any number of programs can use them at the same time. What is
// promised of a repository is said in [memory.Repository]; how connections are
// made, in store/postgres.
package postgres
