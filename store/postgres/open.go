package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/sluice-project/sluice/store"
)

// connectWait is the connection timeout, unless the address sets connect_timeout.
const connectWait = 10 * time.Second

// errAddress quotes nothing of the address, not even the faulty part: that may be in
// the middle of the password.
var errAddress = errors.New("store: PostgreSQL: the address cannot be read: " +
	"write postgres://user:password@host:5432/database, with special characters of the password as %XX, " +
	"or pairs such as host=localhost user=me dbname=chat")

// Open connects to a database.
func Open(ctx context.Context, dsn string) (*store.DB, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, errAddress
	}
	connection := config.ConnConfig
	if connection.ConnectTimeout == 0 {
		connection.ConnectTimeout = connectWait
	}
	if _, set := connection.RuntimeParams["application_name"]; !set {
		connection.RuntimeParams["application_name"] = "sluice"
	}
	var watch losses
	pool := stdlib.OpenDB(*connection, stdlib.OptionShouldPing(watch.needsPing))
	pool.SetMaxOpenConns(int(config.MaxConns))
	pool.SetMaxIdleConns(int(config.MaxConns))
	pool.SetConnMaxLifetime(config.MaxConnLifetime)
	pool.SetConnMaxIdleTime(config.MaxConnIdleTime)

	db := store.New(store.Driver{
		Dialect: store.Postgres, Name: name(connection), Writer: pool, Reader: pool,
		ReadOptions: sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead},
		Known:       known, Again: watch.again,
	})
	if err := db.Read(ctx, func(*sql.Tx) error { return nil }); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// name identifies the database in messages, without the password.
func name(c *pgx.ConnConfig) string {
	host := net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port)))
	if strings.HasPrefix(c.Host, "/") {
		host = c.Host
	}
	return fmt.Sprintf("PostgreSQL %s@%s/%s", c.User, host, c.Database)
}
