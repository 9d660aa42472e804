package sql

import "strings"

// maxRolledBack is how long a text may be that IsRolledBack looks at.
const maxRolledBack = 16 << 10

// IsRolledBack reports whether a text for PostgreSQL is one transaction that is
// rolled back at its end, as people write to try a statement or see its plan:
// nothing in it is lost. It holds only for statements that read or change rows, and
// only where nothing can end the transaction earlier.
func IsRolledBack(text string) bool {
	if len(text) > maxRolledBack || strings.ContainsAny(text, "\\$`") || strings.Contains(text, "/*") || strings.Contains(strings.ReplaceAll(text, "::", ""), ":") {
		return false
	}
	lower := strings.ToLower(text)
	for _, word := range [...]string{"commit", "dblink", "pg_background", "cron.", "copy"} {
		if strings.Contains(lower, word) {
			return false
		}
	}
	statements, all := splitStatements(text, Standard)
	last := len(statements) - 1
	if !all || last < 2 || !isOnly(statements[0], "BEGIN", "START") || !isOnly(statements[last], "ROLLBACK", "ABORT") {
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

// isOnly reports whether a statement is one of two words, with nothing but
// TRANSACTION or WORK behind it.
func isOnly(statement []token, a, b string) bool {
	if statement[0].upper != a && statement[0].upper != b {
		return false
	}
	return len(statement) == 1 || len(statement) == 2 && (statement[1].upper == "TRANSACTION" || statement[1].upper == "WORK")
}
