package evasion_test

import (
	"strings"

	"github.com/sluice-project/sluice/evasion"
)

// describe summarises a case in one line: what is called, after what.
func describe(c *evasion.Case) string {
	var parts []string
	for i := range c.Before {
		if t := &c.Before[i]; t.Call != nil {
			parts = append(parts, short(t.Call, 60))
		}
	}
	for i := range c.Calls {
		parts = append(parts, short(&c.Calls[i], 200))
	}
	return strings.Join(parts, " ⇒ ")
}

// short is a call in few words.
func short(c *evasion.Call, most int) string {
	text := strings.TrimSpace(c.Shell)
	if text == "" {
		name := c.Tool
		if name == "" {
			name = c.Type
		}
		text = name + " " + c.Arguments
	}
	text = strings.NewReplacer("\n", "⏎", "\r", "␍").Replace(text)
	if chars := []rune(text); len(chars) > most {
		text = string(chars[:most]) + "…"
	}
	return text
}
