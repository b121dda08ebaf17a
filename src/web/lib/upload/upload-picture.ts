import type { UploadKind } from "#artists/media.rules.ts";
import type { UploadedPicture } from "#artists/media/api.ts";
import { uploadFile } from "./upload-file.ts";

export const uploadPicture = (
  kind: UploadKind,
  file: File,
  onProgress: (part: number) => void,
): Promise<UploadedPicture> => uploadFile<UploadedPicture>(`/api/artist/media/${kind}`, file, onProgress);
