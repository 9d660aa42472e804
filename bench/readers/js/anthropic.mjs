// anthropic-sdk-typescript: https://github.com/anthropics/anthropic-sdk-typescript
import Anthropic from "@anthropic-ai/sdk";
import { serve } from "./serve.mjs";

await serve((options) => {
  const client = new Anthropic(options);
  const ask = { model: "any", max_tokens: 1024, messages: [{ role: "user", content: "hello" }] };

  function giveBlock(give, place, block) {
    if (block?.type === "tool_use") give(place, block.name, block.input, block.id);
  }

  // helper is messages.stream(): its events and its final message.
  async function helper(give) {
    const stream = client.messages.stream(ask);
    stream.on("contentBlock", (block) => giveBlock(give, "contentBlock", block));
    stream.on("message", (message) => {
      for (const block of message.content) giveBlock(give, "message", block);
    });
    const message = await stream.finalMessage();
    for (const block of message.content) giveBlock(give, "finalMessage", block);
  }

  // events are the events as they come: a block of its start, the deltas of its index, and its stop.
  async function events(give) {
    const blocks = {};
    for await (const event of await client.messages.create({ ...ask, stream: true })) {
      if (event.type === "message_start") {
        for (const block of event.message.content ?? []) giveBlock(give, "message_start", block);
      } else if (event.type === "content_block_start") {
        blocks[event.index] = { ...event.content_block, json: "" };
      } else if (event.type === "content_block_delta" && event.delta.type === "input_json_delta") {
        if (blocks[event.index]) blocks[event.index].json += event.delta.partial_json;
      } else if (event.type === "content_block_stop") {
        const block = blocks[event.index];
        if (block) giveBlock(give, "content_block_stop", { ...block, input: block.json || block.input });
      }
    }
    // Some programs do not look at the stops.
    for (const block of Object.values(blocks)) giveBlock(give, "end", { ...block, input: block.json || block.input });
  }

  async function create(give) {
    const message = await client.messages.create(ask);
    for (const block of message.content) giveBlock(give, "", block);
  }

  return {
    anthropic: {
      streamed: { "messages.create, stream": events, "messages.stream": helper },
      whole: { "messages.create": create },
    },
  };
});
