// js-genai: https://github.com/googleapis/js-genai
import { GoogleGenAI } from "@google/genai";
import { serve } from "./serve.mjs";

await serve((options) => {
  const client = new GoogleGenAI({ apiKey: options.apiKey, httpOptions: { fetch: options.fetch } });
  const ask = { model: "any", contents: "hello" };

  // giveChunk gives what the library's own list has, and what is in the parts of all candidates.
  function giveChunk(give, chunk) {
    for (const call of chunk.functionCalls ?? []) give("functionCalls", call.name, call.args ?? {}, call.id);
    for (const candidate of chunk.candidates ?? []) {
      for (const { functionCall } of candidate.content?.parts ?? []) {
        if (functionCall) give("parts", functionCall.name, functionCall.args ?? {}, functionCall.id);
      }
    }
  }

  async function stream(give) {
    for await (const chunk of await client.models.generateContentStream(ask)) giveChunk(give, chunk);
  }

  async function generate(give) {
    giveChunk(give, await client.models.generateContent(ask));
  }

  return {
    gemini: { streamed: { generateContentStream: stream }, whole: { generateContent: generate } },
  };
});
