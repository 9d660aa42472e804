// Package postgres stores conversations in a PostgreSQL database.
//
//	repo, err := postgres.Open(ctx, "postgres://chat:secret@db.example.org/chat")
//	if err != nil {
//		return err
//	}
//	defer repo.Close()
//
// Its tables are created when it is first opened; the user needs the right to
// create tables then. Any number of programs can use them concurrently. See
// [memory.Repository] for what a repository guarantees, and store/postgres for
// how connections are made.
package postgres
