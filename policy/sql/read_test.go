package sql

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
)

// reading is a text and what it does in the standard dialect.
type reading struct{ text, does string }

func readEach(t *testing.T, list []reading) {
	t.Helper()
	for _, c := range list {
		if got := phrases(Read(c.text, Standard)); got != c.does {
			t.Errorf("%s\n  does %s\n  want %s", c.text, got, c.does)
		}
	}
}

// phrases writes a reading for tables: "drop rows of x wide; shell ls".
func phrases(r *Reading) string {
	var list []string
	for _, e := range r.Effects {
		s := string(e.Verb) + " " + e.Object
		if e.Wide {
			s += " wide"
		}
		list = append(list, s)
	}
	for _, code := range r.Code {
		s := code.Language + " " + code.Text
		if code.Fed {
			s += " fed"
		}
		list = append(list, s)
	}
	for _, file := range r.Files {
		list = append(list, "file "+file)
	}
	return strings.Join(list, "; ")
}

// said is what a text does in any dialect.
func said(text string) string {
	var list []string
	for _, in := range Dialects() {
		if s := phrases(Read(text, in)); s != "" && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return strings.Join(list, "; ")
}

func TestConditionsThatHoldForEveryRow(t *testing.T) {
	t.Parallel()

	for condition, want := range map[string]bool{
		"true": true, "1": true, "1=1": true, "((1=1))": true, "'a'='a'": true, "not false": true, "id=id": true, "id is not null": true, "id > 0": true,
		"id >= 1": true, "name like '%'": true, "1 <> 2": true, "1 < 2": true, "x=1 or true": true, "true and 1=1": true, "(x = 1) or (1 = 1)": true, "(x=1 or 1=1)": true,
		"0": false, "false": false, "id=1": false, "name like 'a%'": false, "x is not null": false, "x > 0": false, "x=1 and 1=1": false, "(x = 1) and (y = 2)": false, "id in (1, 2)": false, "": false,
	} {
		got := strings.Contains(said("DELETE FROM t WHERE "+condition), "rows of t")
		if got != want {
			t.Errorf("WHERE %s: every row is %v, want %v", condition, got, want)
		}
	}
}

func TestTextsBeyondTheBoundsAreNotHarmless(t *testing.T) {
	t.Parallel()

	for name, text := range map[string]string{
		"tokens":      strings.Repeat("x ", maxTokens) + "y; DROP TABLE z",
		"statements":  strings.Repeat("(DELETE FROM x WHERE a = 1 ", maxInner+1),
		"parentheses": "DELETE FROM t WHERE " + strings.Repeat("(", maxParens+1) + "1=1" + strings.Repeat(")", maxParens+1),
	} {
		if got := said(text); !strings.Contains(got, "drop ") {
			t.Errorf("too many %s: does %q", name, got)
		}
	}
	if got := said("DELETE FROM t WHERE " + strings.Repeat("(", maxParens) + "1=1" + strings.Repeat(")", maxParens)); !strings.Contains(got, "rows of t") {
		t.Errorf("as many parentheses as are taken off: %q", got)
	}
	if got := said(strings.Repeat("x ", maxTokens-1)); got != "" {
		t.Errorf("as many tokens as are read: %q", got)
	}
}

// Comments and blanks between the words of a statement change nothing.
func TestCommentsHideNothing(t *testing.T) {
	t.Parallel()

	for _, between := range []string{" ", "\n", "\t", "/**/", " /* x */ ", "-- x\n", "/*'*/", " /*;*/\n"} {
		for _, words := range [][]string{{"DROP", "TABLE", "users"}, {"TRUNCATE", "users"}, {"DELETE", "FROM", "users"}, {"drop", "database", "x"}} {
			if got := said(strings.Join(words, between)); !strings.HasPrefix(got, "drop ") {
				t.Errorf("%q between %q: %q", between, words, got)
			}
		}
	}
}

func TestDialects(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		text            string
		standard, mysql string
	}{
		{`SELECT '\'; DROP TABLE x; --'`, "drop table x", ""},
		{`SELECT 'it\'s'; DROP TABLE x`, "", "drop table x"},
		{"SELECT 1 # 2; DROP TABLE x", "drop table x", ""},
		{"SELECT 1--1; DROP TABLE x", "", "drop table x"},
		{"/*!50000 DROP TABLE x */", "drop table x", "drop table x"},
		{"system ls", "", "shell ls"},
	} {
		if got := phrases(Read(c.text, Standard)); got != c.standard {
			t.Errorf("%s\n  does %q in the standard dialect, want %q", c.text, got, c.standard)
		}
		if got := phrases(Read(c.text, MySQL)); got != c.mysql {
			t.Errorf("%s\n  does %q in MySQL's dialect, want %q", c.text, got, c.mysql)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"DROP TABLE x", `\! ls`, ".shell ls", "DELETE FROM x WHERE ((1=1", "COPY t TO PROGRAM 'x", "$$", "$a$ x", "[", "'\\", "/*!", "\\copy t from", "ALTER TABLE", "UPDATE OR", "DELETE TOP (", "#", ".open", "USE", "ATTACH 'x' AS y", "db.x.drop()", `db["x`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, in := range Dialects() {
			var s Store
			Read(text, in).Each(&s, func(e effect.Effect) {
				if e.Verb == "" {
					t.Fatalf("%q has the effect %+v", text, e)
				}
				s.IsScratch(e.Object)
			})
		}
		IsRolledBack(text)
		MigrationLost(text)
		MongoScript(text)
		Redis(strings.Fields(text), true)
		new(Store).SwitchMongo(text)
	})
}
