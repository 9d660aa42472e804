// The AI SDK: https://github.com/vercel/ai
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, streamText, tool } from "ai";
import { serve } from "./serve.mjs";

globalThis.AI_SDK_LOG_WARNINGS = false;

await serve((options) => {
  const base = "http://provider.invalid/v1";
  const settings = { ...options, baseURL: base };
  const openai = createOpenAI(settings);

  // toolsFor are tools that execute every call, whatever its name: a record of the calls that ran.
  function toolsFor(give, provided) {
    const any = (name) =>
      tool({
        inputSchema: jsonSchema({}),
        execute: (input, { toolCallId }) => {
          give("executed", name, input, toolCallId);
          return "done";
        },
      });
    return new Proxy(provided(give), {
      get: (target, name) => (name in target || typeof name !== "string" ? target[name] : any(name)),
      getOwnPropertyDescriptor: (target, name) =>
        Reflect.getOwnPropertyDescriptor(target, name) ??
        (typeof name === "string" ? { value: any(name), configurable: true, enumerable: true, writable: true } : undefined),
    });
  }

  // giveCalls gives the calls in a list of parts that are not the provider's own, and those that the provider makes
  // when the user says yes.
  function giveCalls(give, place, parts) {
    for (const { type, toolCall, ...part } of parts) {
      if (type === "tool-call" && !part.providerExecuted) give(place, part.toolName, part.input, part.toolCallId);
      if (type === "tool-approval-request") give("approval", toolCall?.toolName, toolCall?.input, toolCall?.toolCallId);
    }
  }

  const request = (give, { model, provided }) => ({ model, prompt: "hello", maxRetries: 0, tools: toolsFor(give, provided) });

  const streamed = (provider) => async (give) => {
    const result = streamText({ ...request(give, provider), onError: () => {} });
    let failure;
    for await (const part of result.fullStream) {
      giveCalls(give, "tool-call", [part]);
      if (part.type === "error") failure = part.error;
    }
    giveCalls(give, "toolCalls", await result.toolCalls);
    if (failure) throw failure;
  };

  const whole = (provider) => async (give) => {
    const result = await generateText(request(give, provider));
    giveCalls(give, "content", result.content);
  };

  const none = () => ({});

  // The provider's tools that a client executes are known to the library only when they are declared.
  const openaiTools = (give) => {
    const execute = (name) => ({
      execute: (input, { toolCallId }) => {
        give("executed", name, input, toolCallId);
        return {};
      },
    });
    return {
      local_shell: openai.tools.localShell(execute("local_shell_call")),
      shell: openai.tools.shell(execute("shell_call")),
      apply_patch: openai.tools.applyPatch(execute("apply_patch_call")),
      computer: openai.tools.computer(execute("computer_call")),
    };
  };

  const ways = (providers) => ({
    streamed: Object.fromEntries(Object.entries(providers).map(([name, provider]) => [`streamText, ${name}`, streamed(provider)])),
    whole: Object.fromEntries(Object.entries(providers).map(([name, provider]) => [`generateText, ${name}`, whole(provider)])),
  });

  return {
    "openai-chat": ways({
      openai: { model: openai.chat("gpt-4.1"), provided: none },
      "openai-compatible": { model: createOpenAICompatible({ ...settings, name: "any" })("any"), provided: none },
    }),
    "openai-responses": ways({ openai: { model: openai.responses("gpt-5.1"), provided: openaiTools } }),
    anthropic: ways({ anthropic: { model: createAnthropic(settings)("claude-sonnet-4-5"), provided: none } }),
    gemini: ways({ google: { model: createGoogleGenerativeAI(settings)("gemini-2.5-pro"), provided: none } }),
  };
});
