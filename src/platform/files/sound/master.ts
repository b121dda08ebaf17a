import {
  ebur128_integrated_mono,
  ebur128_integrated_stereo,
  ebur128_true_peak_mono,
} from "ebur128-wasm/ebur128_wasm.js";
import { createMp3Encoder } from "wasm-media-encoders";
import { invalid } from "../../errors.ts";
import { playedLoudness } from "../upload.rules.ts";
import type { Excerpt } from "./decode.ts";

/** A sample as it is stored. `loudness` is the recording's in LUFS, `gain` the added decibels. `bars` has 96 characters. */
export type Sample = { mp3: Uint8Array; seconds: number; loudness: number; gain: number; bars: string };

const kilobits = { full: 128, lowRate: 64 } as const; // per second: a low sampling rate needs no more than half
const highestPeak = -1; // decibels: above it the curve between two samples may clip (EBU R 128)
const silence = -60; // LUFS: below it nothing is audible
const fadeSeconds = 0.4;
const mp3Rates = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000] as const;

/** Returns the excerpt as a sample at -14 LUFS, or at less if its peaks would clip. Throws if it is silent. */
export async function master(excerpt: Excerpt): Promise<Sample> {
  const { channels, rate } = excerpt;
  const [left, right] = channels;
  if (!left) throw new Error("an excerpt without a channel");
  const loudness = right ? ebur128_integrated_stereo(rate, left, right) : ebur128_integrated_mono(rate, left);
  if (!(loudness > silence)) throw invalid("This recording is silent. Choose another one.");
  const peak = Math.max(...channels.map((channel) => ebur128_true_peak_mono(rate, channel)));
  const gain = Math.min(playedLoudness - loudness, highestPeak - peak);
  amplify(excerpt, 10 ** (gain / 20));
  return { mp3: await encodeMp3(channels, rate), seconds: left.length / rate, loudness, gain, bars: barsOf(channels) };
}

function amplify({ channels, rate, isCutAtStart, isCutAtEnd }: Excerpt, factor: number): void {
  const fade = fadeSeconds * rate;
  for (const channel of channels)
    for (let at = 0; at < channel.length; at++) {
      const fromStart = isCutAtStart ? Math.min(1, at / fade) : 1;
      const toEnd = isCutAtEnd ? Math.min(1, (channel.length - at) / fade) : 1;
      channel[at] = (channel[at] ?? 0) * factor * fromStart * toEnd;
    }
}

async function encodeMp3(channels: readonly Float32Array[], rate: number): Promise<Uint8Array> {
  const encoder = await createMp3Encoder();
  const outputSampleRate = mp3Rates.findLast((known) => known <= rate) ?? mp3Rates[0];
  encoder.configure({
    sampleRate: rate,
    channels: channels.length === 2 ? 2 : 1,
    bitrate: outputSampleRate < 32_000 ? kilobits.lowRate : kilobits.full,
    outputSampleRate,
  });
  const parts: Uint8Array[] = [];
  for (let at = 0; at < (channels[0]?.length ?? 0); at += rate)
    // The encoder overwrites what it returned, so each part is copied.
    parts.push(encoder.encode(channels.map((channel) => channel.subarray(at, at + rate))).slice());
  parts.push(encoder.finalize().slice());
  return Buffer.concat(parts);
}

const barCount = 96;
const highestBar = 35;

/** Returns the loudness of 96 equal parts relative to the loudest: one character each, from 0 to z. */
function barsOf(channels: readonly Float32Array[]): string {
  const length = channels[0]?.length ?? 0;
  const means = Array.from({ length: barCount }, (_, bar) => {
    const from = Math.floor((bar * length) / barCount);
    const to = Math.floor(((bar + 1) * length) / barCount);
    let sum = 0;
    for (const channel of channels) for (let at = from; at < to; at++) sum += (channel[at] ?? 0) ** 2;
    return Math.sqrt(sum / Math.max(1, to - from));
  });
  const max = Math.max(...means) || 1;
  return means.map((mean) => Math.round((mean / max) * highestBar).toString(36)).join("");
}
