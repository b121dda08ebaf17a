import { createMp3Encoder, createOggEncoder } from "wasm-media-encoders";

const rate = 16_000;

type Recording = { seconds?: number; amplitude?: number; channels?: 1 | 2; loudFrom?: number };

/** Returns a tone of 220 Hz, at a tenth of its amplitude before the second `loudFrom`. */
function tone({ seconds = 4, amplitude = 0.4, channels = 1, loudFrom = 0 }: Recording): Float32Array[] {
  const wave = Float32Array.from(
    { length: seconds * rate },
    (_, at) => Math.sin((2 * Math.PI * 220 * at) / rate) * amplitude * (at < loudFrom * rate ? 0.1 : 1),
  );
  return Array.from({ length: channels }, () => wave);
}

export async function makeRecording(format: "mp3" | "ogg", recording: Recording = {}): Promise<Buffer> {
  const encoder = await (format === "mp3" ? createMp3Encoder() : createOggEncoder());
  encoder.configure({ sampleRate: rate, channels: recording.channels ?? 1 });
  const first = Buffer.from(encoder.encode(tone(recording)));
  return Buffer.concat([first, Buffer.from(encoder.finalize())]);
}
