import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeAvif } from "#platform/files/pictures.ts";
import { type TestApp, testApp } from "#test/test-app.ts";

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await testApp();
  port = Number(new URL(await app.server.listen({ port: 0, host: "127.0.0.1" })).port);
});
afterAll(() => app.close());

const noise = (side: number) =>
  sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: "black",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  });

test("an upload whose sender has left gives its place in the queue to the next one of the account", async () => {
  const headers = await app.signIn(await app.make.user({ role: "artist" }));
  const png = await noise(40).png().toBuffer();
  const large = await noise(1_600).webp().toBuffer();
  // The queue is busy for seconds.
  let isBusy = true;
  const busy = Promise.all([encodeAvif(large), encodeAvif(large), encodeAvif(large)]).then(() => (isBusy = false));
  const upload = async () => {
    const response = await app.server.inject({
      method: "POST",
      url: "/api/artist/media/photo",
      headers: { ...headers, "content-type": "image/png" },
      payload: png,
    });
    return response.statusCode;
  };

  const arrived = once(app.server.server, "request") as Promise<[IncomingMessage]>;
  const sender = connect(port, "127.0.0.1");
  sender.write(
    `POST /api/artist/media/photo HTTP/1.1\r\nhost: localhost:${port}\r\nauthorization: ${headers.authorization}\r\n` +
      `content-type: image/png\r\ncontent-length: ${png.length}\r\n\r\n`,
  );
  sender.write(png);
  const [request] = await arrived;
  await once(request, "end");
  // It has been read and waits.
  expect(await upload()).toBe(429);
  const left = once(request.socket, "close");
  sender.destroy();
  await left;
  await new Promise(setImmediate);
  expect(isBusy).toBe(true);
  expect(await upload()).toBe(201);
  await busy;
});
