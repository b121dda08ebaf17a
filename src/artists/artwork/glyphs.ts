/** The alphabet of the posters: one stroke skeleton per character, drawn into any box. */

import { svg } from "./drawing.ts";

export const widths: Readonly<Record<string, number>> = {
  M: 1.34,
  W: 1.44,
  I: 0,
  1: 0.62,
  J: 0.86,
  E: 0.86,
  F: 0.84,
  L: 0.82,
  T: 0.98,
  " ": 0.42,
  "-": 0.6,
  ".": 0,
  "'": 0,
  "&": 1.12,
};

type SignBox = { x: number; y: number; w: number; h: number; stroke: number; round: number };

const M = (x: number, y: number) => svg`M${x} ${y}`;
const L = (x: number, y: number) => svg`L${x} ${y}`;
const A = (r: number, x: number, y: number, sweep = 1) =>
  r < 0.5 ? L(x, y) : svg`A${r} ${r} 0 0 ${String(sweep)} ${x} ${y}`;

type Point = readonly [x: number, y: number];

/** Continues a path from a point along horizontal and vertical lines, with quarter turns of radius `k` at the corners. */
function turns(k: number, ...points: readonly Point[]): string {
  let path = "";
  let [from, ...rest] = points;
  const lineTo = (to: Point) => (from && from[0] === to[0] && from[1] === to[1] ? "" : L(...to));
  rest.forEach((corner, at) => {
    const [before, next] = [points[at], rest[at + 1]];
    if (!before || !next) return void (path += lineTo(corner));
    const [inX, inY] = [Math.sign(corner[0] - before[0]), Math.sign(corner[1] - before[1])];
    const [outX, outY] = [Math.sign(next[0] - corner[0]), Math.sign(next[1] - corner[1])];
    const end: Point = [corner[0] + outX * k, corner[1] + outY * k];
    path += lineTo([corner[0] - inX * k, corner[1] - inY * k]) + A(k, ...end, inX * outY - inY * outX > 0 ? 1 : 0);
    from = end;
  });
  return path;
}

const bend = (k: number, start: Point, ...points: readonly Point[]) => M(...start) + turns(k, start, ...points);

/** Returns the path of a character, or an empty path if the alphabet lacks it. l r t b: edges of the stroke's middle, m c: middles, T B: outside the box. */
export function sign(ch: string, { x, y, w, h, stroke: s, round }: SignBox): string {
  const l = x + s / 2;
  const r = x + w - s / 2;
  const t = y + s / 2;
  const b = y + h - s / 2;
  const m = (t + b) / 2;
  const c = (l + r) / 2;
  const T = y - s;
  const B = y + h + s;
  const q = Math.max(0, Math.min((r - l) / 2, (b - t) / 2) * round);
  const p = Math.max(0, Math.min((r - l) / 2, (m - t) / 2) * round);
  const o = Math.min(q, (b - t) * 0.3);
  const up = t + (b - t) * 0.34;
  const dn = b - (b - t) * 0.34;
  const ring = () => `${bend(q, [l + q, t], [r, t], [r, b], [l, b], [l, t], [l + q, t])}Z`;
  const bowl = (t0: number, b0: number, k: number) => turns(k, [l, t0], [r, t0], [r, b0], [l, b0]);
  const open = (e1: number, e2: number) => bend(o, [r, e1], [r, t], [l, t], [l, b], [r, b], [r, e2]);
  switch (ch) {
    case "A":
      return bend(q, [l, B], [l, t], [r, t], [r, B]) + M(l, m + h * 0.1) + L(r, m + h * 0.1);
    case "B":
      return M(l, m) + L(l, t) + bowl(t, m, p) + bend(p, [r - p, m], [r, m], [r, b], [l, b]) + L(l, m);
    case "C":
      return open(up, dn);
    case "D":
      return M(l, t) + bowl(t, b, q) + "Z";
    case "E":
      return M(x + w, t) + L(l, t) + L(l, b) + L(x + w, b) + M(l, m) + L(x + w * 0.9, m);
    case "F":
      return M(x + w, t) + L(l, t) + L(l, B) + M(l, m) + L(x + w * 0.9, m);
    case "G":
      return open(up, m + s * 0.2) + L(c, m + s * 0.2);
    case "H":
      return M(l, T) + L(l, B) + M(r, T) + L(r, B) + M(l, m) + L(r, m);
    case "I":
      return M(x + s / 2, T) + L(x + s / 2, B);
    case "J":
      return bend(o, [r, T], [r, b], [l, b], [l, dn]);
    case "K":
      return (
        M(l, T) +
        L(l, B) +
        M(r + s * 0.35, T + s * 0.2) +
        L(l + s * 0.2, m + s * 0.1) +
        M(l + (r - l) * 0.34, m - s * 0.2) +
        L(r + s * 0.4, B)
      );
    case "L":
      return M(l, T) + L(l, b) + L(x + w, b);
    case "M":
      return M(l, B) + L(l, y) + L(c, y + h * 0.68) + L(r, y) + L(r, B);
    case "N":
      return M(l, B) + L(l, y) + L(r, y + h) + L(r, T);
    case "O":
    case "0":
      return ring();
    case "P":
      return M(l, B) + L(l, t) + bowl(t, m + h * 0.06, p);
    case "Q":
      return ring() + M(c, b - (b - t) * 0.24) + L(x + w, y + h);
    case "R":
      return M(l, B) + L(l, t) + bowl(t, m, p) + M(c - s * 0.1, m) + L(r + s * 0.1, B);
    case "S":
      return bend(p, [r, up], [r, t], [l, t], [l, m], [r, m], [r, b], [l, b], [l, dn]);
    case "5":
      return M(x + w, t) + L(l, t) + turns(p, [l, t], [l, m], [r, m], [r, b], [l, b], [l, dn]);
    case "T":
      return M(x, t) + L(x + w, t) + M(c, t) + L(c, B);
    case "U":
      return bend(q, [l, T], [l, b], [r, b], [r, T]);
    case "V":
      return M(l - s * 0.2, T) + L(c, y + h - s * 0.3) + L(r + s * 0.2, T);
    case "W":
      return (
        M(l - s * 0.15, T) + L(x + w * 0.29, y + h) + L(c, y + h * 0.2) + L(x + w * 0.71, y + h) + L(r + s * 0.15, T)
      );
    case "X":
      return M(l - s * 0.3, T) + L(r + s * 0.3, B) + M(r + s * 0.3, T) + L(l - s * 0.3, B);
    case "Y":
      return M(l - s * 0.3, T) + L(c, m + s * 0.2) + L(r + s * 0.3, T) + M(c, m) + L(c, B);
    case "Z":
      return M(x, t) + L(r, t) + L(l, b) + L(x + w, b);
    case "7":
      return M(x, t) + L(r, t) + L(c - s * 0.3, B);
    case "1":
      return M(x, t + s * 0.4) + L(r, t + s * 0.2) + M(r, T) + L(r, B);
    case "2":
      return bend(p, [l, up], [l, t], [r, t], [r, m - p * 0.4]) + L(l, b) + L(x + w, b);
    case "3":
      return (
        bend(p, [l, t], [r, t], [r, m], [r - p, m]) +
        bend(p, [r - p, m], [r, m], [r, b], [l, b]) +
        M(c, m) +
        L(r - p, m)
      );
    case "4":
      return M(r, T) + L(r, B) + M(l, T) + L(l, m + h * 0.14) + L(x + w, m + h * 0.14);
    case "6":
      return bend(p, [r, up], [r, t], [l, t], [l, b], [r, b], [r, m], [l, m]);
    case "8":
      return bend(p, [l + p, m], [l, m], [l, t], [r, t], [r, m], [l, m], [l, b], [r, b], [r, m], [r - p, m]);
    case "9":
      return bend(p, [r, m], [l, m], [l, t], [r, t], [r, b], [l, b], [l, dn]);
    case "&":
      return (
        M(x + w, B) +
        L(l + q * 0.5, t + p) +
        A(p * 0.8, c, t) +
        A(p * 0.8, c + p * 0.4, t + p) +
        L(l, m + p) +
        L(l, b - p) +
        A(p, l + p, b, 0) +
        L(x + w, m + h * 0.1)
      );
    case "-":
      return M(x, m) + L(x + w, m);
    case ".":
      return M(x, b) + L(x + s, b);
    case "'":
      return M(x + s / 2, T) + L(x + s / 2, t + h * 0.16);
    default:
      return "";
  }
}
