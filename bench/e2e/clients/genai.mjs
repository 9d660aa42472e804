import { GoogleGenAI } from "@google/genai";
import { description, main, parameters, rounds } from "./harness.mjs";

const generate = (stream) => ({ base, prompt, tool }) => {
  const client = new GoogleGenAI({ apiKey: "dummy", httpOptions: { baseUrl: base } });
  const contents = [{ role: "user", parts: [{ text: prompt }] }];
  const config = {
    automaticFunctionCalling: { disable: true },
    tools: [{ functionDeclarations: [{ name: "run_command", description, parametersJsonSchema: parameters }] }],
  };
  return rounds(async () => {
    const request = { model: "gemini-2.5-pro", contents, config };
    const parts = [];
    if (stream) {
      for await (const chunk of await client.models.generateContentStream(request)) {
        parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
      }
    } else {
      const answer = await client.models.generateContent(request);
      parts.push(...(answer.candidates?.[0]?.content?.parts ?? []));
    }
    contents.push({ role: "model", parts });
    const results = [];
    for (const { functionCall } of parts) {
      if (!functionCall) continue;
      const output = await tool(functionCall.args);
      results.push({ functionResponse: { id: functionCall.id, name: functionCall.name, response: { output } } });
    }
    if (results.length > 0) contents.push({ role: "user", parts: results });
    return { text: parts.map((part) => part.text ?? "").join(""), again: results.length > 0 };
  });
};

await main({ "generate, streamed": generate(true), "generate, whole": generate(false) });
