import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { loop } from "./anthropic-loop.mjs";
import { description, main, parameters } from "./harness.mjs";

// The SDK's own tool loop, which keeps the conversation upstream.
const runner = (stream) => async ({ base, prompt, tool }) => {
  const client = new Anthropic({ apiKey: "dummy", baseURL: base, maxRetries: 0 });
  const run = client.beta.messages.toolRunner({
    model: "claude-sonnet-4-5",
    max_tokens: 1024,
    max_iterations: 5,
    messages: [{ role: "user", content: prompt }],
    tools: [betaTool({ name: "run_command", description, inputSchema: parameters, run: tool })],
    stream,
  });
  let said = "";
  for await (const turn of run) {
    const message = stream ? await turn.finalMessage() : turn;
    said += message.content.map((block) => block.text ?? "").join("") + "\n";
  }
  return said;
};

await main({
  "messages, streamed": loop(Anthropic, true),
  "messages, whole": loop(Anthropic, false),
  "tool runner, streamed": runner(true),
  "tool runner, whole": runner(false),
});
