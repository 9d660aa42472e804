package memory

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
)

// cited is the content of the member raw of a block with citations: the citations,
// and the block's own Raw if it has one. They are stored there, and not in a member
// of their own, because programs that know nothing of citations reject unknown
// members; a raw that is not a provider's they keep, and do not send.
type cited struct {
	Citations []string `json:"sluice_citations"`
	Raw       string   `json:"raw,omitempty"`
	// Base64 is true if the texts are not valid UTF-8 and written as base64.
	Base64 bool `json:"base64,omitempty"`
}

// citedMark is the prefix of every cited.
const citedMark = `{"sluice_citations":[`

// rawOf returns what is stored as a block's raw.
func rawOf(b *llm.Block) string {
	if len(b.Citations) == 0 && !strings.HasPrefix(string(b.Raw), citedMark) {
		return string(b.Raw)
	}
	c := cited{Citations: make([]string, len(b.Citations)), Raw: string(b.Raw)}
	valid := utf8.Valid(b.Raw)
	for i, source := range b.Citations {
		c.Citations[i] = string(source)
		valid = valid && utf8.Valid(source)
	}
	if !valid {
		c.Base64 = true
		_ = c.each(func(text string) (string, error) { return base64.StdEncoding.EncodeToString([]byte(text)), nil })
	}
	raw, err := encode(&c)
	if err != nil {
		return string(b.Raw) // strings can always be marshalled
	}
	return string(raw)
}

// setRaw undoes rawOf.
func setRaw(b *llm.Block, raw string) error {
	if !strings.HasPrefix(raw, citedMark) {
		if raw != "" {
			b.Raw = json.RawMessage(raw)
		}
		return nil
	}
	var c cited
	if err := decodeStrictly([]byte(raw), &c); err != nil {
		return fmt.Errorf("citations: %w", err)
	}
	if c.Base64 {
		if err := c.each(func(text string) (string, error) {
			decoded, err := base64.StdEncoding.DecodeString(text)
			return string(decoded), err
		}); err != nil {
			return fmt.Errorf("citations: %w", err)
		}
	}
	if c.Raw != "" {
		b.Raw = json.RawMessage(c.Raw)
	}
	for _, source := range c.Citations {
		b.Citations = append(b.Citations, json.RawMessage(source))
	}
	return nil
}

// each transforms all texts.
func (c *cited) each(change func(string) (string, error)) error {
	var errs [2]error
	for i := range c.Citations {
		var err error
		if c.Citations[i], err = change(c.Citations[i]); err != nil {
			errs[0] = err
		}
	}
	c.Raw, errs[1] = change(c.Raw)
	return errors.Join(errs[:]...)
}
