"""The loop of a reader process.

Answers come on standard input, each as a length (4 bytes, big endian) and a JSON object {id, dialect, stream, status,
body in base64}; for each a line of JSON with what the library handed out goes to standard output:
{id, calls: [{name, arguments, id, via}], error}.
"""

import base64
import json
import struct
import sys

import httpx2

# Standard output carries readings only. What libraries print goes to standard error.
_out, sys.stdout = sys.stdout, sys.stderr


class Provider(httpx2.BaseTransport):
    """Stands in for the network: every request gets the present answer."""

    answer = None

    def handle_request(self, request):
        kind = "text/event-stream" if self.answer["stream"] else "application/json"
        return httpx2.Response(
            self.answer.get("status") or 200, headers={"content-type": kind}, content=self.answer["body"], request=request
        )


provider = Provider()


def text(value):
    """What a user sees of a value: text as it is, everything else as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, default=plain, ensure_ascii=False, separators=(",", ":"))


def plain(value):
    return value.to_dict() if hasattr(value, "to_dict") else value.model_dump() if hasattr(value, "model_dump") else str(value)


def read(frame, ways):
    """Lets every way in which the library can be used read the answer.

    A way gets `give`, which takes note of a call that the user of the library would act on; what it gave before it
    failed still counts.
    """
    calls, errors = [], []
    found = ways.get(frame["dialect"])
    if found is None:
        errors.append(f"this reader does not read {frame['dialect']}")
        found = {"streamed": {}, "whole": {}}
    provider.answer = frame
    for way, ask in found["streamed" if frame["stream"] else "whole"].items():

        def give(place, name, arguments, id=None):
            via = f"{way}: {place}" if place else way
            calls.append({"name": text(name), "arguments": text(arguments), "id": text(id), "via": via})

        try:
            ask(give)
        except Exception as error:  # a failure of the library is an outcome
            errors.append(f"{way}: {type(error).__name__}: {error}")
    return {"id": frame["id"], "calls": calls, "error": "\n".join(errors)}


def serve(ways):
    """Reads answers until standard input ends. ways are, for each dialect, the ways to read it streamed and whole."""
    source = sys.stdin.buffer
    while head := source.read(4):
        frame = json.loads(source.read(struct.unpack(">I", head)[0]))
        frame["body"] = base64.b64decode(frame.get("body") or "")
        _out.write(json.dumps(read(frame, ways)) + "\n")
        _out.flush()


def member(value, name):
    """A member of an object of a library, or of the plain dictionary that stands in its place when it is unknown."""
    if isinstance(value, dict):
        return value.get(name)
    return getattr(value, name, None)
