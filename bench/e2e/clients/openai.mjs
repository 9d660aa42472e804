import OpenAI from "openai";
import { description, main, parameters, rounds } from "./harness.mjs";

const open = (base) => new OpenAI({ apiKey: "dummy", baseURL: `${base}/v1`, maxRetries: 0 });

const chat = (stream) => ({ base, prompt, tool }) => {
  const client = open(base);
  const messages = [{ role: "user", content: prompt }];
  const tools = [{ type: "function", function: { name: "run_command", description, parameters } }];
  return rounds(async () => {
    const request = { model: "gpt-5.1", messages, tools };
    const answer = stream
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request);
    const message = answer.choices[0].message;
    messages.push(message);
    for (const call of message.tool_calls ?? []) {
      messages.push({ role: "tool", tool_call_id: call.id, content: await tool(JSON.parse(call.function.arguments)) });
    }
    return { text: message.content ?? "", again: answer.choices[0].finish_reason === "tool_calls" };
  });
};

const responses = (stream) => ({ base, prompt, tool }) => {
  const client = open(base);
  const input = [{ role: "user", content: prompt }];
  const tools = [{ type: "function", name: "run_command", description, parameters, strict: true }];
  return rounds(async () => {
    const request = { model: "gpt-5.1", input, tools };
    const answer = stream
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.create(request);
    let again = false;
    for (const item of answer.output) {
      input.push(item);
      if (item.type === "function_call") {
        again = true;
        input.push({ type: "function_call_output", call_id: item.call_id, output: await tool(JSON.parse(item.arguments)) });
      }
    }
    return { text: answer.output_text, again };
  });
};

await main({
  "chat, streamed": chat(true),
  "chat, whole": chat(false),
  "responses, streamed": responses(true),
  "responses, whole": responses(false),
});
