import type { FastifyInstance } from "fastify";
import type { Delivery } from "./receipt.ts";

const bodyLimit = 1_048_576;

/** Receives raw bytes, because a parsed body cannot be verified. 200 once the event is committed, 400 if not verified, 503 without a secret. */
export const webhookPlugin =
  (path: string, receive: (delivery: Delivery, requestId: string) => Promise<void>) => async (app: FastifyInstance) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, (_request, body, done) => done(null, body));
    app.post(path, { bodyLimit }, async ({ body, headers, id }) => {
      await receive({ raw: Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers }, id);
      return { received: true };
    });
  };
