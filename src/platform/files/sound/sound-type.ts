import { fileTypeFromBuffer } from "file-type";
import { Problem } from "../../errors.ts";

const decoders = { "audio/mpeg": "mp3", "audio/ogg": "vorbis", "audio/ogg; codecs=opus": "opus" } as const;
export type SoundFormat = (typeof decoders)[keyof typeof decoders];

const isKnown = (mime: string): mime is keyof typeof decoders => mime in decoders;

/** Returns the format of a recording by its first bytes. Throws unless it is MP3 or OGG (Vorbis or Opus) with one or two channels. */
export async function requireSoundFormat(bytes: Buffer): Promise<SoundFormat> {
  const mime = (await fileTypeFromBuffer(bytes))?.mime ?? "";
  if (!isKnown(mime)) throw new Problem("unsupported", "We can’t read this file. Save it as MP3 or OGG and try again.");
  if (channelsOfOgg(bytes) > 2)
    throw new Problem("unsupported", "This file has more than two channels. Save it in stereo and try again.");
  return decoders[mime];
}

/** Returns the channels in the head of an OGG file. Few bytes can claim hundreds, each of which takes memory. */
function channelsOfOgg(bytes: Buffer): number {
  const head = bytes.subarray(0, 512);
  const vorbis = head.indexOf("\u0001vorbis");
  if (vorbis >= 0) return head[vorbis + 11] ?? 0;
  const opus = head.indexOf("OpusHead");
  return opus >= 0 ? (head[opus + 9] ?? 0) : 0;
}
