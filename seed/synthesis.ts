import type { Genre } from "#artists/rules.ts";
import { seededRandom } from "./random.ts";

export const sampleRate = 32_000;

type Style = Readonly<{
  beatsPerMinute: number;
  drums: number;
  voice: "pluck" | "pad" | "saw";
  chords: readonly number[];
}>;

const bright = [0, 4, 5, 3] as const;
const dark = [5, 3, 0, 4] as const;
const jazzy = [1, 4, 0, 5] as const;

const styles: Readonly<Record<Genre, Style>> = {
  acoustic: { beatsPerMinute: 96, drums: 0, voice: "pluck", chords: bright },
  blues: { beatsPerMinute: 84, drums: 0.5, voice: "pluck", chords: [0, 3, 0, 4] },
  classical: { beatsPerMinute: 72, drums: 0, voice: "pad", chords: [0, 3, 4, 0] },
  country: { beatsPerMinute: 112, drums: 0.5, voice: "pluck", chords: bright },
  electronic: { beatsPerMinute: 122, drums: 1, voice: "saw", chords: dark },
  folk: { beatsPerMinute: 92, drums: 0, voice: "pluck", chords: bright },
  jazz: { beatsPerMinute: 132, drums: 0.4, voice: "pluck", chords: jazzy },
  pop: { beatsPerMinute: 116, drums: 0.9, voice: "saw", chords: dark },
  rock: { beatsPerMinute: 128, drums: 1, voice: "saw", chords: [0, 5, 3, 4] },
  soul: { beatsPerMinute: 88, drums: 0.7, voice: "pad", chords: jazzy },
  other: { beatsPerMinute: 104, drums: 0.5, voice: "pad", chords: bright },
};

const scale = [0, 2, 4, 5, 7, 9, 11] as const;

/** Returns the frequency of a step of the scale in hertz. Seven steps are an octave. */
const pitch = (root: number, step: number): number =>
  root * 2 ** ((12 * Math.floor(step / 7) + (scale[((step % 7) + 7) % 7] ?? 0)) / 12);

/** Returns `seconds` of mono music at 32 kHz, the same every time for a genre and a seed. */
export function synthesize(genre: Genre, { seconds, seed }: { seconds: number; seed: number }): Float32Array {
  const random = seededRandom(seed);
  const { beatsPerMinute, drums, voice, chords } = styles[genre];
  const out = new Float32Array(seconds * sampleRate);
  const beat = 60 / beatsPerMinute;
  const root = 110 * 2 ** (random.between(-4, 5) / 12);
  for (let count = 0; count * beat < seconds; count++) {
    const at = count * beat;
    const chord = chords[Math.floor(count / 4) % chords.length] ?? 0;
    // The music gets louder over its first four bars.
    const level = Math.min(1, 0.4 + count / 24);
    addNote(out, { at, length: beat * 0.9, hertz: pitch(root / 2, chord), level: 0.3 * level, voice: "pad" });
    for (const third of [0, 2, 4])
      addNote(out, { at, length: beat * 1.1, hertz: pitch(root, chord + third), level: 0.1 * level, voice });
    for (const half of [0, 0.5])
      if (random.boolean(0.7))
        addNote(out, {
          at: at + half * beat,
          length: beat * 0.6,
          hertz: pitch(root * 2, chord + random.pick([0, 1, 2, 4, 6])),
          level: 0.16 * level,
          voice: "pluck",
        });
    if (drums > 0) addDrums(out, { at, beat, count, level: drums, noise: random.next });
  }
  return out;
}

type Note = Readonly<{ at: number; length: number; hertz: number; level: number; voice: Style["voice"] }>;

function addNote(out: Float32Array, { at, length, hertz, level, voice }: Note): void {
  const from = Math.floor(at * sampleRate);
  const frames = Math.min(Math.floor(length * sampleRate), out.length - from);
  for (let n = 0; n < frames; n++) {
    const seconds = n / sampleRate;
    const phase = hertz * seconds;
    const attack = Math.min(1, seconds / (voice === "pad" ? 0.08 : 0.005));
    const fade = voice === "pluck" ? Math.exp(-5 * seconds) : Math.min(1, (frames - n) / (0.05 * sampleRate));
    out[from + n] = (out[from + n] ?? 0) + waveAt(phase, voice) * attack * fade * level;
  }
}

function waveAt(phase: number, voice: Style["voice"]): number {
  const turn = 2 * Math.PI * phase;
  if (voice === "saw") return [1, 2, 3, 4, 5].reduce((sum, n) => sum + Math.sin(turn * n) / n, 0) * 0.6;
  return (
    Math.sin(turn) +
    (voice === "pluck" ? 0.4 * Math.sin(2 * turn) + 0.2 * Math.sin(3 * turn) : 0.15 * Math.sin(2 * turn))
  );
}

type Hit = Readonly<{ at: number; beat: number; count: number; level: number; noise(): number }>;

/** A deep drum on each beat, a snare on every other, a cymbal between them. */
function addDrums(out: Float32Array, { at, beat, count, level, noise }: Hit): void {
  const add = (start: number, seconds: number, wave: (t: number) => number) => {
    const from = Math.floor(start * sampleRate);
    for (let n = 0; n < seconds * sampleRate && from + n < out.length; n++)
      out[from + n] = (out[from + n] ?? 0) + wave(n / sampleRate) * level;
  };
  add(at, 0.2, (t) => Math.sin(2 * Math.PI * (50 * t + 4 * (1 - Math.exp(-40 * t)))) * Math.exp(-14 * t) * 0.5);
  if (count % 2 === 1) add(at, 0.15, (t) => (noise() - 0.5) * Math.exp(-22 * t) * 0.5);
  add(at + beat / 2, 0.05, (t) => (noise() - 0.5) * Math.exp(-70 * t) * 0.3);
}
