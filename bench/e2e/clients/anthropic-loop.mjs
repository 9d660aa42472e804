// The tool loop that the two generations of the Anthropic SDK share.
import { description, parameters, rounds } from "./harness.mjs";

export const loop = (Anthropic, stream) => ({ base, prompt, tool }) => {
  const client = new Anthropic({ apiKey: "dummy", baseURL: base, maxRetries: 0 });
  const messages = [{ role: "user", content: prompt }];
  const tools = [{ name: "run_command", description, input_schema: parameters }];
  return rounds(async () => {
    const request = { model: "claude-sonnet-4-5", max_tokens: 1024, messages, tools };
    const answer = stream ? await client.messages.stream(request).finalMessage() : await client.messages.create(request);
    messages.push({ role: "assistant", content: answer.content });
    const results = [];
    for (const block of answer.content) {
      if (block.type === "tool_use") {
        results.push({ type: "tool_result", tool_use_id: block.id, content: await tool(block.input) });
      }
    }
    if (results.length > 0) messages.push({ role: "user", content: results });
    const text = answer.content.map((block) => block.text ?? "").join("");
    return { text, again: answer.stop_reason === "tool_use" };
  });
};
