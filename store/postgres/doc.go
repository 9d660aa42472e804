// Package postgres opens a database of PostgreSQL as a [store.DB].
//
//	db, err := postgres.Open(ctx, "postgres://sluice:secret@db.example.org:5432/sluice?pool_max_conns=20")
//
// The address is a URL or a list of key=value pairs, as in psql; what it leaves
// out is taken from the variables PGHOST, PGUSER, PGPASSWORD and so on. The
// password is in no error.
//
// Connections are kept in a pool. The address sets its limits: pool_max_conns
// (at least 4, or the number of processors, if it does not say),
// pool_max_conn_lifetime and pool_max_conn_idle_time. A transaction that finds
// no free connection waits as long as its context allows.
//
// Transactions that the server ends because of a deadlock or because two of them
// cannot be put in an order, and those whose connection breaks before the commit,
// are tried again. Reads see one state of the database (repeatable read).
//
// It works with poolers between it and the server. For those that give each
// transaction another connection, add default_query_exec_mode=exec to the
// address.
package postgres
