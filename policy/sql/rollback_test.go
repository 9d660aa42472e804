package sql

import "testing"

func TestWhatIsRolledBack(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"BEGIN; DELETE FROM users; ROLLBACK;":                true,
		"begin;\ndelete from users;\nrollback":               true,
		"START TRANSACTION; UPDATE a SET b = 1::int; ABORT":  true,
		"BEGIN; EXPLAIN ANALYZE DELETE FROM users; ROLLBACK": true,
		"BEGIN; ROLLBACK":                                          false,
		"BEGIN; DELETE FROM users":                                 false,
		"BEGIN; DELETE FROM users; COMMIT; ROLLBACK":               false,
		"BEGIN; DELETE FROM users; END; ROLLBACK":                  false,
		"BEGIN; DELETE FROM users; ROLLBACK; DELETE FROM users":    false,
		"BEGIN; DELETE FROM users; -- ROLLBACK":                    false,
		"BEGIN; DELETE FROM users; ROLLBACK AND CHAIN":             false,
		"BEGIN; DELETE FROM users; ROLLBACK TO a":                  false,
		"BEGIN; TRUNCATE users; ROLLBACK":                          false,
		"BEGIN; DO $$ BEGIN DELETE FROM users; END $$; ROLLBACK":   false,
		"BEGIN; SELECT dblink_exec('x', 'DROP TABLE a'); ROLLBACK": false,
		"BEGIN; DELETE FROM users; :end; ROLLBACK":                 false,
	} {
		if got := IsRolledBack(text); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
