import type { FastifyInstance } from "fastify";
import type { PlatformServices } from "#platform/services/index.ts";
import { receiveEsignWebhook } from "./webhook.ts";

const bodyLimit = 1_048_576;

/** Receives raw bytes, because a parsed body cannot be verified. 200 once the event is committed, 400 if not verified, 503 without a secret. */
export const esignWebhookPlugin = (services: PlatformServices) => async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, (_request, body, done) => done(null, body));
  app.post("/api/webhooks/esign", { bodyLimit }, async (request) => {
    const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    await receiveEsignWebhook(services, { raw, headers: request.headers }, request.id);
    return { received: true };
  });
};
