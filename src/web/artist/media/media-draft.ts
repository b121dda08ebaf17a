import type { PictureImage } from "#artists/media.rules.ts";
import { videoAddress, videoAddressMessage } from "#artists/media/video.rules.ts";
import type { MediaInput, OwnMedia } from "../../lib/api/artist/own-media.ts";

export type DraftPicture = Readonly<{ url: string; image: PictureImage | null; alt: string; caption: string }>;
export type MediaDraft = Readonly<{
  photo: Readonly<{ url: string; image: PictureImage | null }> | null;
  video_url: string;
  video_poster: DraftPicture | null;
  items: readonly DraftPicture[];
}>;

const pictureOf = ({ url, image, alt, caption }: DraftPicture): DraftPicture => ({ url, image, alt, caption });

export const draftOf = (media: OwnMedia): MediaDraft => ({
  photo: media.photo_url === null ? null : { url: media.photo_url, image: media.photo_image },
  video_url: media.video_url ?? "",
  video_poster: media.video_poster && pictureOf(media.video_poster),
  items: media.items.map(pictureOf),
});

export const partNames = {
  photo: "the photo",
  video_url: "the video",
  video_poster: "the video's picture",
  items: "the portfolio",
} as const;

/** Returns the parts without `image`, which changes when the server has made an AVIF file. */
export const editableParts = ({ photo, video_url, video_poster, items }: MediaDraft) => ({
  photo: photo && { url: photo.url },
  video_url,
  video_poster: video_poster && wordsOf(video_poster),
  items: items.map(wordsOf),
});

export function changedParts(stored: MediaDraft, draft: MediaDraft): (keyof MediaDraft)[] {
  const [before, after] = [editableParts(stored), editableParts(draft)];
  return (Object.keys(partNames) as (keyof MediaDraft)[]).filter(
    (part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]),
  );
}

export function draftProblems({ video_url }: MediaDraft): Readonly<Record<string, string>> {
  const video = video_url.trim();
  return video === "" || videoAddress(video) !== undefined ? {} : { video_url: videoAddressMessage };
}

export const inputOf = (draft: MediaDraft): Omit<MediaInput, "version"> => ({
  photo_url: draft.photo?.url ?? null,
  video_url: draft.video_url.trim() || null,
  video_poster: draft.video_poster && wordsOf(draft.video_poster),
  items: draft.items.map(wordsOf),
});

const wordsOf = ({ url, alt, caption }: DraftPicture) => ({ url, alt, caption });

export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const entry = list[from];
  if (entry === undefined || to < 0 || to >= list.length) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, entry);
}
