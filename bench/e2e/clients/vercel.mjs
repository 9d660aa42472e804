import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, stepCountIs, streamText, tool as define } from "ai";
import { description, main, parameters } from "./harness.mjs";

const ask = (model, stream) => async ({ base, prompt, tool }) => {
  const request = {
    model: model(`${base}/v1`),
    prompt,
    maxRetries: 0,
    stopWhen: stepCountIs(5),
    tools: { run_command: define({ description, inputSchema: jsonSchema(parameters), execute: tool }) },
  };
  let failure;
  const result = stream ? streamText({ ...request, onError: ({ error }) => { failure = error; } }) : await generateText(request);
  const steps = await result.steps;
  if (failure) throw failure;
  return steps.map((step) => step.text).join("\n");
};

const key = { apiKey: "dummy" };
const models = {
  chat: (baseURL) => createOpenAI({ ...key, baseURL }).chat("gpt-5.1"),
  responses: (baseURL) => createOpenAI({ ...key, baseURL }).responses("gpt-5.1"),
  compatible: (baseURL) => createOpenAICompatible({ ...key, baseURL, name: "e2e" })("gpt-5.1"),
  messages: (baseURL) => createAnthropic({ ...key, baseURL })("claude-sonnet-4-5"),
};

const variants = {};
for (const [name, model] of Object.entries(models)) {
  variants[`${name}, streamed`] = ask(model, true);
  variants[`${name}, whole`] = ask(model, false);
}
await main(variants);
