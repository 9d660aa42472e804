package tables

import (
	"bytes"
	"context"
	"database/sql"
)

const (
	// mostMessages and mostBytes bound the size of one statement, unless a
	// single message is larger.
	mostMessages = 1000
	mostBytes    = 8 << 20
)

// behind inserts messages after all others.
func (r *Repository) behind(ctx context.Context, tx *sql.Tx, c *conversation, messages [][]byte) error {
	if err := r.put(ctx, tx, c, c.next, messages); err != nil {
		return err
	}
	c.next += int64(len(messages))
	return nil
}

// instead replaces all messages. Rows that are unchanged at the beginning and
// at the end are left alone: a window that drops its oldest messages rewrites
// none, and each keeps its time.
func (r *Repository) instead(ctx context.Context, tx *sql.Tx, c *conversation, messages [][]byte) error {
	old, err := read(ctx, tx, c.number)
	if err != nil {
		return err
	}
	head := 0
	for head < len(old) && head < len(messages) && bytes.Equal(old[head].message, messages[head]) {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(messages)-head &&
		bytes.Equal(old[len(old)-1-tail].message, messages[len(messages)-1-tail]) {
		tail++
	}
	gone, added := old[head:len(old)-tail], messages[head:len(messages)-tail]
	if len(gone) > 0 {
		if _, err := tx.ExecContext(ctx, `DELETE FROM memory_messages WHERE conversation = $1 AND position BETWEEN $2 AND $3`,
			c.number, gone[0].position, gone[len(gone)-1].position); err != nil {
			return err
		}
	}
	if tail == 0 {
		return r.behind(ctx, tx, c, added)
	}
	first := int64(0)
	if head > 0 {
		first = old[head-1].position + 1
	}
	if err := c.makeRoom(ctx, tx, first+int64(len(added)), old[len(old)-tail].position); err != nil {
		return err
	}
	return r.put(ctx, tx, c, first, added)
}

// makeRoom moves the messages from a position on so far back that none is before
// free, and past all positions that were in use, so that none collide.
func (c *conversation) makeRoom(ctx context.Context, tx *sql.Tx, free, from int64) error {
	if free <= from {
		return nil
	}
	by := max(c.next-from, free-from)
	if _, err := tx.ExecContext(ctx, `UPDATE memory_messages SET position = position + $1
		WHERE conversation = $2 AND position >= $3`, by, c.number, from); err != nil {
		return err
	}
	c.next += by
	return nil
}

// put inserts messages at consecutive positions.
func (r *Repository) put(ctx context.Context, tx *sql.Tx, c *conversation, position int64, messages [][]byte) error {
	for len(messages) > 0 {
		n, size := 1, len(messages[0])
		for n < len(messages) && n < mostMessages && size+len(messages[n]) <= mostBytes {
			size += len(messages[n])
			n++
		}
		if err := r.insert(ctx, tx, c.number, position, c.now, messages[:n]); err != nil {
			return err
		}
		position, messages = position+int64(n), messages[n:]
	}
	return nil
}

type row struct {
	position int64
	message  []byte
}

func read(ctx context.Context, tx *sql.Tx, number int64) (rows []row, err error) {
	found, err := tx.QueryContext(ctx, `SELECT position, message FROM memory_messages WHERE conversation = $1 ORDER BY position`, number)
	if err != nil {
		return nil, err
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var r row
		if err := found.Scan(&r.position, &r.message); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, found.Err()
}
