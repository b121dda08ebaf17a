/** The index of an MP4 file ("moov") before its sound, so the sound can be decoded piece by piece. */

type Box = { type: string; start: number; body: number; end: number };

const containers = new Set(["trak", "mdia", "minf", "stbl"]);

/** The boxes between two offsets. Throws a RangeError if a box is longer than what holds it. */
function* boxesOf(bytes: Buffer, from: number, to: number): Generator<Box> {
  for (let start = from; start + 8 <= to;) {
    const short = bytes.readUInt32BE(start);
    const body = start + (short === 1 ? 16 : 8);
    const length = short === 1 ? Number(bytes.readBigUInt64BE(start + 8)) : short === 0 ? to - start : short;
    const end = start + length;
    if (end < body || end > to) throw new RangeError("a box is longer than its file");
    yield { type: bytes.toString("latin1", start + 4, start + 8), start, body, end };
    start = end;
  }
}

/** Adds `by` to every offset into the file that the index holds. */
function moveOffsets(index: Buffer, from: number, to: number, by: number): void {
  for (const { type, body, end } of boxesOf(index, from, to)) {
    if (containers.has(type)) moveOffsets(index, body, end, by);
    if (type !== "stco" && type !== "co64") continue;
    const count = index.readUInt32BE(body + 4);
    for (let entry = 0; entry < count; entry++)
      if (type === "stco") {
        const at = body + 8 + entry * 4;
        index.writeUInt32BE(index.readUInt32BE(at) + by, at);
      } else {
        const at = body + 8 + entry * 8;
        index.writeBigUInt64BE(index.readBigUInt64BE(at) + BigInt(by), at);
      }
  }
}

/** Returns the file with its index in front. Throws a RangeError if it is cut off or has no index. */
export function withIndexFirst(bytes: Buffer): Buffer {
  const boxes = [...boxesOf(bytes, 0, bytes.length)];
  const moov = boxes.find(({ type }) => type === "moov");
  const sound = boxes.find(({ type }) => type === "mdat");
  if (!moov || !sound) throw new RangeError("an MP4 without index or sound");
  if (moov.start < sound.start) return bytes;
  const index = Buffer.from(bytes.subarray(moov.start, moov.end));
  moveOffsets(index, moov.body - moov.start, index.length, index.length);
  return Buffer.concat([
    bytes.subarray(0, sound.start),
    index,
    bytes.subarray(sound.start, moov.start),
    bytes.subarray(moov.end),
  ]);
}
