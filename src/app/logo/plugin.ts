import type { FastifyInstance } from "fastify";
import { Problem } from "#platform/errors.ts";
import { acceptStreams, readBody, replyToUpload, uploadHeaders } from "#platform/http/upload-route.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { readLogo, storeLogo } from "#settings/index.ts";
import { brandBucket, isLogoFile } from "#settings/logo/logo.rules.ts";
import { requireRole } from "#users/index.ts";

const uploadsAnHour = 60;

/** `POST /api/admin/settings/logo` stores a logo for an admin (201 with its address). `GET /storage/brand/{file}` serves it publicly. */
export const logoPlugin = (services: PlatformServices) => async (app: FastifyInstance) => {
  acceptStreams(app);
  app.post("/api/admin/settings/logo", (request, reply) =>
    replyToUpload(request, reply, async () => {
      const { userId } = await requireRole(services, request, "admin");
      await services.limits.hit(`logo:${userId}`, uploadsAnHour, 3_600);
      return storeLogo(services, await readBody(request), request.headers["content-type"]);
    }),
  );
  app.get<{ Params: { file: string } }>(`/storage/${brandBucket}/:file`, async (request, reply) => {
    const { file: name } = request.params;
    const bytes = isLogoFile(name) ? await readLogo(services, name) : undefined;
    if (!bytes) throw new Problem("not_found", "This picture does not exist.");
    return reply.headers({ ...uploadHeaders, "content-type": "image/png" }).send(bytes);
  });
};
