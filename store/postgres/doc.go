// Package postgres opens a PostgreSQL database as a [store.DB].
//
//	db, err := postgres.Open(ctx, "postgres://sluice:secret@db.example.org:5432/sluice?pool_max_conns=20")
//
// The address is a URL or a list of key=value pairs, as in psql; missing parts are
// taken from the environment variables PGHOST, PGUSER, PGPASSWORD and so on. No error
// contains the password.
//
// Connections are pooled. The address sets the limits of the pool: pool_max_conns (by
// default the number of processors, at least 4), pool_max_conn_lifetime and
// pool_max_conn_idle_time. A transaction that finds no free connection waits as long as
// its context allows.
//
// Transactions that the server aborts because of a deadlock or a serialization failure,
// and those whose connection breaks before the commit, are retried. Reads see one
// snapshot of the database (repeatable read).
//
// It works behind connection poolers. For those that pool per transaction, add
// default_query_exec_mode=exec to the address.
package postgres
