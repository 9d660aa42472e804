import { ChatAnthropic } from "@langchain/anthropic";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { description, main, parameters, rounds } from "./harness.mjs";

const loop = (open, stream) => ({ base, prompt, tool }) => {
  const tools = [{ type: "function", function: { name: "run_command", description, parameters } }];
  const model = open(base).bindTools(tools);
  const messages = [new HumanMessage(prompt)];
  return rounds(async () => {
    let answer;
    if (stream) {
      for await (const chunk of await model.stream(messages)) answer = answer ? answer.concat(chunk) : chunk;
    } else {
      answer = await model.invoke(messages);
    }
    messages.push(answer);
    for (const call of answer.tool_calls ?? []) {
      messages.push(new ToolMessage({ tool_call_id: call.id, content: await tool(call.args) }));
    }
    return { text: answer.text, again: (answer.tool_calls ?? []).length > 0 };
  });
};

const models = {
  chat: (base) => new ChatOpenAI({ model: "gpt-5.1", apiKey: "dummy", maxRetries: 0, useResponsesApi: false, configuration: { baseURL: `${base}/v1` } }),
  responses: (base) => new ChatOpenAI({ model: "gpt-5.1", apiKey: "dummy", maxRetries: 0, useResponsesApi: true, configuration: { baseURL: `${base}/v1` } }),
  messages: (base) => new ChatAnthropic({ model: "claude-sonnet-4-5", apiKey: "dummy", maxRetries: 0, anthropicApiUrl: base }),
};

const variants = {};
for (const [name, open] of Object.entries(models)) {
  variants[`${name}, streamed`] = loop(open, true);
  variants[`${name}, whole`] = loop(open, false);
}
await main(variants);
