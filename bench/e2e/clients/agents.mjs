import { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, run, setTracingDisabled, tool as define } from "@openai/agents";
import OpenAI from "openai";
import { description, main, parameters } from "./harness.mjs";

setTracingDisabled(true);

const ask = (Model, stream) => async ({ base, prompt, tool }) => {
  const client = new OpenAI({ apiKey: "dummy", baseURL: `${base}/v1`, maxRetries: 0 });
  const agent = new Agent({
    name: "e2e",
    model: new Model(client, "gpt-5.1"),
    tools: [define({ name: "run_command", description, parameters, strict: true, execute: tool })],
  });
  const result = await run(agent, prompt, { stream, maxTurns: 5 });
  if (stream) {
    for await (const _ of result);
    await result.completed;
  }
  // All that the agent said, not only its last words.
  return result.newItems.filter((item) => item.type === "message_output_item").map((item) => item.content).join("\n");
};

await main({
  "chat, streamed": ask(OpenAIChatCompletionsModel, true),
  "chat, whole": ask(OpenAIChatCompletionsModel, false),
  "responses, streamed": ask(OpenAIResponsesModel, true),
  "responses, whole": ask(OpenAIResponsesModel, false),
});
