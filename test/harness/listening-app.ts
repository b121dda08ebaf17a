import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type OpenStream, openStream } from "#test/harness/streams.ts";
import { type TestApp, testApp } from "#test/test-app.ts";

/**
 * Opens a listening app before a file's tests, passes it to `take` with its URL, and closes it afterwards. Streams of
 * `open` end with their test. `opened` are those of the current test.
 */
export function streamTests(take: (app: TestApp, origin: string) => void) {
  let app: TestApp;
  let origin: string;
  const opened: OpenStream[] = [];
  beforeAll(async () => {
    app = await testApp();
    origin = await app.server.listen({ host: "127.0.0.1", port: 0 });
    take(app, origin);
  });
  afterEach(async () => {
    for (const stream of opened.splice(0)) stream.leave();
    await expect.poll(() => app.services.streams.count()).toBe(0);
  });
  afterAll(() => app.close());
  const open = async (headers: Record<string, string>) => {
    const stream = await openStream(origin, headers);
    opened.push(stream);
    return stream;
  };
  return { open, opened };
}
