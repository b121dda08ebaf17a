import { setTimeout as pause } from "node:timers/promises";

export type OpenStream = Awaited<ReturnType<typeof openStream>>;

/** The limit in ms of "live", for the fastest of several attempts. A quiet machine needs less than 1,000; a busy one is slower. */
export const soonMs = 5_000;
/** Milliseconds after which a notification or an end counts as missing. Shorter than any interval that would produce it by chance. */
const patienceMs = 10_000;

/** Opens a stream. Throws with the text of an error response. */
export async function openStream(origin: string, headers: Record<string, string>) {
  const leaving = new AbortController();
  const response = await fetch(`${origin}/api/events`, { headers, signal: leaving.signal });
  if (response.status !== 200 || !response.body) throw new Error(`${response.status} ${await response.text()}`);
  const heard: string[] = [];
  let over = false;
  const ended = read(response.body, heard).finally(() => (over = true));
  // The error of a stream that the test closes itself is ignored.
  ended.catch(() => undefined);
  const within = async (what: string, test: () => boolean) => {
    const since = performance.now();
    while (!test()) {
      if (performance.now() - since > patienceMs)
        throw new Error(`${what} was not seen within ${patienceMs} ms; heard: ${heard.join(", ") || "nothing"}`);
      await pause(5);
    }
    return performance.now() - since;
  };
  return {
    headers: response.headers,
    heard,
    isOver: () => over,
    ended,
    /** Waits for a notification. Returns the milliseconds until it arrived. */
    hears: (about: string, times = 1) =>
      within(`a notification about ${about}`, () => heard.filter((one) => one === about).length >= times),
    ends: () => within("the end of the stream", () => over),
    leave: () => leaving.abort(),
  };
}

async function read(body: ReadableStream<Uint8Array>, heard: string[]): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of body) {
    text += decoder.decode(part, { stream: true });
    const messages = text.split("\n\n");
    text = messages.pop() ?? "";
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1];
      if (data && !/^event: done$/m.test(message)) heard.push((JSON.parse(data) as { about: string }).about);
    }
  }
}

/** Waits long enough for an unexpected notification to arrive. */
export const quietFor = (milliseconds = 250): Promise<void> => pause(milliseconds);
