/** Decodes a recording in pieces: at most the length of a sample is in memory. */

import { decoder as mp3Decoder } from "@audio/decode-mp3";
import { decoder as opusDecoder } from "@audio/decode-opus";
import { decoder as vorbisDecoder } from "@audio/decode-vorbis";
import { invalid } from "../../errors.ts";
import { maxSampleSeconds, maxMinutesRead, minSampleSeconds } from "../upload.rules.ts";
import type { SoundFormat } from "./sound-type.ts";

/** The part of a recording that becomes a sample. `isCutAtStart` and `isCutAtEnd`: the recording continues there. */
export type Excerpt = { channels: Float32Array[]; rate: number; isCutAtStart: boolean; isCutAtEnd: boolean };

/** A few bytes can encode minutes of silence, so the pieces are small. */
const pieceBytes = 4_096;

type AudioData = { channelData: Float32Array[]; sampleRate: number };
type Decoder = { decode(piece: Uint8Array): AudioData; flush?(): AudioData; free(): void };
const decoders: Readonly<Record<SoundFormat, () => Promise<Decoder>>> = {
  mp3: mp3Decoder,
  vorbis: vorbisDecoder,
  opus: opusDecoder,
};

const hasFrames = ({ channelData: [first] }: AudioData): boolean => first !== undefined && first.length > 0;

async function* decodedPieces(bytes: Buffer, format: SoundFormat): AsyncGenerator<AudioData> {
  const decoder = await decoders[format]();
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const data = decoder.decode(bytes.subarray(at, at + pieceBytes));
      if (hasFrames(data)) yield data;
    }
    const rest = decoder.flush?.();
    if (rest && hasFrames(rest)) yield rest;
  } finally {
    decoder.free();
  }
}

/** Returns the loudest 90 seconds of a recording, or all of a shorter one. Throws if it is damaged, silent or too short. */
export async function loudestExcerpt(bytes: Buffer, format: SoundFormat): Promise<Excerpt> {
  const { energies, rate, frames } = await measureSeconds(bytes, format);
  if (rate === 0 || frames === 0) throw damaged();
  if (frames < minSampleSeconds * rate && format === "mp3" && isTooDense(bytes, frames / rate)) throw damaged();
  if (frames < minSampleSeconds * rate)
    throw invalid(`This recording is shorter than ${minSampleSeconds} seconds. Choose a longer one.`);
  const start = loudestStart(energies) * rate;
  const length = Math.min(maxSampleSeconds * rate, frames - start);
  const channels = await readFrames(bytes, format, { start, length });
  return { channels, rate, isCutAtStart: start > 0, isCutAtEnd: start + length < frames };
}

/** The highest rate of an MP3, 320 kbit/s, in bytes per second. */
const maxMp3Rate = 40_000;
/** Space for the head and a damaged frame of a recording that is really short. */
const spareBytes = 4_096;

/** Returns true if an MP3 has more bytes than the decoded seconds can have: most of it could not be read. */
const isTooDense = (bytes: Buffer, seconds: number): boolean =>
  bytes.length - tagBytes(bytes) > seconds * maxMp3Rate + spareBytes;

/** Returns the length of the ID3v2 tag at the start, which can contain a picture. Each byte of its size has 7 bits. */
function tagBytes(bytes: Buffer): number {
  if (bytes.toString("latin1", 0, 3) !== "ID3") return 0;
  const size = bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
  return Math.min(10 + size, bytes.length);
}

export const damaged = () => invalid("This recording is damaged or incomplete. Save it again as MP3 and try again.");

/** Yields the decoded pieces of the first minutes, each with the position of its first frame. Ends early if the rate changes. */
async function* framesOf(
  bytes: Buffer,
  format: SoundFormat,
): AsyncGenerator<AudioData & { position: number; length: number }> {
  let position = 0;
  let rate: number | undefined;
  for await (const data of decodedPieces(bytes, format)) {
    const length = data.channelData[0]?.length ?? 0;
    rate ??= data.sampleRate;
    if (data.sampleRate !== rate || position > maxMinutesRead * 60 * rate) return;
    yield { ...data, position, length };
    position += length;
  }
}

async function measureSeconds(bytes: Buffer, format: SoundFormat) {
  const energies: number[] = [];
  let rate = 0;
  let frames = 0;
  for await (const { channelData, sampleRate, position, length } of framesOf(bytes, format)) {
    rate = sampleRate;
    for (const channel of channelData)
      for (let at = 0; at < length; at++) {
        const second = Math.floor((position + at) / rate);
        const value = channel[at] ?? 0;
        energies[second] = (energies[second] ?? 0) + value * value;
      }
    frames = position + length;
  }
  return { energies, rate, frames };
}

export function loudestStart(energies: readonly number[]): number {
  let sum = 0;
  let max = -1;
  let start = 0;
  for (let end = 0; end < energies.length; end++) {
    sum += (energies[end] ?? 0) - (energies[end - maxSampleSeconds] ?? 0);
    // A millionth more than before is rounding, not loudness.
    if (sum <= max * (1 + 1e-6)) continue;
    max = sum;
    start = Math.max(0, end + 1 - maxSampleSeconds);
  }
  return start;
}

async function readFrames(bytes: Buffer, format: SoundFormat, part: { start: number; length: number }) {
  const channels: Float32Array[] = [];
  for await (const { channelData, position, length } of framesOf(bytes, format)) {
    if (position >= part.start + part.length) break;
    const from = Math.max(0, part.start - position);
    const to = Math.min(length, part.start + part.length - position);
    if (to <= from) continue;
    for (const [n, data] of mixed(channelData).entries()) {
      channels[n] ??= new Float32Array(part.length);
      channels[n].set(data.subarray(from, to), position + from - part.start);
    }
  }
  return channels;
}

function mixed(channels: readonly Float32Array[]): readonly Float32Array[] {
  const [first] = channels;
  if (!first || channels.length <= 2) return channels;
  return [first.map((_, at) => channels.reduce((sum, channel) => sum + (channel[at] ?? 0), 0) / channels.length)];
}
