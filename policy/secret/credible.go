package secret

import (
	"bytes"
	"encoding/base64"
	"math"
	"strings"
)

// samples are secrets that appear in public documentation or ship with
// software, for everybody to use. They are split in two, so that secret
// scanners find none in this file.
var samples = []string{
	// Stripe's documentation.
	"4eC39HqLyjWDarjt" + "T1zdp7dc", "BQokikJOvBiI2HlW" + "gH4olfQ2", "26PHem9AhJZvU623" + "DfE1x4sd",
	// John Doe, who signs every JWT tutorial, and some payload.
	"eyJzdWIiOiIxMjM0NTY3ODkwIi" + "wibmFtZSI6IkpvaG4gRG9l", "eyJzb21lIjoi" + "cGF5bG9hZCJ9",
	// The emulators of Azure's storage and of Cosmos DB.
	"Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1" + "OUzFT50uSRZ6IFsuFq2UVErCz4I6tq",
	"C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEH" + "LM+4QDU5DE2nQ9nDuVTqobD4b8mGGy",
	// The documentation of AWS and of Slack.
	"wJalrXUtnFEMI/" + "K7MDENG", "T00000000/B0000" + "0000",
	// The specifications of standard webhooks, OAuth, and HTTP's Basic scheme.
	"MfKQ9r8GKYqrTwjU" + "PD8ILPZIo2LaLaSw",
	"2YotnFZFEjr1zC" + "sicMWpAA", "tGzv3JOkF0XG5Q" + "x2TlKWIA", "czZCaGRSa3F0Mz" + "pnWDFmQmF0M2JW",
	"YWxhZGRpbjpv" + "cGVu", "QWxhZGRpbjpv" + "cGVu",
}

// pretences are dummy values that people write in place of a secret, in lower
// case and without word separators.
var pretences = []string{
	"example", "placeholder", "xxxx", "yourkey", "yourtoken", "yoursecret", "yourapi", "yourpass", "yourown",
	"dummy", "redacted", "notreal", "notasecret", "changeme", "insert", "replaceme", "goeshere", "keyhere",
	"tokenhere", "secrethere", "fakekey", "faketoken", "fakesecret", "sample", "foobar", "lorem", "deadbeef",
}

// weakPretences are further dummy values, for values without a format of their own.
var weakPretences = []string{
	"your", "test", "fake", "mock", "demo", "todo", "none", "null", "undefined", "default", "password", "passwd", "secret",
	"token", "apikey", "passw0rd", "p4ssw0rd", "p@ssw0rd", "p@ssword", "pa55word", "pa$$word", "qwerty", "letmein", "hunter2",
	"welcome", "admin", "user", "login", "foo", "bar", "abc", "asdf", "hello", "temp", "string", "value", "config",
	"process.env", "environ", "getenv", "secure", "valid", "wrong", "invalid", "incorrect", "correct", "localhost",
	"postgres", "mysql", "minio", "guest", "docker", "version", "enabled", "field", "input", "label", "header",
}

// isPretence reports that a found text is a sample or a dummy value: it names
// itself, or it is a run or a sequence.
func isPretence(found string) bool {
	for _, s := range samples {
		if strings.Contains(found, s) {
			return true
		}
	}
	if longestRun(found, 0) >= 7 || longestRun(found, 1) >= 8 || longestRun(found, -1) >= 8 || repeats(found) {
		return true
	}
	return containsAny(plain(found), pretences)
}

// plain is a text in lower case without word separators.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r == '_' || r == '-' || r == ' ':
			return -1
		default:
			return r
		}
	}, s)
}

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// longestRun is the length of the longest part in which each character follows
// the one before it by step: 0 for aaaa, 1 for abcd and 1234.
func longestRun(s string, step int) int {
	longest, run := 1, 1
	for i := 1; i < len(s); i++ {
		if int(s[i])-int(s[i-1]) == step {
			run++
			longest = max(longest, run)
		} else {
			run = 1
		}
	}
	return longest
}

// repeats reports that a text is one short part repeated, ignoring what
// precedes the last dash or underscore of its beginning.
func repeats(s string) bool {
	const most = 16
	for at := range min(len(s)/2, most) {
		if at > 0 && s[at-1] != '-' && s[at-1] != '_' {
			continue
		}
		for n := 1; n <= min(most, (len(s)-at)/2); n++ {
			if s[at+n:] == s[at:len(s)-n] {
				return true
			}
		}
	}
	return false
}

// entropy is the Shannon entropy of a text in bits per byte.
func entropy(s string) float64 {
	counts := make([]int, 256)
	for i := range len(s) {
		counts[s[i]]++
	}
	bits, n := 0.0, float64(len(s))
	for _, c := range counts {
		if c > 0 {
			bits -= float64(c) / n * math.Log2(float64(c)/n)
		}
	}
	return bits
}

// kindsOf counts the characters of a text by kind.
type kindsOf struct{ lower, upper, digit, joint, symbol, other int }

func count(s string) (k kindsOf) {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			k.lower++
		case c >= 'A' && c <= 'Z':
			k.upper++
		case c >= '0' && c <= '9':
			k.digit++
		case strings.IndexByte("_-./:=", c) >= 0:
			k.joint++
		case c > ' ' && c < 0x7f:
			k.symbol++
		default:
			k.other++
		}
	}
	return k
}

// randomEnough reports that a text may be random: its characters are spread,
// and it does not consist of words.
func randomEnough(s string) bool { return spread(s) && !wordy(s, 4) }

// spread reports that a text has as many different characters as a random one of
// its length.
func spread(s string) bool {
	least := 2.9
	switch n := len(s); {
	case n < 12:
		least = 2.5
	case n < 24:
		least = 2.75
	}
	return entropy(s) >= least
}

// common are the letter pairs that make up most of English text and hardly a
// quarter of random text.
var common = func() (set [26 * 26]bool) {
	const pairs = "th he in er an re nd on en at ou ed ha to or it is hi es ng ar se st te al nt le ve ro ti as co me de ic ra io ne ea ri " +
		"li ce ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee " +
		"wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op " +
		"wo sa ay ex ke ui fr oo ag ba ap ga od ck ey rd ef up by da do up ue rv ub"
	for p := range strings.FieldsSeq(pairs) {
		set[int(p[0]-'a')*26+int(p[1]-'a')] = true
	}
	return set
}()

// wordy reports that the letters of a text follow each other as in words, if
// there are enough pairs to judge. Pairs of hexadecimal digits say nothing.
func wordy(s string, least int) bool {
	pairs, hits := 0, 0
	last := -1
	for i := range len(s) {
		c := int(s[i]|0x20) - 'a'
		if c < 0 || c >= 26 || s[i] < 'A' {
			last = -1
			continue
		}
		if last >= 0 && (last > 5 || c > 5) {
			pairs++
			if common[last*26+c] {
				hits++
			}
		}
		last = c
	}
	return pairs >= least && hits*20 > pairs*11
}

// isUUID reports the shape of a UUID.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (s[i] == '-') || !dash && !isHex(s[i]) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// isBasic reports that a text is a name and a password as HTTP's Basic scheme
// writes them.
func isBasic(s string) bool {
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		raw, err = base64.RawStdEncoding.DecodeString(s)
	}
	if err != nil {
		return false
	}
	for _, c := range raw {
		if c < ' ' || c > '~' {
			return false
		}
	}
	name, password, found := bytes.Cut(raw, []byte(":"))
	return found && len(name) > 0 && len(password) >= 4 && !isPretence(string(password)) &&
		!containsAny(strings.ToLower(string(password)), weakPretences)
}
