package model

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/sluice-project/sluice/stream"
)

// secrets are the credentials of a provider; it redacts them from what the provider
// returns. Providers hold them behind a pointer, which a dump of the provider does not
// follow.
type secrets struct {
	key string
	// headers are the caller's own, under their canonical names.
	headers http.Header
	// words are the strings to redact, the longest first.
	words []string
}

// credentialHeaders are the headers that carry a credential to some provider.
var credentialHeaders = []string{"Authorization", "Proxy-Authorization", "X-Api-Key", "X-Goog-Api-Key", "Api-Key", "Cookie"}

// shortestSecret is the minimum length of a string to redact: shorter ones occur in
// other words.
const shortestSecret = 4

func newSecrets(key string, headers http.Header, base *url.URL) *secrets {
	s := &secrets{key: key, headers: headers, words: []string{key}}
	for _, name := range credentialHeaders {
		for _, value := range headers.Values(name) {
			_, token, _ := strings.Cut(value, " ")
			s.words = append(s.words, value, token)
		}
	}
	for name, values := range base.Query() {
		if name = strings.ToLower(name); strings.Contains(name, "key") || strings.Contains(name, "token") {
			for _, value := range values {
				s.words = append(s.words, value, url.QueryEscape(value))
			}
		}
	}
	s.words = slices.DeleteFunc(s.words, func(word string) bool { return len(word) < shortestSecret })
	slices.SortFunc(s.words, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return s
}

// canonical returns a copy of headers with canonical names.
func canonical(headers http.Header) http.Header {
	h := make(http.Header, len(headers))
	for name, values := range headers {
		for _, value := range values {
			h.Add(name, value)
		}
	}
	return h
}

// authorized reports whether the headers contain a credential.
func authorized(headers http.Header) bool {
	for _, name := range []string{"Authorization", "X-Api-Key", "X-Goog-Api-Key", "Api-Key"} {
		if headers.Get(name) != "" {
			return true
		}
	}
	return false
}

// hide replaces the secrets in a text, and the prefix of one at its end: most texts are
// excerpts.
func (s *secrets) hide(text string) string {
	for _, word := range s.words {
		text = strings.ReplaceAll(text, word, "[key]")
	}
	body := strings.TrimRight(text, `."`)
	for _, word := range s.words {
		for n := len(word) - 1; n >= shortestSecret; n-- {
			if before, ok := strings.CutSuffix(body, word[:n]); ok {
				return before + "[key]" + text[len(body):]
			}
		}
	}
	return text
}

// The maximum length of a name and of a message in bytes.
const (
	maxName    = 200
	maxMessage = 2000
)

// tell prepares untrusted text for an error: without secrets, on one line and of
// bounded length.
func (s *secrets) tell(text string, most int) string {
	text = oneLine(s.hide(text))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

// oneLine replaces control characters, which could forge a line in a log, by blanks.
// JSON keeps its meaning.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}

// error returns an error whose text is safe to show: err itself, if it is.
func (s *secrets) error(err error) error {
	text := err.Error()
	if told := s.tell(text, maxMessage); told != text {
		return errors.New(told)
	}
	return err
}

// reported returns a copy of a provider's error that is safe to show and keep.
func (s *secrets) reported(p *stream.ProviderError) *stream.ProviderError {
	raw := s.hide(string(p.Raw))
	words := p.Type + "\n" + p.Code + "\n" + p.Message
	if raw == string(p.Raw) && s.hide(words) != words {
		raw = "" // it contains the secret in another spelling
	}
	raw = oneLine(raw)
	return &stream.ProviderError{
		Type: s.tell(p.Type, maxName), Code: s.tell(p.Code, maxName), Message: s.tell(p.Message, maxMessage),
		Raw: []byte(raw[:min(len(raw), maxErrorKept)]),
	}
}

// redact returns an error without secrets.
func (s *secrets) redact(err error) error {
	switch e := err.(type) { //nolint:errorlint // what a caller's own cause wraps is not ours to change
	case *stream.ProtocolError:
		told := *e
		told.Payload = s.hide(e.Payload)
		if e.Err != nil {
			told.Err = s.error(e.Err)
		}
		return &told
	case *ConnectionError:
		return &ConnectionError{Host: e.Host, Err: s.error(e.Err), Cut: e.Cut}
	case *ContentError:
		return &ContentError{Host: e.Host, ContentType: e.ContentType, Err: s.error(e.Err)}
	}
	return err
}
