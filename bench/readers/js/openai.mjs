// openai-node: https://github.com/openai/openai-node
import OpenAI from "openai";
import { giveItem, giveMessage } from "./openai-calls.mjs";
import { serve } from "./serve.mjs";

await serve((options) => {
  const client = new OpenAI(options);
  const chat = { model: "any", messages: [{ role: "user", content: "hello" }] };
  const ask = { model: "any", input: "hello" };

  // guide gathers calls as OpenAI's guide to function calling shows it: the first delta of an index is kept as it is,
  // the arguments of the others are appended.
  async function guide(give) {
    const calls = {};
    for await (const chunk of await client.chat.completions.create({ ...chat, stream: true })) {
      for (const part of chunk.choices[0]?.delta?.tool_calls || []) {
        const { index } = part;
        if (!calls[index]) calls[index] = part;
        else calls[index].function.arguments += part.function.arguments;
      }
    }
    giveMessage(give, "", { tool_calls: Object.values(calls) });
  }

  // reducer gathers whole messages after the example tool-calls-stream of the library: every text is appended, every
  // array is merged by its index. It is more credulous than the example, which reads the first choice only and fails
  // when an index is missing or leaves a gap.
  async function reducer(give) {
    const messages = {};
    for await (const chunk of await client.chat.completions.create({ ...chat, stream: true })) {
      for (const choice of chunk.choices) {
        const key = choice.index ?? 0;
        messages[key] = reduce(messages[key] ?? {}, choice.delta ?? {});
      }
    }
    for (const message of Object.values(messages)) giveMessage(give, "", message);
  }

  function reduce(previous, delta) {
    const sum = { ...previous };
    for (const [key, value] of Object.entries(delta)) {
      if (sum[key] === undefined || sum[key] === null) {
        sum[key] = value;
        if (Array.isArray(sum[key])) {
          for (const element of sum[key]) delete element.index;
        }
      } else if (typeof sum[key] === "string" && typeof value === "string") {
        sum[key] += value;
      } else if (typeof sum[key] === "number" && typeof value === "number") {
        sum[key] = value;
      } else if (Array.isArray(sum[key]) && Array.isArray(value)) {
        for (const { index, ...rest } of value) sum[key][index ?? 0] = reduce(sum[key][index ?? 0] ?? {}, rest);
      } else if (typeof sum[key] === "object" && typeof value === "object") {
        sum[key] = reduce(sum[key], value);
      }
    }
    return sum;
  }

  // helper is chat.completions.stream(): its events and its final completion.
  async function helper(give) {
    const stream = client.chat.completions.stream(chat);
    stream.on("tool_calls.function.arguments.done", (call) => give("arguments.done", call.name, call.arguments));
    stream.on("functionToolCall", (call) => give("functionToolCall", call.name, call.arguments));
    stream.on("message", (message) => giveMessage(give, "message", message));
    const completion = await stream.finalChatCompletion();
    for (const { message } of completion.choices) giveMessage(give, "finalChatCompletion", message);
  }

  async function create(give) {
    const completion = await client.chat.completions.create(chat);
    for (const { message } of completion.choices) giveMessage(give, "", message);
  }

  // events are the events of a response as they come. A program acts on items that are done, on the response at the
  // end, or gathers the calls as OpenAI's guide shows it: the item of `added`, and the deltas of its index.
  async function events(give) {
    const gathered = {};
    for await (const event of await client.responses.create({ ...ask, stream: true })) {
      switch (event.type) {
        case "response.output_item.added":
          gathered[event.output_index] = { ...event.item };
          break;
        case "response.function_call_arguments.delta":
        case "response.custom_tool_call_input.delta": {
          const member = event.type.includes("input") ? "input" : "arguments";
          const item = gathered[event.output_index];
          if (item) item[member] = (item[member] ?? "") + event.delta;
          break;
        }
        case "response.function_call_arguments.done":
          give("arguments.done", event.name ?? gathered[event.output_index]?.name, event.arguments, gathered[event.output_index]?.call_id);
          break;
        case "response.custom_tool_call_input.done":
          give("input.done", gathered[event.output_index]?.name, event.input, gathered[event.output_index]?.call_id);
          break;
        case "response.output_item.done":
          giveItem(give, "output_item.done", event.item);
          break;
        case "response.completed":
        case "response.incomplete":
          for (const item of event.response.output ?? []) giveItem(give, event.type.slice("response.".length), item);
          break;
      }
    }
    for (const item of Object.values(gathered)) giveItem(give, "added and deltas", item);
  }

  // responseHelper is responses.stream(): its events and its final response.
  async function responseHelper(give) {
    const stream = client.responses.stream(ask);
    stream.on("response.output_item.done", (event) => giveItem(give, "output_item.done", event.item));
    const response = await stream.finalResponse();
    for (const item of response.output) giveItem(give, "finalResponse", item);
  }

  async function respond(give) {
    const response = await client.responses.create(ask);
    for (const item of response.output) giveItem(give, "", item);
  }

  return {
    "openai-chat": {
      streamed: { "chunks, as the guide": guide, "chunks, as the example": reducer, "chat.completions.stream": helper },
      whole: { "chat.completions.create": create },
    },
    "openai-responses": {
      streamed: { "responses.create, stream": events, "responses.stream": responseHelper },
      whole: { "responses.create": respond },
    },
  };
});
