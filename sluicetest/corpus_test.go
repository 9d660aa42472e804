package sluicetest_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

// refused are the recordings that a strict client refuses, each with the rule
// it breaks. Everything else must be accepted: a validator that refuses what
// official providers send would be wrong.
var refused = map[string]string{
	// Servers that number, name or identify calls in their own way.
	"openai-chat/anthropic-compat-tool-call.jsonl":          "tool-index",
	"openai-chat/inline-azure-mistral-no-type.jsonl":        "tool-type",
	"openai-chat/inline-late-name.jsonl":                    "tool-name",
	"openai-chat/mistral-tool-call.jsonl":                   "tool-index",
	"openai-chat/mistral-tool-call.json":                    "tool-type",
	"openai-chat/synth-arguments-object.jsonl":              "type",
	"openai-chat/synth-gemini-compat-index-missing.jsonl":   "tool-index",
	"openai-chat/synth-name-split.jsonl":                    "tool-name",
	"openai-chat/synth-ollama-index-always-0.jsonl":         "tool-id",
	"openai-chat/synth-proxy-index-and-id-missing.jsonl":    "tool-index",
	"openai-chat/synth-two-calls-one-chunk-index-0.jsonl":   "tool-id",
	"openai-chat/synth-vllm-id-rotates.jsonl":               "tool-id",
	"openai-chat/inline-empty-role.jsonl":                   "role",
	"openai-chat/mistral-incremental-tool-call.jsonl":       "role",
	"openai-chat/avian-kimi-thinking-tool.jsonl":            "id",
	"openai-chat/snowflake-text.jsonl":                      "id",
	"openai-chat/perplexity-text.jsonl":                     "object",
	"openai-chat/synth-null-delta.jsonl":                    "delta",
	"openai-chat/synth-no-done-no-finish.jsonl":             "end-missing",
	"openai-chat/inline-mistral-interleaved-thinking.jsonl": "type", // content as a list of parts
	"openai-chat/mistral-reasoning.jsonl":                   "type",
	"openai-chat/mistral-reasoning.json":                    "type",
	// OpenRouter repeats the finish on its usage chunk.
	"openai-chat/openrouter-advisor.jsonl":                 "finish-once",
	"openai-chat/openrouter-anthropic-multi-tool.jsonl":    "finish-once",
	"openai-chat/openrouter-anthropic-thinking-tool.jsonl": "finish-once",
	"openai-chat/openrouter-glm-multi-tool.jsonl":          "finish-once",
	"openai-chat/openrouter-grok-multi-tool.jsonl":         "finish-once",
	"openai-chat/openrouter-openai-multi-tool.jsonl":       "finish-once",
	"openai-chat/openrouter-stream-error.jsonl":            "finish-once",
	// Written to be wrong.
	"anthropic/duplicate-message-start.jsonl":   "message-start",
	"anthropic/synth-delta-without-index.jsonl": "block-index",
	"anthropic/synth-no-block-stop.jsonl":       "block-overlap",
	"anthropic/synth-overlapping-blocks.jsonl":  "block-overlap",
	"anthropic/synth-truncated.jsonl":           "end-missing",
	// Ids removed, deltas trimmed or events left out by the source.
	"openai-responses/agw-refusal.jsonl":            "id",
	"openai-responses/openai-custom-tool.jsonl":     "done-missing",
	"openai-responses/openai-phase.jsonl":           "sequence",
	"openai-responses/openai-shell-container.jsonl": "four-copies",
	"openai-responses/synth-error-flat.jsonl":       "part-unknown",
	// A call with a done event but no delta: a client that adds up deltas
	// sees no arguments.
	"openai-responses/lmstudio-tool-call.jsonl": "four-copies",
}

// corpus returns the directory of recorded streams. It is not part of the
// repository.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SLUICE_CORPUS")
	if dir == "" {
		t.Skip("SLUICE_CORPUS is not set: no recorded streams to read")
	}
	return dir
}

func TestCorpusOfRealStreamsIsAcceptedOrRefusedForAKnownReason(t *testing.T) {
	t.Parallel()
	dir := corpus(t)
	for _, format := range sluicetest.Formats() {
		files, err := filepath.Glob(filepath.Join(dir, format, "*.json*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files of %s: %v", format, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := format + "/" + filepath.Base(file)
			var verdict error
			if strings.HasSuffix(file, ".json") {
				verdict = sluicetest.ValidateBody(format, data)
			} else {
				// One payload per line; the sources of many recordings
				// dropped [DONE].
				payloads := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
				verdict = sluicetest.Options{AllowMissingDone: true}.Validate(format, sluicetest.SSE(format, payloads))
			}
			rule := ""
			if v, ok := errors.AsType[*sluicetest.Violation](verdict); ok {
				rule = v.Rule
			}
			if rule != refused[name] {
				t.Errorf("%s: got rule %q (%v), want %q", name, rule, verdict, refused[name])
			}
		}
	}
}

func TestCorpusOfRawBodiesIsReadWithItsFraming(t *testing.T) {
	t.Parallel()
	dir := corpus(t)
	for name, want := range map[string]struct{ format, rule string }{
		"anthropic-padded-json.sse": {sluicetest.Anthropic, ""},
		"gemini-crlf.sse":           {sluicetest.Gemini, ""},
		"groq-event-error.sse":      {sluicetest.OpenAIChat, ""},
		"openai-chat.sse":           {sluicetest.OpenAIChat, ""},
		"openai-responses.sse":      {sluicetest.OpenAIResponses, ""},
		"openrouter-comments.sse":   {sluicetest.OpenAIChat, "finish-once"}, // comments pass; see above
		"not-really-sse.sse":        {sluicetest.OpenAIChat, "choices"},
	} {
		data, err := os.ReadFile(filepath.Join(dir, "sse", name))
		if err != nil {
			t.Fatal(err)
		}
		verdict := sluicetest.Options{AllowMissingDone: true}.Validate(want.format, data)
		rule := ""
		if v, ok := errors.AsType[*sluicetest.Violation](verdict); ok {
			rule = v.Rule
		}
		if rule != want.rule {
			t.Errorf("%s: %v, want rule %q", name, verdict, want.rule)
		}
	}
}
