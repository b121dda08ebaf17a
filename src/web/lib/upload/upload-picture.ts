import type { UploadedPicture } from "#artists/media/api.ts";
import type { UploadKind } from "#artists/media.rules.ts";
import { uploadFile } from "./upload-file.ts";

/** Uploads a picture; `onProgress` gets the part that was sent, 0 to 1. Throws like the calls of the API do. */
export const uploadPicture = (
  kind: UploadKind,
  file: File,
  onProgress: (part: number) => void,
): Promise<UploadedPicture> => uploadFile<UploadedPicture>(`/api/artist/media/${kind}`, file, onProgress);
