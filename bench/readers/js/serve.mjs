// The loop of a reader process: answers come on standard input, each as a length (4 bytes, big endian) and a JSON
// object {id, dialect, stream, status, body in base64}; for each a line of JSON with what the library
// handed out goes to standard output: {id, calls: [{name, arguments, id, via}], error}.

// A library may leave a rejected promise behind that nobody waits for. The failure itself is seen where the
// library reports it; here it must not end the process.
process.on("unhandledRejection", () => {});

// Standard output carries readings only. Libraries print warnings: those go to standard error.
console.log = console.info = console.warn = console.debug = console.error;

// lane is one answer being read. Its options make a client of that answer instead of the network: every request gets
// it. A library that asks again, as tool loops do after they ran a tool, is told that there is no more.
class Lane {
  async send() {
    if (this.sent) throw new Error("the provider has no second answer");
    this.sent = true;
    const { body, status, stream } = this.frame;
    const headers = { "content-type": stream ? "text/event-stream" : "application/json" };
    return new Response(body, { status: status || 200, headers });
  }

  constructor(open) {
    this.ways = open({ apiKey: "none", maxRetries: 0, fetch: () => this.send() });
  }

  // read lets every way in which the library can be used read the answer. A way gets `give`, which takes note of a
  // call that the user of the library would act on; what it gave before it failed still counts.
  async read(frame) {
    const reading = { id: frame.id, calls: [], error: "" };
    const ways = this.ways[frame.dialect]?.[frame.stream ? "streamed" : "whole"];
    if (!ways) reading.error = `this reader does not read ${frame.dialect}`;
    for (const [way, ask] of Object.entries(ways ?? {})) {
      this.frame = frame;
      this.sent = false;
      const give = (place, name, args, id) => {
        reading.calls.push({ name: text(name), arguments: text(args), id: text(id), via: place ? `${way}: ${place}` : way });
      };
      try {
        await ask(give);
      } catch (error) {
        reading.error += `${reading.error ? "\n" : ""}${way}: ${error?.message ?? error}`;
      }
    }
    return reading;
  }
}

// text is what a user sees of a value: text as it is, everything else as JSON.
const text = (value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

// frames are the answers on standard input.
async function* frames() {
  let pending = Buffer.alloc(0);
  for await (const chunk of process.stdin) {
    pending = pending.length ? Buffer.concat([pending, chunk]) : chunk;
    let at = 0;
    while (pending.length - at >= 4) {
      const end = at + 4 + pending.readUInt32BE(at);
      if (pending.length < end) break;
      const frame = JSON.parse(pending.subarray(at + 4, end).toString());
      frame.body = Buffer.from(frame.body ?? "", "base64");
      at = end;
      yield frame;
    }
    pending = pending.subarray(at);
  }
}

// serve reads answers until standard input ends. open makes a client of its options, and returns the ways to read
// each dialect, streamed and whole. Some libraries wait for timers between two events; several lanes use that time.
export async function serve(open) {
  const answers = frames();
  const run = async (lane) => {
    for await (const frame of { [Symbol.asyncIterator]: () => ({ next: () => answers.next() }) }) {
      process.stdout.write(JSON.stringify(await lane.read(frame)) + "\n");
    }
  };
  await Promise.all(Array.from({ length: 8 }, () => run(new Lane(open))));
}
