export type Random = ReturnType<typeof seededRandom>;

/** Starts a pseudo-random generator (mulberry32): the same numbers for the same seed. */
export function seededRandom(seed: number) {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const pick = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(next() * list.length)];
    if (found === undefined) throw new RangeError("nothing to pick from");
    return found;
  };
  return {
    next,
    between,
    pick,
    boolean: (probability: number) => next() < probability,
    /** Returns `count` different entries, in the list's order. */
    sample: <T>(list: readonly T[], count: number): T[] => {
      const left = list.map((entry, index) => ({ entry, index, key: next() }));
      left.sort((a, b) => a.key - b.key);
      return left
        .slice(0, count)
        .sort((a, b) => a.index - b.index)
        .map(({ entry }) => entry);
    },
    id: (): string => {
      const hex = Array.from({ length: 32 }, () => between(0, 15).toString(16)).join("");
      const variant = ((Number.parseInt(hex[16] ?? "0", 16) & 3) | 8).toString(16);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}
