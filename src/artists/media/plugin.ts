import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isUuid } from "#platform/db/index.ts";
import { notFound, Problem, conflict } from "#platform/errors.ts";
import { sendBytes } from "#platform/files/byte-range.ts";
import { useStorage } from "#platform/files/open-files.ts";
import { encodeUpload } from "#platform/files/pictures.ts";
import { encodeSample } from "#platform/files/sound/sounds.ts";
import { maxSoundBytes, maxUploadBytes } from "#platform/files/upload.rules.ts";
import { uploadSignal, uploadTimeout } from "#platform/files/upload.ts";
import type { Actor } from "#platform/http/context.ts";
import { acceptStreams, readBody, replyToUpload, uploadHeaders } from "#platform/http/upload-route.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { requireRole } from "#users/index.ts";
import { maxSampleTitleLength, mediaBucket, maxStoredFiles, uploadKinds, uploadOfFile } from "../media.rules.ts";
import { cleanName } from "../slug.ts";
import { storePicture } from "./files.ts";
import { requireSampleSlot, storeSample } from "./samples.ts";
import { countFiles, listOwnSamples } from "./views.ts";

const uploadsAnHour = 60;

/** Uploads of pictures and samples (201). A sample with an id in its path replaces the one with this id. */
export const artistFilesPlugin = (services: PlatformServices) => async (app: FastifyInstance) => {
  acceptStreams(app);
  const upload = (request: FastifyRequest, reply: FastifyReply, receive: (actor: Actor) => Promise<unknown>) =>
    replyToUpload(request, reply, async () => receive(await requireRole(services, request, "artist")));
  app.post<{ Params: { kind: string } }>("/api/artist/media/:kind", (request, reply) =>
    upload(request, reply, (actor) => receivePicture(services, actor, request.params.kind, { request, reply })),
  );
  app.post<{ Params: { id?: string }; Querystring: { title?: unknown } }>(
    "/api/artist/samples/:id?",
    (request, reply) =>
      upload(request, reply, async (actor) => {
        const wanted = { title: request.query.title, replaces: request.params.id };
        await receiveSample(services, actor, wanted, { request, reply });
        return { items: await listOwnSamples(services.database.db, actor.userId) };
      }),
  );
  app.get<{ Params: { folder: string; file: string } }>(
    `/storage/${mediaBucket}/:folder/:file`,
    async (request, reply) => {
      const name = `${request.params.folder}/${request.params.file}`;
      const type = uploadOfFile(name)?.type;
      const bytes = type && (await useStorage(services, name, () => services.files.read(`${mediaBucket}/${name}`)));
      if (!bytes) throw new Problem("not_found", "This file does not exist.");
      return sendBytes(reply.headers({ ...uploadHeaders, "content-type": type }), bytes, request.headers.range);
    },
  );
};

type Http = Readonly<{ request: FastifyRequest; reply: FastifyReply }>;

async function receivePicture(services: PlatformServices, { userId }: Actor, given: string, { request, reply }: Http) {
  const kind = uploadKinds.find((known) => known === given);
  if (!kind) throw new Problem("not_found", "There is nothing at this address.");
  await limitUploads(services, userId);
  if ((await countFiles(services.database.db, userId)) >= maxStoredFiles)
    throw conflict(`You have ${maxStoredFiles} pictures stored, which is the limit. Remove some first.`);
  const time = uploadTimeout();
  const signal = uploadSignal(time, reply.raw);
  const bytes = await readBody(request, maxUploadBytes, time);
  const picture = await encodeUpload(bytes, request.headers["content-type"], { account: userId, signal });
  return storePicture(services, { userId, kind, picture });
}

/** The limit of samples and the profile are checked before the file is read, and again when it is stored. */
async function receiveSample(
  services: PlatformServices,
  { userId }: Actor,
  { title, replaces }: { title: unknown; replaces: string | undefined },
  { request, reply }: Http,
): Promise<void> {
  await limitUploads(services, userId);
  if (replaces !== undefined && !isUuid(replaces)) throw notFound("Sample not found");
  const { artistId } = await services.database.transaction((tx) => requireSampleSlot(tx, userId, replaces));
  const time = uploadTimeout();
  const signal = uploadSignal(time, reply.raw);
  const bytes = await readBody(request, maxSoundBytes, time);
  const sample = await encodeSample(bytes, { account: userId, signal });
  await storeSample(services, { userId, artistId, sample, title: sampleTitle(title), replaces });
}

const sampleTitle = (given: unknown): string =>
  Array.from(cleanName((typeof given === "string" ? given : "").toWellFormed()))
    .slice(0, maxSampleTitleLength)
    .join("")
    .trim() || "Sample";

const limitUploads = (services: PlatformServices, userId: string) =>
  services.limits.hit(`upload:${userId}`, uploadsAnHour, 3_600);
