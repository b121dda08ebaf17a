export const mediaBucket = "artist-media";
const served = `/storage/${mediaBucket}/`;

/** A photo of the artist or of the portfolio, or the poster picture of an external video. */
export const uploadKinds = ["photo", "video"] as const;
export type UploadKind = (typeof uploadKinds)[number];

export const maxPortfolioPictures = 24;
export const maxStoredFiles = 50;
export const maxCaptionLength = 200;

export const maxSamples = 5;
export const maxSampleTitleLength = 80;

/** The size in pixels and the thumbhash in base64. `avif` is true once a job has made those files. */
export type PictureImage = { width: number; height: number; thumbhash: string; avif: boolean };

const smallWidth = 480;

export const fileName = (userId: string, kind: UploadKind, timestamp: string): string =>
  `${userId}/${kind}_${timestamp}.webp`;

const withEnding = (name: string, ending: string): string => name.replace(/\.webp$/, ending);

export const filesOf = (name: string) => ({
  main: name,
  small: withEnding(name, "_480.webp"),
  avif: withEnding(name, ".avif"),
  smallAvif: withEnding(name, "_480.avif"),
});

const storedName = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/((?:photo|video)_\d{1,19})(?:_480)?\.(webp|avif)$/;

export function pictureOfFile(name: string): { picture: string; type: "image/webp" | "image/avif" } | undefined {
  const [, userId, base, ending] = storedName.exec(name) ?? [];
  if (!userId || !base) return undefined;
  return { picture: `${userId}/${base}.webp`, type: ending === "avif" ? "image/avif" : "image/webp" };
}

export const sampleName = (artistId: string, timestamp: string): string => `${artistId}/sample_${timestamp}.mp3`;

const storedSample = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/sample_\d{1,19}\.mp3$/;
const isSampleName = (name: string): boolean => storedSample.test(name);

export const allFilesOf = (name: string): string[] => (isSampleName(name) ? [name] : Object.values(filesOf(name)));

export function uploadOfFile(name: string) {
  if (isSampleName(name)) return { upload: name, type: "audio/mpeg" };
  const file = pictureOfFile(name);
  return file && { upload: file.picture, type: file.type };
}

export const addressOfFile = (name: string): string => `${served}${name}`;

/** Undefined for drawn pictures and external addresses. */
export function pictureOfAddress(address: string): string | undefined {
  if (!address.startsWith(served)) return undefined;
  const name = address.slice(served.length);
  return pictureOfFile(name)?.picture === name ? name : undefined;
}

type PictureSources = { src: string; srcSet?: string; avifSrcSet?: string; width?: number; height?: number };

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
