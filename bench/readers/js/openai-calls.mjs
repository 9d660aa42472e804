// What users of OpenAI's library act on.

// giveMessage gives the calls of a chat message: of functions, custom tools, and the old form.
export function giveMessage(give, place, message) {
  for (const call of message?.tool_calls ?? []) {
    if (call?.function) give(place, call.function.name, call.function.arguments, call.id);
    if (call?.custom) give(place, call.custom.name, call.custom.input, call.id);
  }
  if (message?.function_call) give(place, message.function_call.name, message.function_call.arguments);
}

// giveItem gives an item of a response that a client executes. Types that this version of the library does not
// know, and that say by their name that they are calls, are given too: the next version may know them.
export function giveItem(give, place, item) {
  switch (item?.type) {
    case "function_call":
    case "mcp_approval_request":
      return give(place, item.name, item.arguments, item.call_id ?? item.id);
    case "custom_tool_call":
      return give(place, item.name, item.input, item.call_id);
    case "local_shell_call":
    case "computer_call":
      return give(place, item.type, item.action ?? item.actions ?? item, item.call_id);
    case "shell_call":
      // A call in the provider's own container is not the client's.
      if (!String(item.environment?.type ?? "").startsWith("container")) give(place, item.type, item.action ?? item, item.call_id);
      return;
    case "apply_patch_call":
      return give(place, item.type, item.operation ?? item, item.call_id);
  }
  if (/_call$|tool_use$|_request$/.test(item?.type) && !providers.has(item.type)) {
    give(place, item.name ?? item.type, item.arguments ?? item.input ?? item.action ?? item, item.call_id ?? item.id);
  }
}

// providers are the calls that the provider executes itself.
const providers = new Set([
  "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call", "tool_search_call",
]);
