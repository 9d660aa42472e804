package sdk

import "github.com/sluice-project/sluice/wire"

// chatDefects are those of openai-go's ChatCompletionAccumulator and of the
// stream reader below it.
func chatDefects() []Defect {
	return []Defect{
		{
			Name:   "openai-go/reasoning-lost",
			Format: wire.OpenAIChat,
			Explanation: "reasoning_content and reasoning are no fields of the chunk type, so that the accumulator " +
				"does not know them. They can only be read chunk by chunk from JSON.ExtraFields.",
			Example: `{"id":"c","model":"m","choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"Let me see."},"finish_reason":null}]}
{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"Four."},"finish_reason":"stop"}]}
[DONE]`,
			Paths: []string{"choice/*/thinking"}, When: lost,
			Raw: []string{
				"alibaba-reasoning",
				"avian-kimi-thinking-tool",
				"azure-deepseek-reasoning",
				"deepseek-reasoning",
				"deepseek-tool-call",
				"groq-gptoss-reasoning-tool",
				"groq-reasoning",
				"groq-tool-use-failed",
				"groq-tool-use-failed-retry",
				"inline-mistral-interleaved-thinking",
				"llamacpp-gptoss-tool",
				"mistral-reasoning",
				"moonshotai-stream",
				"openrouter-anthropic-thinking-tool",
				"openrouter-glm-multi-tool",
				"openrouter-grok-multi-tool",
				"openrouter-stream-error",
				"vercel-gw-gpt5-thinking-tool",
				"xai-grok3mini-thinking-tool",
				"xai-grokcode-multi-tool",
				"xai-long-text",
				"xai-text",
				"xai-tool-call",
				"zai-glm47-thinking-tool",
				"zai-thinking",
			},
			Recoded: []string{
				"alibaba-reasoning",
				"avian-kimi-thinking-tool",
				"azure-deepseek-reasoning",
				"deepseek-reasoning",
				"deepseek-tool-call",
				"groq-gptoss-reasoning-tool",
				"groq-reasoning",
				"groq-tool-use-failed-retry",
				"inline-mistral-interleaved-thinking",
				"llamacpp-gptoss-tool",
				"mistral-reasoning",
				"moonshotai-stream",
				"openrouter-anthropic-thinking-tool",
				"openrouter-glm-multi-tool",
				"openrouter-grok-multi-tool",
				"vercel-gw-gpt5-thinking-tool",
				"xai-grok3mini-thinking-tool",
				"xai-grokcode-multi-tool",
				"xai-long-text",
				"xai-text",
				"xai-tool-call",
				"zai-glm47-thinking-tool",
				"zai-thinking",
			},
		},
		{
			Name:   "openai-go/usage-summed",
			Format: wire.OpenAIChat,
			Explanation: "AddChunk adds the usage of every chunk. Providers that repeat it, or count up on every chunk, " +
				"are counted several times; the last one is the truth.",
			Example: `{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}],"usage":{"prompt_tokens":10,"completion_tokens":1}}
{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"b"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":2}}
[DONE]`,
			Paths: []string{"usage/*"}, When: more,
			Raw: []string{
				"huggingface-kimi-multi-tool",
				"inline-nvidia-llama-empty-arg-tail",
				"perplexity-text",
			},
			Recoded: []string{
				"huggingface-kimi-multi-tool",
				"inline-nvidia-llama-empty-arg-tail",
				"perplexity-text",
			},
		},
		{
			Name:   "openai-go/reasoning-tokens-apart",
			Format: wire.OpenAIChat,
			Explanation: "Some providers (xAI) leave reasoning tokens out of completion_tokens and count them only in the details and in " +
				"the total. The number is passed on as it is; Sluice counts all output.",
			Example: `{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}
{"id":"c","model":"m","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":42,"completion_tokens_details":{"reasoning_tokens":30}}}
[DONE]`,
			Paths: []string{"usage/output"}, When: fewer,
			Raw: []string{
				"xai-grok3mini-thinking-tool",
				"xai-grok4fast-multi-tool",
				"xai-grokcode-multi-tool",
				"xai-long-text",
				"xai-text",
				"xai-tool-call",
			},
			Recoded: []string{
				"xai-grok3mini-thinking-tool",
				"xai-grok4fast-multi-tool",
				"xai-grokcode-multi-tool",
				"xai-long-text",
				"xai-text",
				"xai-tool-call",
			},
		},
		{
			Name:   "openai-go/finish-overwritten",
			Format: wire.OpenAIChat,
			Explanation: "Every chunk of a choice sets its finish reason, so that a null in a later chunk (one that carries usage, " +
				"for example) takes back the reason that was said before.",
			Example: `{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}
{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":""},"finish_reason":null}],"usage":{"prompt_tokens":10,"completion_tokens":1}}
[DONE]`,
			Paths: []string{"choice/*/finish"}, When: lost,
			Raw: []string{
				"openrouter-native-options",
				"openrouter-reasoning",
				"seed-gpt-multiple-tools",
			},
		},
		{
			Name:   "openai-go/chunk-refused",
			Format: wire.OpenAIChat,
			Explanation: "AddChunk refuses a chunk whose id is not that of the first one, and only its boolean result says so. Proxies that " +
				"retry, and filters that send chunks without an id, lose everything from there on.",
			Example: `{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}
{"id":"d","model":"m","choices":[{"index":0,"delta":{"refusal":"b"},"finish_reason":"stop"}]}
[DONE]`,
			Paths: []string{"refused", "model", "usage/*", "choice/*/*", "choice/*/call/*/*"},
			When:  func(d Difference) bool { return d.Theirs == "" || d.Path == "refused" },
			Raw: []string{
				"avian-kimi-thinking-tool",
				"synth-null-delta",
			},
		},
		{
			Name:   "openai-go/index-is-position",
			Format: wire.OpenAIChat,
			Explanation: "The index of a call is taken for its position in the list. A provider that begins at 1 (the number of the " +
				"content block) gets an empty call in front.",
			Example: `{"id":"c","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}
[DONE]`,
			Paths: []string{"choice/*/calls", "choice/*/call/*/*"},
			Raw: []string{
				"anthropic-compat-tool-call",
			},
		},
		{
			Name:   "openai-go/calls-merged",
			Format: wire.OpenAIChat,
			Explanation: "Calls are told apart by their index alone. Providers that send the index 0 for every call, or none, get one call with " +
				"the last id, all names in a row, and arguments that are no JSON.",
			Example: `{"id":"c","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},"finish_reason":null}]}
{"id":"c","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"b","type":"function","function":{"name":"g","arguments":"{\"y\":2}"}}]},"finish_reason":"tool_calls"}]}
[DONE]`,
			Paths: []string{"choice/*/calls", "choice/*/call/*/*"},
			Raw: []string{
				"synth-gemini-compat-index-missing",
				"synth-ollama-index-always-0",
				"synth-two-calls-one-chunk-index-0",
			},
		},
		{
			Name:   "openai-go/name-repeated",
			Format: wire.OpenAIChat,
			Explanation: "The name of every delta is appended, so that providers that repeat it on each delta of a call get it several times " +
				"in a row.",
			Example: `{"id":"c","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{"}}]},"finish_reason":null}]}
{"id":"c","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"}"}}]},"finish_reason":"tool_calls"}]}
[DONE]`,
			Paths: []string{"choice/*/call/*/name"},
			Raw: []string{
				"synth-id-on-every-chunk",
			},
		},
		{
			Name:   "openai-go/last-id-wins",
			Format: wire.OpenAIChat,
			Explanation: "The id of every delta replaces the one before, where servers make a new id for each delta of a call. Sluice keeps the " +
				"first, which is the one the others of the same stream refer to.",
			Example: `{"id":"c","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{"}}]},"finish_reason":null}]}
{"id":"c","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"b","function":{"arguments":"}"}}]},"finish_reason":"tool_calls"}]}
[DONE]`,
			Paths: []string{"choice/*/call/*/id"},
			Raw: []string{
				"synth-vllm-id-rotates",
			},
		},
		{
			Name:        "openai-go/function-call-lost",
			Format:      wire.OpenAIChat,
			Explanation: "The function_call of older models is in the chunk type, but the accumulator leaves it out.",
			Example: `{"id":"c","model":"m","choices":[{"index":0,"delta":{"role":"assistant","function_call":{"name":"f","arguments":""}},"finish_reason":null}]}
{"id":"c","model":"m","choices":[{"index":0,"delta":{"function_call":{"arguments":"{}"}},"finish_reason":"function_call"}]}
[DONE]`,
			Paths: []string{"choice/*/calls", "choice/*/call/*/*"}, When: lost,
			Raw: []string{
				"synth-legacy-function-call",
			},
			Recoded: []string{
				"synth-legacy-function-call",
			},
		},
		{
			Name:   "openai-go/custom-lost",
			Format: wire.OpenAIChat,
			Explanation: "The delta type has no field for calls of custom tools (type custom, with a name and a free-form input): a call without " +
				"name and arguments is what is left.",
			Example: `{"id":"c","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"custom","custom":{"name":"run_sql","input":"SELECT 1"}}]},"finish_reason":"tool_calls"}]}
[DONE]`,
			Paths: []string{"choice/*/call/*/name", "choice/*/call/*/arguments"}, When: lost,
			Raw: []string{
				"synth-custom-tool",
			},
			Recoded: []string{
				"synth-custom-tool",
			},
		},
		{
			Name:   "openai-go/parts-as-text",
			Format: wire.OpenAIChat,
			Explanation: "A content that is a list of typed parts (Mistral's reasoning models) becomes its own JSON as text, thinking included, because " +
				"the decoder turns any value into a string where it expects one.",
			Example: `{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]}]},"finish_reason":null}]}
{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":[{"type":"text","text":"Four."}]},"finish_reason":"stop"}]}
[DONE]`,
			With:  []string{"openai-go/reasoning-lost"},
			Paths: []string{"choice/*/text"},
			When:  func(d Difference) bool { return len(d.Theirs) > 2 && d.Theirs[:2] == "[{" },
			Raw: []string{
				"inline-mistral-interleaved-thinking",
				"mistral-reasoning",
			},
		},
		{
			Name:   "openai-go/cut-is-silent",
			Format: wire.OpenAIChat,
			Explanation: "A stream that stops without a finish reason and without [DONE] ends like a good one: Err returns nil. Only the empty finish " +
				"reason tells.",
			Example: `{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}`,
			Paths:   []string{"error"},
			When:    func(d Difference) bool { return d.Ours == ErrorCut && d.Theirs == "" },
			Raw: []string{
				"synth-no-done-no-finish",
			},
		},
		{
			Name:   "openai-go/error-payload-dropped",
			Format: wire.OpenAIChat,
			Explanation: "A payload that has an error next to its choices or usage is reported as an error and not decoded, so that what else it says " +
				"is gone.",
			Example: `{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}
{"id":"c","model":"m","error":{"code":502,"message":"upstream"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":null}],"usage":{"prompt_tokens":10,"completion_tokens":1}}`,
			Paths: []string{"usage/*", "choice/*/finish"}, When: lost,
			Raw: []string{
				"openrouter-stream-error",
			},
		},
	}
}
