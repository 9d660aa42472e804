// Command live asks real providers for a handful of answers, records what they send,
// and reports what differs from the formats as Sluice knows them. It is the only check
// that reaches a provider, and it costs money: a few hundred tokens per provider.
//
// A provider is asked if its key is in the environment:
//
//	ANTHROPIC_API_KEY                  Anthropic Messages
//	OPENAI_API_KEY                     OpenAI Chat Completions and Responses
//	GEMINI_API_KEY or GOOGLE_API_KEY   Gemini generateContent
//
// ANTHROPIC_BASE_URL, OPENAI_BASE_URL and GEMINI_BASE_URL name other servers, and
// SLUICE_LIVE_ANTHROPIC, SLUICE_LIVE_OPENAI and SLUICE_LIVE_GEMINI other models.
//
//	go run ./live [-out DIRECTORY]
//
// It exits with 1 if an answer could not be had, is not complete, does not pass byte
// for byte or lacks the call that was asked for. Deviations are reported and fail
// nothing: they are what the check is there to find.
package main
