package flow

import (
	"regexp"
	"strings"
)

// Marks with which models are told who speaks and what is called. They have no
// place in what a tool returns, except where a text is about them.
var marks = []string{
	"<system>", "<|im_start|>", "<|system|>", "[inst]", "<<sys>>", "<function_calls>", "<tool_call>", "<tool_use>", "<invoke name=", "<|tool_call", "<|start_header_id|>", "[tool_calls]",
	"<system-reminder>", "<system_message>", "<|channel|>", "<assistant>", "[system]", "[system message]",
}

// maxComment is how much of a comment is looked at.
const maxComment = 4 << 10

// markup looks at a bracket.
func (s *suspicion) markup(i int) {
	rest := s.text[i:]
	if strings.HasPrefix(rest, "<!--") {
		s.comment(rest)
		return
	}
	if len(rest) < 2 || !strings.ContainsRune("|sSiIfFtTaA<", rune(rest[1])) {
		s.hiddenPart(rest)
		return
	}
	head := strings.ToLower(rest[:min(len(rest), 24)])
	for _, mark := range marks {
		if strings.HasPrefix(head, mark) {
			s.mark(i)
			return
		}
	}
	s.hiddenPart(rest)
}

// mark notes markup where it begins a line outside a quotation, and something is
// to be done or concealed after it.
func (s *suspicion) mark(i int) {
	if s.looked++; s.looked > mostLooked {
		s.because(TooMuch)
		return
	}
	before := strings.TrimRight(s.text[max(0, i-40):i], " \t")
	if before != "" && !strings.HasSuffix(before, "\n") && !strings.HasSuffix(before, ">") || s.inFence(i) {
		return
	}
	after := strings.ToLower(s.text[i:min(len(s.text), i+near)])
	if acts.MatchString(after) || strings.Contains(after, "<parameter") || strings.Contains(after, `"arguments"`) {
		s.because(FakeCall)
	}
}

// inFence reports whether a place is in a block of code of a document.
func (s *suspicion) inFence(i int) bool {
	return strings.Count(s.text[max(0, i-maxComment):i], "\n```")%2 == 1
}

// comment looks for an order in a comment of a page.
func (s *suspicion) comment(rest string) {
	if s.looked++; s.looked > mostLooked {
		s.because(TooMuch)
		return
	}
	rest = rest[4:min(len(rest), maxComment)]
	if end := strings.Index(rest, "-->"); end >= 0 {
		rest = rest[:end]
	}
	s.hidden(rest)
}

// hidden looks for an order in a text that is not shown.
func (s *suspicion) hidden(text string) {
	inner := suspicion{text: text, looked: s.looked}
	for i, word := 0, false; i < len(text); i++ {
		c := text[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if letter && !word && mayBegin(text[i:]) {
			inner.phrase(i)
		}
		word = letter || '0' <= c && c <= '9' || c == '_'
	}
	s.looked = inner.looked
	if inner.seen != [3]bool{} {
		s.because(HiddenOrder)
	}
}

// unshown is an element of a page that is not shown.
var unshown = regexp.MustCompile(`^<[a-z]+ [^>]{0,300}?(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?0(?:px|pt|em|rem)?[;"' ]|opacity ?: ?0[;"' ]|color ?: ?(?:white|#fff(?:fff)?|transparent)[;"' ]|aria-hidden="?true|\shidden[ =>])[^>]*>`)

// hiddenPart looks for an order in a part of a page that is not shown.
func (s *suspicion) hiddenPart(rest string) {
	if len(rest) < 10 || rest[0] != '<' || !strings.ContainsRune("dspfDSPFaAiI", rune(rest[1])) {
		return
	}
	head := rest[:min(len(rest), 400)]
	end := strings.IndexByte(head, '>')
	if end < 10 || !strings.Contains(head[:end], "=") && !strings.Contains(head[:end], "hidden") {
		return
	}
	if s.looked++; s.looked > mostLooked {
		return
	}
	if !unshown.MatchString(strings.ToLower(head[:end+1])) {
		return
	}
	text := rest[end+1 : min(len(rest), end+maxComment)]
	if stop := strings.Index(text, "</"); stop >= 0 {
		text = text[:stop]
	}
	s.hidden(text)
}

// concealing are terminal codes that make a text invisible: hidden, or in the
// colour of the background.
var concealing = regexp.MustCompile(`^\x1b\[(?:(?:\d{1,3};)*8|30;40|37;47|97;107|40;30|47;37|107;97)m`)

// terminal looks at a terminal code.
func (s *suspicion) terminal(i int) {
	rest := s.text[i:min(len(s.text), i+24)]
	at := concealing.FindString(rest)
	if at == "" || strings.Contains(rest, "38;") || strings.Contains(rest, "48;") {
		return
	}
	after := s.text[i+len(at) : min(len(s.text), i+len(at)+near)]
	if end := strings.IndexByte(after, 0x1b); end >= 0 {
		after = after[:end]
	}
	if len(strings.TrimSpace(after)) >= 8 {
		s.because(ConcealedText)
	}
}
