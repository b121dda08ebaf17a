/** The files themselves: uploads by their artist, and the public addresses of the bucket artist-media. */
import type { Readable } from "node:stream";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "#platform/errors.ts";
import { encodeUpload } from "#platform/files/pictures.ts";
import { readUpload, uploadTime } from "#platform/files/upload.ts";
import { allowCall } from "#platform/http/access.ts";
import { type Actor, requireActor } from "#platform/http/context.ts";
import { contextOf } from "#platform/http/request.ts";
import { bearerOf } from "#platform/http/request-headers.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { authenticate } from "#users/index.ts";
import type { UploadedPicture } from "./api.ts";
import { mediaBucket, mostStoredFiles, pictureOfFile, type UploadKind, uploadKinds } from "../media.rules.ts";
import { storePicture } from "./files.ts";
import { countFiles } from "./views.ts";

const uploadsAnHour = 60;

/** A file's name is never used again, and nothing in it may run or load, even when it is opened as a page of its own. */
const inert = {
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "cross-origin",
};

/** `POST /api/artist/media/{photo|video}` stores a picture (201 with its address); `GET /storage/artist-media/{userId}/{file}` serves it. */
export const artistFilesPlugin =
  (services: PlatformServices): FastifyPluginAsync =>
  async (app) => {
    // The body stays a stream: it is read after the caller is known, and never further than 5 MB.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, body, done) => done(null, body));
    app.post<{ Params: { kind: string } }>("/api/artist/media/:kind", async (request, reply) => {
      reply.header("cache-control", "no-store");
      try {
        const actor = await requireArtist(services, request, reply);
        const kind = uploadKinds.find((known) => known === request.params.kind);
        if (!kind) throw new Problem("not_found", "There is nothing at this address.");
        return await reply.code(201).send(await receiveUpload(services, actor, kind, request));
      } catch (error) {
        // Part of the body may still be on its way; nobody reads it.
        if (!request.raw.complete) reply.header("connection", "close");
        throw error;
      }
    });
    app.get<{ Params: { folder: string; file: string } }>(
      `/storage/${mediaBucket}/:folder/:file`,
      async (request, reply) => {
        const name = `${request.params.folder}/${request.params.file}`;
        const type = pictureOfFile(name)?.type;
        const file = type && (await services.files.open(`${mediaBucket}/${name}`));
        if (!type || !file) throw new Problem("not_found", "This picture does not exist.");
        return reply.headers({ ...inert, "content-type": type, "content-length": file.bytes }).send(file.stream);
      },
    );
  };

async function requireArtist(services: PlatformServices, request: FastifyRequest, reply: FastifyReply): Promise<Actor> {
  const context = contextOf(request, reply, services, await authenticate(services, bearerOf(request.headers)));
  allowCall("artist", context);
  return requireActor(context);
}

async function receiveUpload(
  services: PlatformServices,
  { userId }: Actor,
  kind: UploadKind,
  request: FastifyRequest,
): Promise<UploadedPicture> {
  await services.limits.hit(
    `upload:${userId}`,
    uploadsAnHour,
    3_600,
    "You have uploaded many pictures in a short time. Please wait a while and try again.",
  );
  if ((await countFiles(services.database.db, userId)) >= mostStoredFiles)
    throw new Problem(
      "conflict",
      `You have ${mostStoredFiles} pictures stored, which is the most there can be. Please remove some first.`,
    );
  if (!(request.body as Readable | undefined)?.readable) throw notFileSent();
  const announced = request.headers["content-length"];
  const signal = uploadTime();
  const announcedBytes = announced === undefined ? undefined : Number(announced);
  const bytes = await readUpload(request.body as Readable, announcedBytes, undefined, signal);
  const picture = await encodeUpload(bytes, request.headers["content-type"], { account: userId, signal });
  return storePicture(services, { userId, kind, picture });
}

const notFileSent = () => new Problem("invalid", "The file is empty.");
