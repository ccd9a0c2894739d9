"""A language model on loopback that speaks OpenAI's protocol and really looks at the pictures.

It finds the red outline, or what is white or blue, in the pixels that it was sent. It misbehaves
when told to: `tricks` are used up one after the other, by whoever asks.
"""

import base64
import io
import json
import re
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
from PIL import Image

KEY = "sk-loopback-0123456789"
_ACROSS, _DOWN = ("left", "middle", "right"), ("top", "middle", "bottom")


def pixels_of(url):
    kind, _, packed = url.partition(";base64,")
    assert kind in ("data:image/png", "data:image/jpeg")
    with Image.open(io.BytesIO(base64.b64decode(packed))) as picture:
        return np.asarray(picture.convert("RGB")).astype(int)


def reds(pixels):
    r, g, b = np.moveaxis(pixels, 2, 0)
    return (r > 200) & (g < 70) & (b < 70)


def whites(pixels):
    return (pixels > 200).all(axis=2)


def blues(pixels):
    r, g, b = np.moveaxis(pixels, 2, 0)
    return (b > 200) & (r < 70) & (g < 70)


def middle(mask):
    """The middle of what is seen, as fractions of width and height; None where there is none."""
    y, x = np.nonzero(mask)
    if not len(x):
        return None
    return (
        (x.min() + x.max() + 1) / 2 / mask.shape[1],
        (y.min() + y.max() + 1) / 2 / mask.shape[0],
    )


def part(place):
    """Name the part of a picture that a place is in: "upper left" and the like."""
    across, down = (
        words[min(2, int(v * 3))] for v, words in zip(place, (_ACROSS, _DOWN), strict=True)
    )
    down = {"top": "upper", "bottom": "lower"}.get(down, "middle")
    if across == "middle":
        return {"upper": "top", "lower": "bottom", "middle": "middle"}[down]
    return across if down == "middle" else f"{down} {across}"


class Asked:
    """A request, taken apart."""

    def __init__(self, body):
        self.body = body
        self.form = (body.get("response_format") or {}).get("type")
        self.system = body["messages"][0]["content"]
        content = body["messages"][1]["content"]
        texts = [item["text"] for item in content if item["type"] == "text"]
        self.text, self.captions = texts[0], texts[1:]
        self.urls = [item["image_url"]["url"] for item in content if item["type"] == "image_url"]
        self.pictures = [pixels_of(url) for url in self.urls]
        self.token = re.search(r"target of this request is (\S+)\.", self.text)[1]
        blocks = re.findall(r"<data>\n(.*?)\n</data>", self.text.partition("\n\n")[2], re.DOTALL)
        assert len(blocks) == 1, "the block of data was broken open"
        self.data = json.loads(blocks[0])
        self.outside = self.text.replace(blocks[0], "")
        self.again = [m["content"] for m in body["messages"][2:]]
        self.stage = "verify" if "referring" in self.data else "generate"


def generated(asked):
    """What an honest model says of what it sees in red."""
    seen = middle(reds(asked.pictures[0]))
    if seen is None:
        return {"target": asked.token, "phrases": [], "referring": [], "reasoning": [],
                "negatives": []}  # fmt: skip
    name = asked.data["category"]
    return {
        "target": asked.token,
        "phrases": [name, f"round {name}"],
        "referring": [f"the {name} in the {part(seen)} of the image"],
        "reasoning": ["where liquids wait until somebody needs them"],
        "negatives": ["swimming pool", "grain silo"],
    }


def verdicts(asked):
    """What an honest model says of texts, from white targets and blue pools in the raw picture."""
    assert not reds(asked.pictures[0]).any(), "the raw image must have no outline"
    pool, seen = middle(blues(asked.pictures[0])), middle(whites(asked.pictures[0]))
    negatives = [
        {"id": item["id"], "present": "pool" in item["text"] and pool is not None, "why": "seen"}
        for item in asked.data["negatives"]
    ]
    referring = []
    for item in asked.data["referring"]:
        true = re.sub(r"in the .* of the image", f"in the {part(seen)} of the image", item["text"])
        right = true == item["text"]
        referring.append({"id": item["id"], "right": right, "corrected": true, "why": "looked"})
    return {"target": asked.token, "negatives": negatives, "referring": referring}


class LanguagePeer:
    """A running model: its address, and what it was asked."""

    def __init__(self, key=None, model="seer"):
        self.key, self.model = key, model
        self.url = ""
        self.asked = []
        self.raw = []
        self.headers = []
        self.tricks = []
        self.change = None
        self.answered = 0
        self.hold_after = None
        self.most_at_once = self.under_way = 0
        self.lock = threading.Lock()

    def answers(self, asked):
        found = generated(asked) if asked.stage == "generate" else verdicts(asked)
        return found if self.change is None else self.change(asked, found)


def chat(text, finish="stop", **message):
    return {
        "id": "c", "object": "chat.completion", "created": 1, "model": "seer",
        "choices": [{"index": 0, "finish_reason": finish,
                     "message": {"role": "assistant", "content": text, **message}}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100},
    }  # fmt: skip


def fault(message, code=None):
    return {"error": {"message": message, "type": "invalid_request_error", "code": code}}


class _Handler(BaseHTTPRequestHandler):
    """Answers for the peer of its class."""

    protocol_version = "HTTP/1.1"
    peer = None

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        peer = self.peer
        with peer.lock:
            peer.raw.append(body)
            peer.headers.append(dict(self.headers))
            peer.under_way += 1
            peer.most_at_once = max(peer.most_at_once, peer.under_way)
        try:
            self.answer(json.loads(body))
        finally:
            with peer.lock:
                peer.under_way -= 1

    def answer(self, body):
        peer = self.peer
        given = self.headers.get("Authorization")
        if peer.key and given != f"Bearer {peer.key}":
            return self.say(401, fault(f"Incorrect API key provided: {given}"))
        if self.path != "/v1/chat/completions":
            return self.say(404, fault("Not Found"))
        if body["model"] != peer.model:
            return self.say(404, fault(f"The model `{body['model']}` does not exist"))
        asked = Asked(body)
        with peer.lock:
            peer.asked.append(asked)
            trick = peer.tricks.pop(0) if peer.tricks else None
            held = peer.hold_after is not None and peer.answered >= peer.hold_after
            peer.answered += 0 if held else 1
        if held:
            time.sleep(60)
        if callable(trick):
            return trick(self, asked)
        return self.say(200, chat(json.dumps(peer.answers(asked))))

    def say(self, status, document, length=None, **headers):
        whole = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(length or len(whole)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(whole)
        if length:
            self.close_connection = True

    def log_message(self, *_):
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        """Clients that go away are no news."""


@contextmanager
def language_peer(key=None, model="seer"):
    peer = LanguagePeer(key, model)
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"peer": peer}))
    peer.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield peer
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


# Tricks


def says(text, finish="stop", **message):
    """Answer with a text, whatever was asked."""
    return lambda handler, asked: handler.say(200, chat(text, finish, **message))


def fails(status, message, **headers):
    return lambda handler, asked: handler.say(status, fault(message), **headers)


def cut(handler, asked):
    """Announce more than is sent."""
    whole = json.dumps(chat(json.dumps(generated(asked)))).encode()
    handler.say(200, whole[: len(whole) // 2], length=len(whole))


def cut_quietly(handler, asked):
    """Send half, as if that were all."""
    whole = json.dumps(chat(json.dumps(generated(asked)))).encode()
    handler.say(200, whole[: len(whole) // 2])


def sleeps(seconds):
    def trick(handler, asked):
        time.sleep(seconds)
        handler.say(200, chat(json.dumps(generated(asked))))

    return trick


def drips(handler, asked):
    """Send a byte now and then, for ever."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    for _ in range(200):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)


def floods(handler, asked):
    """Send far more than any reply is."""
    handler.say(200, b" " * (6 << 20))
