"""python-genai: https://github.com/googleapis/python-genai"""

import httpx2
from google import genai
from google.genai import types

from serve import provider, serve

client = genai.Client(api_key="none", http_options=types.HttpOptions(httpx_client=httpx2.Client(transport=provider)))
ask = {"model": "any", "contents": "hello"}


def give_chunk(give, chunk):
    """Gives what the library's own list has, and what is in the parts of all candidates."""
    for call in chunk.function_calls or []:
        give("function_calls", call.name, call.args or {}, call.id)
    for candidate in chunk.candidates or []:
        for part in (candidate.content and candidate.content.parts) or []:
            if call := part.function_call:
                give("parts", call.name, call.args or {}, call.id)


def stream(give):
    for chunk in client.models.generate_content_stream(**ask):
        give_chunk(give, chunk)


def generate(give):
    give_chunk(give, client.models.generate_content(**ask))


serve({"gemini": {"streamed": {"generate_content_stream": stream}, "whole": {"generate_content": generate}}})
