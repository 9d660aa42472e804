// Package edit changes JSON at spans and leaves every other byte alone.
//
// Providers cache prompts by their bytes and clients compare what they get, so
// Sluice never decodes and re-encodes a body to change one text in it. A reader
// remembers where things stand as [llm.Span] values; an [Edits] list names what
// changes there; Apply writes the new body.
package edit
