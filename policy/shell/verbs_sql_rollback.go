package shell

import "strings"

// isRolledBack reports whether a text for PostgreSQL is one transaction that is
// taken back at its end, so that nothing in it is lost: as one tries a statement
// and its plan. Only what reads and changes rows is certain to be taken back, and
// only where nothing can end the transaction before.
func isRolledBack(text string) bool {
	if len(text) > mostRolledBack || strings.ContainsAny(text, "\\$`") || strings.Contains(text, "/*") || strings.Contains(strings.ReplaceAll(text, "::", ""), ":") {
		return false
	}
	lower := strings.ToLower(text)
	for _, word := range [...]string{"commit", "dblink", "pg_background", "cron.", "copy"} {
		if strings.Contains(lower, word) {
			return false
		}
	}
	statements, all := sqlStatements(text, standardSQL)
	last := len(statements) - 1
	if !all || last < 2 || !saysOnly(statements[0], "BEGIN", "START") || !saysOnly(statements[last], "ROLLBACK", "ABORT") {
		return false
	}
	for _, statement := range statements[1:last] {
		switch statement[0].upper {
		case "SELECT", "DELETE", "UPDATE", "INSERT", "EXPLAIN", "WITH":
		default:
			return false
		}
	}
	return true
}

// mostRolledBack is how long such a text is.
const mostRolledBack = 16 << 10

// saysOnly reports whether a statement is one of two words, and says no more than
// that it is about a transaction.
func saysOnly(statement []sqlToken, a, b string) bool {
	if statement[0].upper != a && statement[0].upper != b {
		return false
	}
	return len(statement) == 1 || len(statement) == 2 && (statement[1].upper == "TRANSACTION" || statement[1].upper == "WORK")
}
