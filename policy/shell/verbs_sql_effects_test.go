package shell

import (
	"strings"
	"testing"
)

func sqlSaid(text string) string {
	list := SQLEffects(text)
	words := make([]string, len(list))
	for i := range list {
		words[i] = phrase(&list[i])
	}
	return strings.Join(words, "; ")
}

func TestSQLForToolsIsReadInEveryDialect(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT 1":                                                            "",
		"DROP TABLE users":                                                    "drop table users remote",
		"DROP TABLE `users`":                                                  "drop table users remote",
		"DROP TABLE [users]":                                                  "drop table users remote",
		`SELECT '\'; DROP TABLE users; --'`:                                   "drop table users remote", // PostgreSQL runs it, MySQL does not
		`SELECT 'a\'; DROP TABLE x; -- '`:                                     "drop table x remote",
		"SELECT 1 # 2; DROP TABLE x":                                          "drop table x remote",
		"SELECT 1--1; DROP TABLE x":                                           "drop table x remote",
		"/*! DROP TABLE x */":                                                 "drop table x remote",
		"/* /* */ DROP TABLE x; */":                                           "drop table x remote",
		"COPY t TO PROGRAM 'rm -rf /var'":                                     "delete /var wide remote",
		"DROP\nTABLE\n-- why\nx":                                              "drop table x remote",
		"SELECT $$DROP TABLE x$$":                                             "",
		"SELECT $a$ $$; DROP TABLE x; $a$":                                    "",
		"EXECUTE IMMEDIATE 'DROP TABLE x'":                                    "drop table x remote",
		"CREATE TABLE #t (x int); DROP TABLE #t":                              "",
		"DROP TYPE mood CASCADE":                                              "drop columns of type mood wide remote",
		"DROP TYPE mood":                                                      "",
		"ALTER TABLE t DISABLE ROW LEVEL SECURITY":                            "disarm row level security of t remote",
		"DELETE FROM a WHERE id = 1; DELETE FROM b":                           "drop rows of b wide remote",
		"UPDATE a SET x = (SELECT 1 WHERE false)":                             "drop rows of a wide remote",
		"DELETE t1 FROM t1 JOIN t2 ON t1.id = t2.id WHERE t2.x = 1":           "",
		"MERGE INTO a USING b ON a.x = b.x WHEN MATCHED THEN UPDATE SET y=1":  "",
		"CREATE TRIGGER x BEFORE DELETE ON t FOR EACH ROW EXECUTE FUNCTION f": "",
	} {
		if got := sqlSaid(text); got != want {
			t.Errorf("%s\n  does %s\n  want %s", text, got, want)
		}
	}
}

func FuzzSQLEffects(f *testing.F) {
	for _, text := range []string{"DROP TABLE x", `\! ls`, ".shell ls", "DELETE FROM x WHERE ((1=1", "COPY t TO PROGRAM 'x", "$$", "$a$ x", "[", "'\\", "/*!", "\\copy t from", "ALTER TABLE", "UPDATE OR", "DELETE TOP (", "#"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range SQLEffects(text) {
			if e.Verb == "" || !e.Remote {
				t.Fatalf("%q has the effect %+v", text, e)
			}
		}
	})
}
