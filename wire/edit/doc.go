// Package edit changes JSON at spans and leaves every other byte alone.
//
// Providers cache prompts by their bytes and clients compare what they get, so Sluice
// never decodes and re-encodes a body to change one text in it. A reader records
// positions as [llm.Span] values; an [Edits] list holds the changes; Apply writes the
// new body.
package edit
