/** Uploads of an artist's pictures through the server. */

import sharp from "sharp";
import type { UploadedPicture } from "#artists/media/api.ts";
import type { TestApp } from "#test/test-app.ts";

export const drawing = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 60, b: 40 } } });

/** Returns the rows and the files of an account's pictures. */
export async function storedPictures(app: TestApp, userId: string) {
  const rows = await app.database.db.selectFrom("artist_files").select("name").where("user_id", "=", userId).execute();
  const files = await app.services.files.list(`artist-media/${userId}`);
  return { rows: rows.map(({ name }) => name), files: files.map(({ name }) => name).sort() };
}

/** Makes an artist's account with its uploads. */
export async function makeUploader(app: TestApp) {
  const user = await app.make.user({ role: "artist" });
  const headers = await app.signIn(user);
  const call = async <T>(method: string, address: string, body?: object) => {
    const response = await app.request(address, { method, headers, ...(body ? { body } : {}) });
    return { status: response.status, body: (await response.json()) as T };
  };
  return {
    user,
    userId: user.id,
    headers,
    call,
    stored: () => storedPictures(app, user.id),
    upload: async (body: Buffer, type: string, kind = "photo") => {
      const response = await app.server.inject({
        method: "POST",
        url: `/api/artist/media/${kind}`,
        headers: { ...headers, "content-type": type },
        payload: body,
      });
      return { status: response.statusCode, body: response.json<UploadedPicture & { message: string }>() };
    },
  };
}
