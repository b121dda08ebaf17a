/** Names and addresses of uploaded pictures and samples. Pure; the browser reads it too. */

export const mediaBucket = "artist-media";
const served = `/storage/${mediaBucket}/`;

/** A photo of the artist or of the portfolio; or the poster picture of a video that is kept elsewhere (design, section 12). */
export const uploadKinds = ["photo", "video"] as const;
export type UploadKind = (typeof uploadKinds)[number];

/** What a portfolio may hold, and how many files one account may have stored. */
export const mostPortfolioPictures = 24;
export const mostStoredFiles = 50;
export const longestCaption = 200;

/** How many sound samples an artist may have, and how long their names may be. */
export const mostSamples = 5;
export const longestSampleTitle = 80;

/** What is known of an uploaded picture before it is loaded. Pixels; the thumbhash is base64; `avif` once a job has made those files. */
export type PictureImage = { width: number; height: number; thumbhash: string; avif: boolean };

export const smallWidth = 480;

/** The name of a picture in the bucket: `{userId}/{photo|video}_{timestamp}.webp`; the timestamp in digits. */
export const fileName = (userId: string, kind: UploadKind, timestamp: string): string =>
  `${userId}/${kind}_${timestamp}.webp`;

const withEnding = (name: string, ending: string): string => name.replace(/\.webp$/, ending);

/** The files of one uploaded picture: as it is shown, small, and both as AVIF. */
export const filesOf = (name: string) => ({
  main: name,
  small: withEnding(name, "_480.webp"),
  avif: withEnding(name, ".avif"),
  smallAvif: withEnding(name, "_480.avif"),
});

/** Every name that can be a file of an uploaded picture, with the name of its picture as a group of its parts. */
const storedName = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/((?:photo|video)_\d{1,19})(?:_480)?\.(webp|avif)$/;

/** The picture that a file of the bucket belongs to; undefined for every other name. */
export function pictureOfFile(name: string): { picture: string; type: "image/webp" | "image/avif" } | undefined {
  const [, userId, base, ending] = storedName.exec(name) ?? [];
  if (!userId || !base) return undefined;
  return { picture: `${userId}/${base}.webp`, type: ending === "avif" ? "image/avif" : "image/webp" };
}

/** The name of a sample in the bucket: `{artistId}/sample_{timestamp}.mp3`; the timestamp in digits. */
export const sampleName = (artistId: string, timestamp: string): string => `${artistId}/sample_${timestamp}.mp3`;

const storedSample = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/sample_\d{1,19}\.mp3$/;
export const isSampleName = (name: string): boolean => storedSample.test(name);

export const allFilesOf = (name: string): string[] => (isSampleName(name) ? [name] : Object.values(filesOf(name)));

/** The upload that a file of the bucket belongs to, and what the file is; undefined for every other name. */
export function uploadOfFile(
  name: string,
): { upload: string; type: "image/webp" | "image/avif" | "audio/mpeg" } | undefined {
  if (isSampleName(name)) return { upload: name, type: "audio/mpeg" };
  const file = pictureOfFile(name);
  return file && { upload: file.picture, type: file.type };
}

export const addressOfFile = (name: string): string => `${served}${name}`;

/** The name of the uploaded picture behind an address; undefined for drawn pictures and foreign addresses. */
export function pictureOfAddress(address: string): string | undefined {
  if (!address.startsWith(served)) return undefined;
  const name = address.slice(served.length);
  return pictureOfFile(name)?.picture === name ? name : undefined;
}

/** What an img and its source need: one address, and for an uploaded picture the choices by width and format. */
export type PictureSources = { src: string; srcSet?: string; avifSrcSet?: string; width?: number; height?: number };

/** The addresses of a picture. Only an uploaded one has files of several sizes. */
export function pictureSources(address: string, image: PictureImage | null): PictureSources {
  if (!image || pictureOfAddress(address) === undefined) return { src: address };
  const files = filesOf(address);
  const smallSide = Math.min(smallWidth, image.width);
  const choice = (small: string, main: string) =>
    image.width > smallWidth ? `${small} ${smallSide}w, ${main} ${image.width}w` : `${main} ${image.width}w`;
  return {
    src: address,
    srcSet: choice(files.small, files.main),
    ...(image.avif ? { avifSrcSet: choice(files.smallAvif, files.avif) } : {}),
    width: image.width,
    height: image.height,
  };
}
