package memorytest

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
)

func unknownIsEmpty(t *testing.T, repo memory.Repository) {
	holds(t, repo, "nobody", 0)
	mustDelete(t, repo, "nobody")
	holds(t, repo, "nobody", 0)
	lists(t, repo)
}

func appendKeepsOrder(t *testing.T, repo memory.Repository) {
	v := mustAppend(t, repo, "a", 0, user("1"))
	holds(t, repo, "a", v, user("1"))
	v = mustAppend(t, repo, "a", v, assistant("2"), user("3"), assistant("4"))
	v = mustAppend(t, repo, "a", v, user("5"))
	holds(t, repo, "a", v, user("1"), assistant("2"), user("3"), assistant("4"), user("5"))
}

func replaceLeavesNothing(t *testing.T, repo memory.Repository) {
	v := mustReplace(t, repo, "a", 0, user("first"))
	holds(t, repo, "a", v, user("first"))
	v = mustAppend(t, repo, "a", v, numbered(1, 5)...)
	v = mustReplace(t, repo, "a", v, user("x"), assistant("y"))
	holds(t, repo, "a", v, user("x"), assistant("y"))
	v = mustAppend(t, repo, "a", v, user("z"))
	v = mustReplace(t, repo, "a", v, numbered(1, 9)...)
	v = mustAppend(t, repo, "a", v, numbered(10, 3)...)
	holds(t, repo, "a", v, numbered(1, 12)...)
}

func emptyReplace(t *testing.T, repo memory.Repository) {
	v := mustAppend(t, repo, "a", 0, numbered(1, 3)...)
	emptied := mustReplace(t, repo, "a", v)
	if emptied == v || emptied == 0 {
		t.Errorf("version %d after emptying version %d", emptied, v)
	}
	holds(t, repo, "a", emptied)
	lists(t, repo, "a")
	_, err := repo.Append(t.Context(), "a", v, numbered(1, 1))
	conflicts(t, err, "a", v, emptied)
	_, err = repo.Append(t.Context(), "a", 0, numbered(1, 1))
	conflicts(t, err, "a", 0, emptied)
	v = mustAppend(t, repo, "a", emptied, user("again"))
	holds(t, repo, "a", v, user("again"))

	v = mustReplace(t, repo, "new", 0)
	if v == 0 {
		t.Error("a conversation that was made empty has version 0")
	}
	holds(t, repo, "new", v)
	lists(t, repo, "a", "new")
}

func appendOfNothing(t *testing.T, repo memory.Repository) {
	v := mustAppend(t, repo, "a", 0, user("1"))
	_, err := repo.Append(t.Context(), "a", v+1, nil)
	conflicts(t, err, "a", v+1, v)
	v = mustAppend(t, repo, "a", v)
	holds(t, repo, "a", v, user("1"))
	v = mustAppend(t, repo, "a", v, user("2"))
	holds(t, repo, "a", v, user("1"), user("2"))
}

func deleteForgets(t *testing.T, repo memory.Repository) {
	mustAppend(t, repo, "a", 0, numbered(1, 20)...)
	b := mustAppend(t, repo, "b", 0, user("b"))
	mustDelete(t, repo, "a")
	mustDelete(t, repo, "a")
	holds(t, repo, "a", 0)
	holds(t, repo, "b", b, user("b"))
	lists(t, repo, "b")
	v := mustAppend(t, repo, "a", 0, user("anew"))
	holds(t, repo, "a", v, user("anew"))
	lists(t, repo, "a", "b")
}

func idsAreSorted(t *testing.T, repo memory.Repository) {
	want := []string{"b", "B", "a", "ab", "a b", "a-b", "ä", "z", "10", "9", "Z", "é", "e", "_", "~", "日本"}
	for _, id := range want {
		mustAppend(t, repo, id, 0, user(id))
	}
	slices.Sort(want)
	lists(t, repo, want...)
	mustDelete(t, repo, "a b")
	lists(t, repo, slices.DeleteFunc(want, func(id string) bool { return id == "a b" })...)
}

func emptyIDIsRefused(t *testing.T, repo memory.Repository) {
	_, loaded := repo.Load(t.Context(), "")
	_, appended := repo.Append(t.Context(), "", 0, numbered(1, 1))
	_, replaced := repo.Replace(t.Context(), "", 0, numbered(1, 1))
	deleted := repo.Delete(t.Context(), "")
	for what, err := range map[string]error{"load": loaded, "append": appended, "replace": replaced, "delete": deleted} {
		if !errors.Is(err, memory.ErrNoConversation) {
			t.Errorf("%s without an id: %v, want memory.ErrNoConversation", what, err)
		}
	}
	lists(t, repo)
}

// hostile are ids with a meaning to a database, a file system, a shell or an
// overly lenient comparison. All of them are different.
func hostile() []string {
	long := noise(10 << 10)
	return []string{
		"'", `"`, "`", "';--", `' OR '1'='1`, `"; DROP TABLE conversations; --`, `\`, `\'`, `\\`, "$1", "?", ":id", "@id", "{}", "%s",
		"%", "%%", "_", "__", "a%", "a_", "a", "ab", "*", "a*", "[a]", "^a$", ".", "..", "../", "../../etc/passwd", "/", "//", "C:\\", "~", "-", "--",
		"\x00", "a\x00", "a\x00b", "\x00a", "\n", "a\n", "\r\n", "\t", " ", "  ", "a ", " a", "A", "aA", "Aa", "\u00a0", "\u200b", "\u202e", "\ufeff",
		"👩‍👩‍👧‍👦", "👩", "é", "e\u0301", "E\u0301", "ß", "ss", "SS", "ı", "i", "I", "İ", "\u00c5", "\u212b", "ﬁ", "fi", "\U0010ffff",
		"\xff", "\xff\xfe", "\xc3", "a\x80", "\xed\xa0\x80", "\ufffd", "\ufffd\ufffd",
		"0", "00", "0.0", "1", "01", "1e0", "null", "NULL", "nil", "true", "NaN", "-1", "0x1", "9223372036854775808",
		`\x61`, `\u0061`, "%61", "&amp;", "<script>", "${jndi:x}", "$(id)", "a;b", "a,b", "a:b", "a|b", "a#b", "a?b",
		strings.Repeat("a", 10<<10), strings.Repeat("a", 10<<10-1) + "b", long, long[1:], long[:len(long)-1] + "\x01",
	}
}

// noise returns n bytes of text that compress badly, the same every time.
func noise(n int) string {
	const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
	b := make([]byte, n)
	x := uint64(88172645463325252)
	for i := range b {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b[i] = letters[x%64]
	}
	return string(b)
}

func hostileIDs(t *testing.T, repo memory.Repository) {
	ids := hostile()
	versions := make([]int64, len(ids))
	for i, id := range ids {
		versions[i] = mustAppend(t, repo, id, 0, user(strconv.Itoa(i)))
	}
	for i, id := range ids {
		versions[i] = mustAppend(t, repo, id, versions[i], assistant(strconv.Itoa(i)))
	}
	for i, id := range ids {
		holds(t, repo, id, versions[i], user(strconv.Itoa(i)), assistant(strconv.Itoa(i)))
		_, err := repo.Append(t.Context(), id, -1, []llm.Message{user("late")})
		conflicts(t, err, id, -1, versions[i])
	}
	sorted := slices.Sorted(slices.Values(ids))
	lists(t, repo, sorted...)

	// Every second one goes; the others do not notice.
	var left []string
	for i, id := range ids {
		if i%2 == 0 {
			mustDelete(t, repo, id)
		} else {
			left = append(left, id)
		}
	}
	for i, id := range ids {
		if i%2 == 0 {
			holds(t, repo, id, 0)
		} else {
			holds(t, repo, id, versions[i], user(strconv.Itoa(i)), assistant(strconv.Itoa(i)))
		}
	}
	slices.Sort(left)
	lists(t, repo, left...)
}
