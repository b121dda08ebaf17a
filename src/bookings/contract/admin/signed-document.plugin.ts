import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { readSignedDocument } from "#contracts/copies-for-bookings.ts";
import { maxSignedDocumentBytes } from "#contracts/rules.ts";
import type { Payments } from "#gateway/gateway.ts";
import { allowCall } from "#platform/http/access.ts";
import { requireActor } from "#platform/http/context.ts";
import { contextOf } from "#platform/http/request.ts";
import { bearerOf } from "#platform/http/request-headers.ts";
import { acceptStreams, readBody, replyToUpload } from "#platform/http/upload-route.ts";
import { authenticate } from "#users/index.ts";
import { attachSignedDocument, contractMissing } from "../attestation.ts";

const uploadsAnHour = 60;

/** POST /api/admin/contracts/{id}/paper stores a signed document for Mark Signed (201 with its fingerprint). Admins only. PDF, JPEG or PNG, at most 10 MB. */
export const signedDocumentPlugin =
  (services: Payments): FastifyPluginAsync =>
  async (app) => {
    acceptStreams(app);
    app.post<{ Params: { id: string } }>("/api/admin/contracts/:id/paper", (request, reply) =>
      replyToUpload(request, reply, async () => {
        const userId = await requireAdmin(services, request, reply);
        if (!z.uuid().safeParse(request.params.id).success) throw contractMissing();
        await services.limits.hit(`paper:${userId}`, uploadsAnHour, 3_600);
        const bytes = await readBody(request, maxSignedDocumentBytes);
        const paper = await readSignedDocument(bytes, request.headers["content-type"]);
        await attachSignedDocument(services, request.params.id, paper);
        const { sha256, pages, media_type } = paper;
        return { sha256: sha256.toString("hex"), pages, media_type, bytes: bytes.length };
      }),
    );
  };

async function requireAdmin(services: Payments, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const context = contextOf(request, reply, services, await authenticate(services, bearerOf(request.headers)));
  allowCall("admin", context);
  return requireActor(context).userId;
}
