"""What the browser's own ``TextDecoder`` makes of bytes."""

import base64
import json

from tests.reader import Reader

_DECODED = """(() => {
  const bytes = Uint8Array.from(atob(%s), (letter) => letter.charCodeAt(0));
  const starts = %s;
  return starts.slice(1).map((end, k) =>
    new TextDecoder(%s, {ignoreBOM: true}).decode(bytes.subarray(starts[k], end)));
})()"""


class BrowserDecoder:
    """Decodes byte strings, each by a decoder of its own."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def decode(self, sequences: list[bytes], name: str) -> list[str]:
        """Return the text of each sequence in the encoding of a name or label."""
        starts = [0]
        for sequence in sequences:
            starts.append(starts[-1] + len(sequence))
        packed = base64.b64encode(b"".join(sequences)).decode()
        script = _DECODED % (json.dumps(packed), json.dumps(starts), json.dumps(name))
        return self._reader.ask(script)

    def names(self, labels: list[str]) -> list[str]:
        """Return the encoding that each label means, "" for none, in lower case."""
        return self._reader.ask(
            f"{json.dumps(labels)}.map((label) => {{ try {{ return new TextDecoder(label).encoding"
            " } catch { return '' } })"
        )
