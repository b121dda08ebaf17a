import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type OpenStream, openStream } from "#test/harness/streams.ts";
import { type TestApp, testApp } from "#test/test-app.ts";

/**
 * An app that listens, opened before the tests of a file, handed over with its address, and closed after them. The streams that a test
 * opens by `open` end with the test; `opened` are those of the present one.
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
