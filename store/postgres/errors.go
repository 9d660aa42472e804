package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// code returns PostgreSQL's five-character error code, empty if the error is not from
// the server.
func code(err error) string {
	e, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return ""
	}
	return e.Code
}

func known(err error) (advice string, known bool) {
	c := code(err)
	switch {
	case strings.HasPrefix(c, "28"):
		return "check the user and the password in the address", true
	case c == "3D000":
		return "make the database first, with createdb, or name another one", true
	case c == "42501":
		return "grant this user what is missing", true
	case c == "53300":
		return "lower pool_max_conns in the address, or raise max_connections of the server", true
	case c == "25006":
		return "the server only reads: name the primary in the address", true
	case c == "57P03":
		return "the server is starting or stopping: try again", true
	case c != "":
		return "", true
	case errors.As(err, new(*pgconn.ConnectError)):
		return "check that the server runs and that the host and the port in the address are right", true
	}
	return "", lost(err)
}

// lost reports whether the connection broke.
func lost(err error) bool {
	switch c := code(err); {
	case strings.HasPrefix(c, "08"), c == "57P01", c == "57P02":
		return true
	case c != "", errors.As(err, new(*pgconn.ConnectError)):
		return false
	}
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.As(err, new(*net.OpError)) || pgconn.SafeToRetry(err)
}

// losses remembers when a connection last broke: others in the pool may be broken too
// and are tested before use.
type losses struct{ last atomic.Int64 }

// again reports whether a transaction is worth retrying.
func (l *losses) again(err error, committing bool) bool {
	if c := code(err); c == "40001" || c == "40P01" {
		return true // the server says that it has rolled everything back
	}
	if !lost(err) {
		return false
	}
	l.last.Store(time.Now().UnixNano())
	return !committing
}

// needsPing reports whether a connection must be tested before use: it was idle for a
// while, or not used since another one broke.
func (l *losses) needsPing(_ context.Context, p stdlib.ShouldPingParams) bool {
	return p.IdleDuration > time.Second || p.IdleDuration >= time.Since(time.Unix(0, l.last.Load()))
}
