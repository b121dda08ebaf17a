import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { readSignedDocument } from "#contracts/copies-for-bookings.ts";
import { maxSignedDocumentBytes } from "#contracts/rules.ts";
import type { Payments } from "#gateway/gateway.ts";
import { acceptStreams, readBody, replyToUpload } from "#platform/http/upload-route.ts";
import { requireRole } from "#users/index.ts";
import { attachSignedDocument, contractMissing } from "../signing/attestation.ts";

const uploadsAnHour = 60;

/** POST /api/admin/contracts/{id}/paper stores a signed document for Mark Signed (201 with its fingerprint). Admins only. PDF, JPEG or PNG, at most 10 MB. */
export const signedDocumentPlugin = (services: Payments) => async (app: FastifyInstance) => {
  acceptStreams(app);
  app.post<{ Params: { id: string } }>("/api/admin/contracts/:id/paper", (request, reply) =>
    replyToUpload(request, reply, async () => {
      const { userId } = await requireRole(services, request, "admin");
      if (!z.uuid().safeParse(request.params.id).success) throw contractMissing();
      await services.limits.hit(`paper:${userId}`, uploadsAnHour, 3_600);
      const bytes = await readBody(request, maxSignedDocumentBytes);
      const document = await readSignedDocument(bytes, request.headers["content-type"]);
      await attachSignedDocument(services, request.params.id, document);
      const { sha256, pages, media_type } = document;
      return { sha256: sha256.toString("hex"), pages, media_type, bytes: bytes.length };
    }),
  );
};
