"""openai-python: https://github.com/openai/openai-python"""

import httpx2
from openai import OpenAI

from serve import member, provider, serve

client = OpenAI(api_key="none", max_retries=0, http_client=httpx2.Client(transport=provider))
chat = {"model": "any", "messages": [{"role": "user", "content": "hello"}]}
ask = {"model": "any", "input": "hello"}

# The calls that the provider executes itself.
PROVIDERS = {
    "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call", "tool_search_call",
}


def give_message(give, place, message):
    """Gives the calls of a chat message: of functions, custom tools, and the old form."""
    for call in member(message, "tool_calls") or []:
        if function := member(call, "function"):
            give(place, member(function, "name"), member(function, "arguments"), member(call, "id"))
        if custom := member(call, "custom"):
            give(place, member(custom, "name"), member(custom, "input"), member(call, "id"))
    if old := member(message, "function_call"):
        give(place, member(old, "name"), member(old, "arguments"))


def give_item(give, place, item):
    """Gives an item of a response that a client executes.

    Types that this version of the library does not know, and that say by their name that they are calls, are given
    too: the next version may know them.
    """
    kind = member(item, "type")
    id = member(item, "call_id") or member(item, "id")
    if kind in ("function_call", "mcp_approval_request"):
        give(place, member(item, "name"), member(item, "arguments"), id)
    elif kind == "custom_tool_call":
        give(place, member(item, "name"), member(item, "input"), id)
    elif kind in ("local_shell_call", "computer_call"):
        give(place, kind, member(item, "action") or member(item, "actions") or item, id)
    elif kind == "shell_call":
        # A call in the provider's own container is not the client's.
        if not str(member(member(item, "environment"), "type") or "").startswith("container"):
            give(place, kind, member(item, "action") or item, id)
    elif kind == "apply_patch_call":
        give(place, kind, member(item, "operation") or item, id)
    elif isinstance(kind, str) and kind.endswith(("_call", "tool_use", "_request")) and kind not in PROVIDERS:
        body = member(item, "arguments") or member(item, "input") or member(item, "action") or item
        give(place, member(item, "name") or kind, body, id)


def chunks(give):
    """Gathers calls as OpenAI's guide to function calling shows it."""
    calls = {}
    for chunk in client.chat.completions.create(**chat, stream=True):
        if not chunk.choices:
            continue
        for part in chunk.choices[0].delta.tool_calls or []:
            if part.index not in calls:
                calls[part.index] = part
            else:
                calls[part.index].function.arguments += part.function.arguments
    give_message(give, "", {"tool_calls": list(calls.values())})


def chat_helper(give):
    """chat.completions.stream(): its events and its final completion."""
    with client.chat.completions.stream(**chat) as stream:
        for event in stream:
            if event.type == "tool_calls.function.arguments.done":
                give("arguments.done", event.name, event.arguments)
        for choice in stream.get_final_completion().choices:
            give_message(give, "get_final_completion", choice.message)


def chat_create(give):
    for choice in client.chat.completions.create(**chat).choices:
        give_message(give, "", choice.message)


def events(give):
    """The events of a response as they come.

    A program acts on items that are done, on the response at the end, or gathers the calls as OpenAI's guide shows
    it: the item of `added`, and the deltas of its index.
    """
    gathered = {}
    for event in client.responses.create(**ask, stream=True):
        kind = event.type
        if kind == "response.output_item.added":
            gathered[event.output_index] = event.item
        elif kind == "response.function_call_arguments.delta":
            if event.output_index in gathered:
                gathered[event.output_index].arguments += event.delta
        elif kind == "response.custom_tool_call_input.delta":
            if event.output_index in gathered:
                gathered[event.output_index].input += event.delta
        elif kind == "response.function_call_arguments.done":
            item = gathered.get(event.output_index)
            give("arguments.done", member(event, "name") or member(item, "name"), event.arguments, member(item, "call_id"))
        elif kind == "response.custom_tool_call_input.done":
            item = gathered.get(event.output_index)
            give("input.done", member(item, "name"), event.input, member(item, "call_id"))
        elif kind == "response.output_item.done":
            give_item(give, "output_item.done", event.item)
        elif kind in ("response.completed", "response.incomplete"):
            for item in event.response.output or []:
                give_item(give, kind.removeprefix("response."), item)
    for item in gathered.values():
        give_item(give, "added and deltas", item)


def response_helper(give):
    """responses.stream(): its events and its final response."""
    with client.responses.stream(**ask) as stream:
        for event in stream:
            if event.type == "response.output_item.done":
                give_item(give, "output_item.done", event.item)
        for item in stream.get_final_response().output:
            give_item(give, "get_final_response", item)


def respond(give):
    for item in client.responses.create(**ask).output:
        give_item(give, "", item)


serve({
    "openai-chat": {
        "streamed": {"chunks, as the guide": chunks, "chat.completions.stream": chat_helper},
        "whole": {"chat.completions.create": chat_create},
    },
    "openai-responses": {
        "streamed": {"responses.create, stream": events, "responses.stream": response_helper},
        "whole": {"responses.create": respond},
    },
})
