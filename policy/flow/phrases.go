package flow

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// sense is what a phrase does.
type sense uint8

const (
	// speaks: it addresses the model.
	speaks sense = iota
	// revokes: it takes back what the model was told.
	revokes
	// hides: it wants something kept from the user.
	hides
)

// opening is a phrase by the words that it begins with.
type opening struct {
	sense sense
	// second are the words that may come second, nil for any.
	second  map[string]bool
	pattern *regexp.Regexp
}

// models are what models are called.
const models = `(?:ai|llm|language model|ais|llms|assistants?|agents?|claude|chatgpt|gpt|codex|gemini|copilot|cursor|coding agents?)\b`

// openings are the phrases by their first words.
var openings = make(openingsTable).
	add(revokes, "ignore disregard forget override discard", "",
		`\w+ (?:[\w']+ ){0,4}?(?:previous|prior|above|earlier|preceding|existing|original|system|all|any|your|other)(?: [\w']+){0,3}? (?:instructions?|prompts?|rules|guidelines|directives|context|restrictions|safeguards)\b`).
	add(revokes, "new updated revised real actual additional", "system instruction instructions", `\w+ (?:system )?instructions?(?: for (?:you|the (?:ai|assistant|model|agent)))? ?:`).
	add(speaks, "you", "are", `you are (?:now|no longer) (?:an? |the |in |my |bound |a )`).
	add(speaks, "if since because when", "you you're", `\w+ you(?: are|'re) (?:an? |the )?(?:ai|llm|language model|assistant|agent|claude|gpt|chatgpt|codex|gemini|copilot|cursor|coding agent|automated)\b`).
	add(speaks, "as", "a an", `as an? (?:ai|llm|language model|assistant|coding agent|ai (?:agent|assistant))\b[^.\n]{0,40}\b(?:you )?(?:must|should|need to|have to)\b`).
	add(speaks, "note message notice reminder hint", "to for", `\w+[,:!]? (?:to|for) (?:any |all |the )?`+models).
	add(speaks, "instruction instructions", "to for", `\w+ (?:to|for) (?:any |all |the )?`+models+` ?:`).
	add(speaks, "attention hello hi hey dear", "all any the ai llm ais llms assistant assistants agent agents claude chatgpt gpt codex gemini copilot cursor coding",
		`\w+[,:!]? (?:any |all |the )?`+models).
	add(speaks, "ai llm coding", "agent agents assistant assistants model models",
		`\w+ \w+ (?:reading|processing|viewing|parsing|analy[sz]ing|summari[sz]ing|that reads?|must|should|are required|need to)\b`).
	add(speaks, "to before in", "continue proceed complete finish order",
		`(?:to|before|in order to) (?:continue|proceed|complete this task|complete the task|finish)[^.\n]{0,40}\b(?:the )?(?:assistant|agent|ai|model|you) (?:must|should|need to|has to|have to)\b`).
	add(hides, "do don't never must should", "",
		`(?:do not|don't|never|must not|should not) (?:\w+ ){0,2}?(?:tell|mention|inform|notify|alert|reveal|show|disclose|report|say|ask|warn|let)(?: \w+){0,6}? (?:the )?(?:user|users|human|humans|operator|anyone|developer)\b`).
	add(hides, "without", "telling informing notifying asking alerting mentioning letting warning", `without \w+(?: \w+){0,4}? (?:the )?(?:user|human|operator|anyone|developer)\b`).
	add(hides, "keep", "this it that", `keep \w+ (?:\w+ ){0,3}?(?:secret|hidden|confidential|from the user)\b`).
	add(hides, "the", "user human", `the \w+ (?:must|should|does|need|needs) (?:not|never) (?:to )?(?:know|see|be told|be informed|be notified|notice)\b`).
	add(hides, "silently secretly covertly discreetly", "run execute send upload post copy forward include add append install delete fetch read", `\w+ \w+ `)

type openingsTable map[string][]opening

// add adds a phrase. Its pattern is for text in lower case with single blanks.
func (t openingsTable) add(what sense, first, second, pattern string) openingsTable {
	o := opening{sense: what, pattern: regexp.MustCompile(`^(?:` + pattern + `)`)}
	if second != "" {
		o.second = set(second)
	}
	for word := range strings.FieldsSeq(first) {
		t[word] = append(t[word], o)
	}
	return t
}

// begins are the letters with which phrases begin, each with a bit for those that
// may come second.
var begins = func() (table [256]uint32) {
	for word := range openings {
		table[word[0]] |= 1 << (word[1] & 31)
	}
	return table
}()

// mayBegin reports whether a phrase may begin at the beginning of a text.
func mayBegin(text string) bool {
	return len(text) > 1 && begins[text[0]|0x20]&(1<<(text[1]&31)) != 0
}

// acts are things to be done, with what they are done to.
var acts = regexp.MustCompile(`\b(?:run|execute|send|upload|post|e-?mail|forward|curl|wget|download|install|delete|remove|read|open|fetch|call|invoke|use|exfiltrate|copy|print|output|include|append|write|create|push|leak|transfer|encode|visit|navigate)\b` +
	`[^\n.]{0,80}?(?:\bcommands?\b|\bscripts?\b|\bcurl\b|https?://|\.env\b|\.ssh\b|\bid_rsa\b|\bkeys?\b|\btokens?\b|\bcredentials?\b|\bpasswords?\b|\bsecrets?\b|\bfiles?\b|\bcontents?\b|\btools?\b|\brepositor(?:y|ies)\b|\benvironment variables?\b|\bmessages?\b|\bconversation\b|\bpayload\b|[\w.+-]+@[\w-]+\.\w)`)

// untold is a phrase that keeps the user from hearing of something, and leaks is
// what they would want to hear of.
var (
	untold = regexp.MustCompile(`^(?:do not|don't|never|must not|without) (?:\w+ )?(?:tell|mention|inform|notify|alert|warn|telling|informing|notifying|alerting|mentioning|warning)(?: \w+){0,4}? (?:the )?(?:user|human|operator)\b`)
	leaks  = regexp.MustCompile(`\b(?:run|execute|send|upload|post|e-?mail|forward|curl|wget|download|read|fetch|exfiltrate|copy|append|transfer)\b` +
		`[^\n.]{0,80}?(?:\bcurl\b|https?://|\.env\b|\.ssh\b|\bid_rsa\b|\bapi keys?\b|\btokens?\b|\bcredentials?\b|\bpasswords?\b|\bsecrets?\b|[\w.+-]+@[\w-]+\.\w)`)
)

// phrase looks for a phrase at the beginning of a word.
func (s *suspicion) phrase(i int) {
	first := firstWord(s.text[i:])
	all, ok := openings[string(first.bytes[:first.len])]
	if !ok {
		return
	}
	rest := strings.TrimLeft(s.text[i+first.len:min(len(s.text), i+phraseBytes)], " \t\r\n*_,:!")
	second := firstWord(rest)
	for k := range all {
		o := &all[k]
		if o.second != nil && !o.second[string(second.bytes[:second.len])] {
			continue
		}
		if s.looked++; s.looked > mostLooked {
			s.because(TooMuch)
			return
		}
		if o.pattern.MatchString(single(s.text[i:min(len(s.text), i+phraseBytes)])) && !s.isQuoted(i) {
			s.note(o.sense, i)
			return
		}
	}
}

// phraseBytes is how long a phrase may be.
const phraseBytes = 160

// word is a short word in lower case.
type word struct {
	bytes [14]byte
	len   int
}

// firstWord is the first word of a text, nothing if it is too long to be one that
// matters.
func firstWord(text string) (w word) {
	for i := range len(text) {
		c := text[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if (c < 'a' || c > 'z') && c != '\'' {
			break
		}
		if w.len == len(w.bytes) {
			return word{}
		}
		w.bytes[w.len] = c
		w.len++
	}
	return w
}

// single is a text in lower case with single blanks, without marks of emphasis.
func single(text string) string {
	b := make([]byte, 0, len(text))
	for i := range len(text) {
		switch c := text[i]; {
		case c <= ' ':
			if len(b) > 0 && b[len(b)-1] != ' ' {
				b = append(b, ' ')
			}
		case c == '*', c == '_':
		case 'A' <= c && c <= 'Z':
			b = append(b, c+'a'-'A')
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// isQuoted reports whether a quotation begins before a place on the same line
// and is still open there: programs and documents quote such phrases.
func (s *suspicion) isQuoted(i int) bool {
	start := max(0, i-120)
	if line := strings.LastIndexByte(s.text[start:i], '\n'); line >= 0 {
		start += line + 1
	}
	before := s.text[start:i]
	if strings.LastIndex(before, "“") > strings.LastIndex(before, "”") || strings.LastIndexByte(before, 0xab) > strings.LastIndexByte(before, 0xbb) && strings.Contains(before, "«") {
		return true
	}
	if strings.Count(before, `"`)%2 == 1 || strings.Count(before, "`")%2 == 1 {
		return true
	}
	return strings.HasSuffix(before, "'") || strings.HasSuffix(before, "['") || strings.HasSuffix(before, `\"`)
}

func decode(s string) (rune, int) { return utf8.DecodeRuneInString(s) }
