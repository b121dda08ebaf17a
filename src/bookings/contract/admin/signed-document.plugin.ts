import type { Readable } from "node:stream";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { readSignedDocument } from "#contracts/copies-for-bookings.ts";
import { maxSignedDocumentBytes } from "#contracts/rules.ts";
import type { Payments } from "#gateway/gateway.ts";
import { invalid } from "#platform/errors.ts";
import { readUpload } from "#platform/files/upload.ts";
import { allowCall } from "#platform/http/access.ts";
import { requireActor } from "#platform/http/context.ts";
import { contextOf } from "#platform/http/request.ts";
import { bearerOf } from "#platform/http/request-headers.ts";
import { authenticate } from "#users/index.ts";
import { attachSignedDocument, contractMissing } from "../attestation.ts";

const uploadsAnHour = 60;

/** POST /api/admin/contracts/{id}/paper stores a signed document for Mark Signed (201 with its fingerprint). Admins only. PDF, JPEG or PNG, at most 10 MB. */
export const signedDocumentPlugin =
  (services: Payments): FastifyPluginAsync =>
  async (app) => {
    // The body stays a stream: it is read after authentication, up to 10 MB.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, body, done) => done(null, body));
    app.post<{ Params: { id: string } }>("/api/admin/contracts/:id/paper", async (request, reply) => {
      reply.header("cache-control", "no-store");
      try {
        const userId = await requireAdmin(services, request, reply);
        if (!z.uuid().safeParse(request.params.id).success) throw contractMissing();
        await services.limits.hit(`paper:${userId}`, uploadsAnHour, 3_600);
        if (!(request.body as Readable | undefined)?.readable) throw invalid("The file is empty.");
        const announced = request.headers["content-length"];
        const bytes = await readUpload(
          request.body as Readable,
          announced === undefined ? undefined : Number(announced),
          maxSignedDocumentBytes,
        );
        const paper = await readSignedDocument(bytes, request.headers["content-type"]);
        await attachSignedDocument(services, request.params.id, paper);
        const { sha256, pages, media_type } = paper;
        return await reply.code(201).send({ sha256: sha256.toString("hex"), pages, media_type, bytes: bytes.length });
      } catch (error) {
        // Part of the body may not have been read yet.
        if (!request.raw.complete) reply.header("connection", "close");
        throw error;
      }
    });
  };

async function requireAdmin(services: Payments, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const context = contextOf(request, reply, services, await authenticate(services, bearerOf(request.headers)));
  allowCall("admin", context);
  return requireActor(context).userId;
}
