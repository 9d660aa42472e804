"""anthropic-sdk-python: https://github.com/anthropics/anthropic-sdk-python"""

import httpx2
from anthropic import Anthropic

from serve import member, provider, serve

client = Anthropic(api_key="none", max_retries=0, http_client=httpx2.Client(transport=provider))
ask = {"model": "any", "max_tokens": 1024, "messages": [{"role": "user", "content": "hello"}]}


def give_block(give, place, block):
    if member(block, "type") == "tool_use":
        give(place, member(block, "name"), member(block, "input"), member(block, "id"))


def helper(give):
    """messages.stream(): its events and its final message."""
    with client.messages.stream(**ask) as stream:
        for event in stream:
            if event.type == "content_block_stop":
                give_block(give, "content_block_stop", event.content_block)
        for block in stream.get_final_message().content:
            give_block(give, "get_final_message", block)


def events(give):
    """The events as they come: a block of its start, the deltas of its index, and its stop."""
    blocks, texts = {}, {}

    def act(place, index):
        block = blocks[index]
        if member(block, "type") == "tool_use":
            give(place, member(block, "name"), texts[index] or member(block, "input"), member(block, "id"))

    for event in client.messages.create(**ask, stream=True):
        if event.type == "message_start":
            for block in event.message.content or []:
                give_block(give, "message_start", block)
        elif event.type == "content_block_start":
            blocks[event.index], texts[event.index] = event.content_block, ""
        elif event.type == "content_block_delta" and event.delta.type == "input_json_delta":
            if event.index in texts:
                texts[event.index] += event.delta.partial_json
        elif event.type == "content_block_stop" and event.index in blocks:
            act("content_block_stop", event.index)
    # Some programs do not look at the stops.
    for index in blocks:
        act("end", index)


def create(give):
    for block in client.messages.create(**ask).content:
        give_block(give, "", block)


serve({
    "anthropic": {
        "streamed": {"messages.create, stream": events, "messages.stream": helper},
        "whole": {"messages.create": create},
    },
})
