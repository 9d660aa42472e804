package sql

import "strings"

// downgrades begin the part of a migration that takes it back, in lower case.
var downgrades = []string{"def downgrade", "def down", "-- +goose down", "-- migrate:down", "exports.down", "async down(", "function down(", "public function down"}

// everything are the statements that delete a whole database, in lower case.
var everything = []string{"drop schema public", "drop schema if exists public", `drop schema "public"`, `drop schema if exists "public"`, "drop database ", "drop owned by"}

// MigrationLost says what a migration drops, in whatever language it is written,
// if that is a whole database. What else it drops is what migrations are for. It is
// "" if nothing is lost.
func MigrationLost(content string) string {
	lower := strings.ToLower(content)
	for _, start := range downgrades {
		if at := strings.Index(lower, start); at >= 0 {
			lower = lower[:at]
		}
	}
	lower = withoutComments(lower)
	for _, statement := range everything {
		if strings.Contains(lower, statement) {
			return strings.TrimSpace(strings.TrimPrefix(statement, "drop "))
		}
	}
	return ""
}

// withoutComments puts a text on one line, with one blank between words and without
// the lines that are comments.
func withoutComments(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "--") || strings.HasPrefix(line, "#") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			b.WriteString(word + " ")
		}
	}
	return b.String()
}
