package effect

import "strings"

// Purpose is what something is for, judging by its name.
type Purpose uint8

const (
	// ForTests: it can be recreated at any time: app_test, tmp_orders.
	ForTests Purpose = 1 << iota
	// ForWork: it is the user's own, if it is on their machine: app_dev.
	ForWork
	// ForUse: others use it, whatever else its name says: prod_test.
	ForUse
)

// purposes are the words by which names say it.
var purposes = map[string]Purpose{
	"test": ForTests, "tests": ForTests, "testing": ForTests, "testdb": ForTests, "unittest": ForTests, "tmp": ForTests, "temp": ForTests, "scratch": ForTests, "e2e": ForTests, "ci": ForTests,
	"sandbox": ForTests, "fixture": ForTests, "fixtures": ForTests, "demo": ForTests, "example": ForTests, "examples": ForTests,
	"dev": ForWork, "development": ForWork, "local": ForWork,
	"prod": ForUse, "production": ForUse, "prd": ForUse, "preprod": ForUse, "live": ForUse, "staging": ForUse, "main": ForUse, "master": ForUse,
}

// longestPurpose is the length of the longest of those words.
const longestPurpose = 12

// PurposeOf says what something is for, judging by its name. Whole words count:
// app_test and AppTest are for tests, latest and contest are not. The end of a
// word in a pattern says nothing: *test.
func PurposeOf(name string) Purpose {
	var all Purpose
	for i := 0; i < len(name); {
		if !isWordByte(name[i]) {
			i++
			continue
		}
		start := i
		for i++; i < len(name) && isWordByte(name[i]) && (!isUpper(name[i]) || !isLower(name[i-1])); i++ {
			continue
		}
		p := purposeOfWord(name[start:i])
		if start > 0 && (name[start-1] == '*' || name[start-1] == '?' || name[start-1] == '%') {
			p &= ForUse
		}
		all |= p
	}
	return all
}

// longestLive is how long a word may be that IsLive looks at.
const longestLive = 1024

// IsLive reports whether a word of a command line names what others use. A text
// with blanks is no name.
func IsLive(word string) bool {
	return len(word) < longestLive && !strings.ContainsAny(word, " \t\n") && PurposeOf(word)&ForUse != 0
}

// IsProduction reports whether a name says that something is in production, as a
// word or as a part of one: prod-eu, shopprod. A product is something else.
func IsProduction(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(strings.ReplaceAll(name, "product", ""), "prod") || strings.Contains(name, "production")
}

// purposeOfWord is that of one word, which may have a number: test2.
func purposeOfWord(word string) Purpose {
	for len(word) > 1 && !isLower(word[len(word)-1]|0x20) {
		word = word[:len(word)-1]
	}
	if len(word) > longestPurpose {
		return 0
	}
	var room [longestPurpose]byte
	for i := range len(word) {
		room[i] = word[i]
		if isUpper(word[i]) {
			room[i] |= 0x20
		}
	}
	return purposes[string(room[:len(word)])]
}

func isWordByte(c byte) bool { return '0' <= c && c <= '9' || isLower(c|0x20) || c >= 0x80 }
func isLower(c byte) bool    { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool    { return 'A' <= c && c <= 'Z' }
