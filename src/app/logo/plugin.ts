import type { Readable } from "node:stream";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { Problem, invalid } from "#platform/errors.ts";
import { readUpload } from "#platform/files/upload.ts";
import { allowCall } from "#platform/http/access.ts";
import { requireActor } from "#platform/http/context.ts";
import { contextOf } from "#platform/http/request.ts";
import { bearerOf } from "#platform/http/request-headers.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { openLogo, storeLogo } from "#settings/index.ts";
import { brandBucket, isLogoFile } from "#settings/logo/logo.rules.ts";
import { authenticate } from "#users/index.ts";

const uploadsAnHour = 60;

/** File names are never reused. Nothing in a file may run or load, even if it is opened as a page. */
const headers = {
  "content-type": "image/png",
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "cross-origin",
};

/** `POST /api/admin/settings/logo` stores a logo for an admin (201 with its address). `GET /storage/brand/{file}` serves it publicly. */
export const logoPlugin =
  (services: PlatformServices): FastifyPluginAsync =>
  async (app) => {
    // The body stays a stream: it is read after the access check, and at most 5 MB of it.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, body, done) => done(null, body));
    app.post("/api/admin/settings/logo", async (request, reply) => {
      reply.header("cache-control", "no-store");
      try {
        const userId = await requireAdmin(services, request, reply);
        await services.limits.hit(`logo:${userId}`, uploadsAnHour, 3_600);
        if (!(request.body as Readable | undefined)?.readable) throw invalid("The file is empty.");
        const announced = request.headers["content-length"];
        const bytes = await readUpload(
          request.body as Readable,
          announced === undefined ? undefined : Number(announced),
        );
        return await reply.code(201).send(await storeLogo(services, bytes, request.headers["content-type"]));
      } catch (error) {
        if (!request.raw.complete) reply.header("connection", "close");
        throw error;
      }
    });
    app.get<{ Params: { file: string } }>(`/storage/${brandBucket}/:file`, async (request, reply) => {
      const { file: name } = request.params;
      const file = isLogoFile(name) ? await openLogo(services, name) : undefined;
      if (!file) throw new Problem("not_found", "This picture does not exist.");
      return reply.headers({ ...headers, "content-length": file.bytes }).send(file.stream);
    });
  };

async function requireAdmin(services: PlatformServices, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const context = contextOf(request, reply, services, await authenticate(services, bearerOf(request.headers)));
  allowCall("admin", context);
  return requireActor(context).userId;
}
