import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { Problem } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { documentMissing } from "../policy.ts";
import { fileOfDocument } from "./document-files.ts";
import { isFileLink } from "./document-link.ts";

const place = z.object({ id: z.uuid() });
const query = z.object({ until: z.string(), key: z.string() });

/** Serves `/api/documents/{id}/file` to every caller with a valid signed link, which `documentLink` (routes.ts) issues for ten minutes. */
export const documentsPlugin = (services: PlatformServices) => async (app: FastifyInstance) => {
  app.get("/api/documents/:id/file", async (request, reply) => {
    reply.headers({ "cache-control": "private, no-store", "referrer-policy": "no-referrer" });
    const { data: params } = place.safeParse(request.params);
    const { data: link } = query.safeParse(request.query);
    if (!params || !link || !isFileLink(services.keys, params.id, link, services.clock.now()))
      throw new Problem("gone", "This document link has expired. Open the document from its page again.");
    const file = await fileOfDocument(services, params.id);
    if (!file) throw documentMissing();
    return reply
      .headers({ "content-type": "application/pdf", "content-disposition": `inline; filename="${file.number}.pdf"` })
      .send(file.bytes);
  });
};
