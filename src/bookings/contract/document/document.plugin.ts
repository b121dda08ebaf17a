/** The file of a contract. `/api/contracts/{id}/document` checks access and redirects to a link that is valid for 10 minutes. */

import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { DocumentKind } from "#contracts/copies-for-bookings.ts";
import { documentOf } from "#contracts/index.ts";
import { bookingOfContract } from "#contracts/signing-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import { Problem } from "#platform/errors.ts";
import { bearerOf } from "#platform/http/request-headers.ts";
import { contextOf } from "#platform/http/request.ts";
import { authenticate } from "#users/index.ts";
import { callerOf } from "../../request/booking-cookie.ts";
import { findBooking } from "../../store.ts";
import { contractMissing } from "../signing/attestation.ts";
import { makeDocumentUrl } from "./document-access.ts";
import { type FileKind, isDocumentLink } from "./document-link.ts";

const filePlace = z.object({ id: z.uuid(), kind: z.enum(["agreement", "copy", "paper"]) });
const kindsOf = {
  agreement: ["agreement"],
  copy: ["sealed", "agreement"],
  paper: ["scan"],
} as const satisfies Record<FileKind, readonly DocumentKind[]>;
const endings = { "application/pdf": "pdf", "image/jpeg": "jpg", "image/png": "png" } as const;
/** An uploaded file is served unchanged as a download. These headers prevent scripts and loads in it. */
const inert = { "x-content-type-options": "nosniff", "content-security-policy": "sandbox; default-src 'none'" };
const fileQuery = z.object({ until: z.string(), key: z.string() });

/** Serves the file to the parties (guests by cookie or `?link=`) and admins, 404 otherwise. Scripts that accept JSON get `{url}`. */
export const contractDocumentPlugin = (services: Payments) => async (app: FastifyInstance) => {
  const { database, clock, keys } = services;
  app.get<{ Params: { id: string }; Querystring: { link?: string } }>(
    "/api/contracts/:id/document",
    async (request, reply) => {
      reply.headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
      const context = contextOf(request, reply, services, await authenticate(services, bearerOf(request.headers)));
      const { link } = request.query;
      const url = await makeDocumentUrl(services, {
        id: request.params.id,
        link: typeof link === "string" ? link : undefined,
        caller: callerOf(context),
      });
      if (request.headers.accept?.includes("application/json")) return reply.send({ url });
      return reply.redirect(url, 302);
    },
  );
  app.get("/api/contracts/:id/file/:kind", async (request, reply) => {
    reply.headers({ "cache-control": "private, no-store", "referrer-policy": "no-referrer" });
    const place = filePlace.safeParse(request.params).data;
    const query = fileQuery.safeParse(request.query).data;
    if (!place || !query || !isDocumentLink(keys, { contractId: place.id, kind: place.kind, ...query }, clock.now()))
      throw new Problem("gone", "This document link has expired. Open the document from its page again.");
    const bookingId = await bookingOfContract(database.db, place.id);
    const booking = bookingId === undefined ? undefined : await findBooking(database.db, bookingId);
    const document = await documentOf(database.db, place.id, kindsOf[place.kind]);
    if (!document || !booking) throw contractMissing();
    if (place.kind === "paper")
      return reply
        .headers({
          ...inert,
          "content-type": document.media_type,
          "content-disposition": `attachment; filename="contract-${booking.number}-paper.${endings[document.media_type]}"`,
        })
        .send(document.bytes);
    return reply
      .headers({
        "content-type": "application/pdf",
        "content-disposition": `inline; filename="contract-${booking.number}${document.kind === "sealed" ? "-signed" : ""}.pdf"`,
        "x-frame-options": "SAMEORIGIN",
        "content-security-policy": "frame-ancestors 'self'",
      })
      .send(document.bytes);
  });
};
