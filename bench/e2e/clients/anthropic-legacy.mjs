import Anthropic from "anthropic-sdk-legacy";
import { loop } from "./anthropic-loop.mjs";
import { main } from "./harness.mjs";

await main({
  "messages, streamed": loop(Anthropic, true),
  "messages, whole": loop(Anthropic, false),
});
