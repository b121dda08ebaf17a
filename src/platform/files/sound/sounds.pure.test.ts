import decode from "@audio/decode-mp3";
import { describe, expect, test, vi } from "vitest";
import { makeRecording } from "#test/factories/recordings.ts";
import { loudestStart } from "./decode.ts";
import { encodeSample } from "./sounds.ts";

const rms = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);

describe("encodeSample", () => {
  test.each([
    ["MP3", () => makeRecording("mp3")],
    ["MP3 in stereo", () => makeRecording("mp3", { channels: 2 })],
    ["OGG Vorbis", () => makeRecording("ogg")],
  ])("makes an MP3 at the same loudness of %s", async (_what, make) => {
    const sample = await encodeSample(await make());
    expect(sample.seconds).toBeGreaterThan(3.8);
    expect(sample.seconds).toBeLessThan(4.3);
    expect(sample.loudness + sample.gain).toBeLessThanOrEqual(-13.9);
    expect(sample.bars).toMatch(/^[0-9a-z]{96}$/);
    const { channelData, sampleRate } = await decode(sample.mp3);
    expect((channelData[0]?.length ?? 0) / sampleRate).toBeCloseTo(sample.seconds, 0);
  });

  test("raises a quiet recording and lowers a loud one to one level", async () => {
    const levels = [];
    for (const amplitude of [0.02, 0.9]) {
      const sample = await encodeSample(await makeRecording("mp3", { amplitude }));
      expect(sample.loudness + sample.gain).toBeCloseTo(-14, 1);
      const { channelData } = await decode(sample.mp3);
      levels.push(rms(channelData[0] ?? new Float32Array()));
    }
    const [quiet = 0, loud = 0] = levels;
    expect(quiet / loud).toBeCloseTo(1, 1);
  });

  test("works in Node's watch mode, as npm run dev uses it", async () => {
    vi.stubEnv("WATCH_REPORT_DEPENDENCIES", "1");
    try {
      expect((await encodeSample(await makeRecording("mp3"))).seconds).toBeGreaterThan(3.8);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("stores the loudest 90 seconds of a longer recording, without its title", async () => {
    const recording = await makeRecording("mp3", { seconds: 130, loudFrom: 35 });
    const title = Buffer.from(
      "ID3\u0003\u0000\u0000\u0000\u0000\u0000\u0020TIT2\u0000\u0000\u0000\u0016\u0000\u0000\u0000secret-title-of-owner",
      "latin1",
    );
    const tagged = Buffer.concat([title, Buffer.alloc(42 - title.length), recording]);
    const sample = await encodeSample(tagged);
    expect(sample.seconds).toBe(90);
    expect(Buffer.from(sample.mp3).toString("latin1")).not.toMatch(/secret-title|ID3|TIT2/);
    // The quiet beginning is left out: the first bar is not a tenth of the others.
    expect(Number.parseInt(sample.bars[1] ?? "0", 36)).toBeGreaterThan(30);
  });

  test("reads an MP3 with a large picture in its tag", async () => {
    const sample = await encodeSample(Buffer.concat([id3(300_000), await makeRecording("mp3", { seconds: 5 })]));
    expect(sample.seconds).toBeCloseTo(5, 0);
  });

  test.each([
    ["nothing", async () => Buffer.alloc(0), /can’t read this file/],
    ["a PNG named as MP3", async () => Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), /can’t read this file/],
    ["noise", async () => Buffer.alloc(9_000, 7), /can’t read this file/],
    ["the head of an MP3", async () => (await makeRecording("mp3")).subarray(0, 400), /damaged|shorter than 3 seconds/],
    ["the head of an OGG file", async () => (await makeRecording("ogg")).subarray(0, 2_000), /damaged/],
    ["an MP3 of one second", () => makeRecording("mp3", { seconds: 1 }), /shorter than 3 seconds/],
    [
      "the head of an MP3 and noise",
      async () => Buffer.concat([id3(20), (await makeRecording("mp3")).subarray(0, 400), noise(50_000)]),
      /damaged/,
    ],
    [
      "an MP3 of one second with a large picture in its tag",
      async () => Buffer.concat([id3(300_000), await makeRecording("mp3", { seconds: 1 })]),
      /shorter than 3 seconds/,
    ],
    ["silence", () => makeRecording("mp3", { amplitude: 0 }), /silent/],
    [
      "an OGG file that claims 255 channels",
      async () => channels(await makeRecording("ogg"), 255),
      /more than two channels/,
    ],
  ])("refuses %s with one message", async (_what, make, message) => {
    await expect(encodeSample(await make())).rejects.toMatchObject({
      name: "Problem",
      message: expect.stringMatching(message),
    });
  });

  test("reads the length from the sound, not from the file's metadata", async () => {
    const claiming = await makeRecording("ogg");
    // The position in the head of the last page, as if 100 hours had passed.
    const last = claiming.lastIndexOf("OggS");
    claiming.writeBigInt64LE(BigInt(100 * 3_600 * 16_000), last + 6);
    const outcome = await encodeSample(claiming).catch((error: unknown) => error);
    expect(outcome).toSatisfy(
      (value: { seconds?: number; name?: string }) => value.name === "Problem" || (value.seconds ?? 99) < 5,
    );
  });
});

/** Returns an ID3v2 tag with `size` empty bytes. */
function id3(size: number): Buffer {
  const sizeBytes = [21, 14, 7, 0].map((bits) => (size >> bits) & 127);
  return Buffer.concat([Buffer.from("ID3\u0003\u0000\u0000", "latin1"), Buffer.from(sizeBytes), Buffer.alloc(size)]);
}

/** Returns the same pseudo-random bytes in each run. */
function noise(length: number): Buffer {
  let state = 7;
  return Buffer.from(Array.from({ length }, () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) >> 16));
}

function channels(ogg: Buffer, count: number): Buffer {
  ogg[ogg.indexOf("\u0001vorbis") + 11] = count;
  return ogg;
}

test("loudestStart finds the loudest 90 seconds, and the beginning of an even recording", () => {
  expect(loudestStart(Array.from({ length: 400 }, (_, second) => (second >= 120 && second < 210 ? 9 : 1)))).toBe(120);
  expect(loudestStart(Array.from({ length: 400 }, () => 1))).toBe(0);
  expect(loudestStart([1, 2, 3])).toBe(0);
});
