/** Decodes uploaded pictures and encodes them again. Only our own encoding is stored, without metadata. */

import { rgbaToThumbHash } from "thumbhash";
import { Problem, invalid } from "../errors.ts";
import { requirePictureType } from "./picture-type.ts";
import { makeUploadQueue, type Turn } from "./upload-queue.ts";

/** More pixels than a camera makes are a decompression bomb. */
const maxPixels = 40_000_000;
/** A progressive JPEG and an interlaced PNG are decoded whole, not line by line. */
const maxProgressivePixels = 20_000_000;
const maxSide = 1_600;
const smallSide = 480;
const webpQuality = 80;
const avifQuality = 55;
const decodeSeconds = 20;

/** An uploaded picture as it is stored. `thumbhash` is base64 of 20 to 30 bytes, for a blurred preview. */
export type Picture = { webp: Buffer; small: Buffer; width: number; height: number; thumbhash: string };

/** libvips is loaded with the first picture: most processes never need it, and it takes 20 MB. */
type Sharp = (typeof import("sharp"))["default"];
let loading: Promise<Sharp> | undefined;
const loadSharp = () => (loading ??= import("sharp").then(({ default: sharp }) => restricted(sharp)));

function restricted(sharp: Sharp): Sharp {
  // One picture at a time and no cache of decoded ones bound the memory.
  sharp.cache(false);
  sharp.concurrency(1);
  // Only the decoders of the four upload formats are reachable.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({
    operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp", "VipsForeignLoadHeif"],
  });
  return sharp;
}

const inTurn = makeUploadQueue();

/** Encodes an upload: upright, at most 1,600 pixels a side, WebP. Throws for other types, more than 40 megapixels, or damage. */
export const encodeUpload = (bytes: Buffer, declaredType: string | undefined, turn?: Turn): Promise<Picture> =>
  decode(bytes, { declaredType, turn }, encode);

async function decode<T>(
  bytes: Buffer,
  { declaredType, turn }: { declaredType: string | undefined; turn?: Turn | undefined },
  work: (sharp: Sharp, bytes: Buffer) => Promise<T>,
): Promise<T> {
  await requirePictureType(bytes, declaredType);
  return inTurn(async () => {
    try {
      const sharp = await loadSharp();
      await refuseBombs(sharp, bytes);
      return await work(sharp, bytes);
    } catch (error) {
      throw error instanceof Problem
        ? error
        : invalid("This picture is damaged or incomplete and cannot be read. Please save it again.");
    }
  }, turn);
}

/** Anyone can request drawings, each takes a third of a second, and uploads wait behind them. */
const maxDrawings = 30;
let drawings = 0;

/** Renders an SVG of this server as PNG. The SVG decoder is enabled for this picture alone. No upload reaches it. Throws unavailable (503) while 30 others wait. */
export async function renderDrawing(svg: string): Promise<Buffer> {
  if (drawings >= maxDrawings)
    throw new Problem("unavailable", "Many pictures are being drawn right now. Try again in a minute.", {
      retryAfterSeconds: 60,
    });
  drawings++;
  try {
    return await inTurn(() => draw(svg));
  } finally {
    drawings--;
  }
}

async function draw(svg: string): Promise<Buffer> {
  const sharp = await loadSharp();
  const operation = ["VipsForeignLoadSvg"];
  sharp.unblock({ operation });
  try {
    return await sharp(Buffer.from(svg)).png({ palette: true }).toBuffer();
  } finally {
    sharp.block({ operation });
  }
}

async function refuseBombs(sharp: Sharp, bytes: Buffer): Promise<void> {
  const { width, height, isProgressive } = await sharp(bytes, { limitInputPixels: false }).metadata();
  const max = isProgressive ? maxProgressivePixels : maxPixels;
  if (width * height <= max) return;
  const megapixels = Math.round((width * height) / 1_000_000).toLocaleString("en");
  const limit = isProgressive ? "at most 20 can be read of a progressive or interlaced one" : "at most 40 can be read";
  throw invalid(`This picture has ${megapixels} megapixels: ${limit}.`);
}

async function encode(sharp: Sharp, bytes: Buffer): Promise<Picture> {
  const main = await sharp(bytes, { limitInputPixels: maxPixels, failOn: "truncated", sequentialRead: true })
    .timeout({ seconds: decodeSeconds })
    .autoOrient()
    .resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
    .webp({ quality: webpQuality })
    .toBuffer({ resolveWithObject: true });
  const small = await sharp(main.data)
    .resize({ width: smallSide, withoutEnlargement: true })
    .webp({ quality: webpQuality })
    .toBuffer();
  const tiny = await sharp(main.data)
    .resize({ width: 100, height: 100, fit: "inside" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const thumbhash = rgbaToThumbHash(tiny.info.width, tiny.info.height, tiny.data);
  return {
    webp: main.data,
    small,
    width: main.info.width,
    height: main.info.height,
    thumbhash: Buffer.from(thumbhash).toString("base64"),
  };
}

/** The longest sides of a stored logo, in pixels: three times those in a header or an email. */
const logoSides = { width: 900, height: 240 } as const;

/** A logo as it is stored: PNG, which every email program shows and which preserves a transparent background. */
export type Logo = { png: Buffer; width: number; height: number };

export const encodeLogo = (bytes: Buffer, declaredType: string | undefined): Promise<Logo> =>
  decode(bytes, { declaredType }, async (sharp) => {
    const { data, info } = await sharp(bytes, { limitInputPixels: maxPixels, failOn: "truncated" })
      .timeout({ seconds: decodeSeconds })
      .autoOrient()
      .resize({ ...logoSides, fit: "inside", withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer({ resolveWithObject: true });
    return { png: data, width: info.width, height: info.height };
  });

/** Encodes a stored WebP picture as AVIF, about a third smaller. Takes one or two seconds, so a job calls it. */
export const encodeAvif = (webp: Buffer): Promise<Buffer> =>
  inTurn(async () => {
    const sharp = await loadSharp();
    return sharp(webp, { limitInputPixels: maxPixels }).avif({ quality: avifQuality, effort: 2 }).toBuffer();
  });
