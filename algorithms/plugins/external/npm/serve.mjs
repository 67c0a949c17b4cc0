// Answers lines of JSON for one adapter: {"html": ...} -> {"text": ..., "seconds": ...} or {"error": ...}.
// The first line that it writes tells whether the adapter could be loaded.
import dns from "node:dns";
import net from "node:net";
import {createInterface} from "node:readline";
import {pathToFileURL} from "node:url";

const write = process.stdout.write.bind(process.stdout);
const answer = (reply) => write(JSON.stringify(reply) + "\n");
const words = (error) => String(error?.message ?? error).split(/\s+/).join(" ").slice(0, 400);
process.stdout.write = process.stderr.write.bind(process.stderr); // what a package prints is no answer

const refuse = () => {
  throw new Error("packages have no network here");
};
net.Socket.prototype.connect = refuse;
for (const each of [dns, dns.promises]) each.lookup = each.resolve = refuse;
globalThis.fetch = refuse;

const lines = createInterface({input: process.stdin, crlfDelay: Infinity});
let extract = null;
for await (const line of lines) {
  const request = JSON.parse(line);
  try {
    if (extract === null) {
      const adapter = await import(pathToFileURL(request));
      if (typeof adapter.default !== "function") throw new Error("it exports no function as default");
      extract = adapter.default;
      answer({});
      continue;
    }
    const start = performance.now();
    const text = (await extract(request[1])) ?? "";
    answer({text: String(text), seconds: (performance.now() - start) / 1000});
  } catch (error) {
    answer({error: extract === null ? `it cannot be loaded (${words(error)})` : words(error)});
  }
}
