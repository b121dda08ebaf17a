import { entryAt, randomInteger, type Chance, disc, overprint, path, type Picture, rect, svg } from "./drawing.ts";

export const discs: Picture = ({ x, y, w, h, chance, ink, dark }) => {
  const r = Math.min(w, h) * (0.28 + chance() * 0.1);
  const [cx, cy] = [x + w / 2, y + h / 2];
  const tilt = chance() * 6.28;
  const count = randomInteger(chance, 2, 4);
  const tints = [ink.a, ink.c, ink.b, ink.a];
  let out = disc(cx, cy, r * 1.5, ink.b);
  for (let k = 0; k < count; k++) {
    const angle = tilt + (k * 6.283) / count;
    out += disc(
      cx + Math.cos(angle) * r * 0.62,
      cy + Math.sin(angle) * r * 0.62,
      r,
      entryAt(tints, k),
      overprint(dark),
    );
  }
  return out;
};

export const halftone: Picture = ({ x, y, w, h, chance, ink }) => {
  const cols = randomInteger(chance, 15, 19);
  const step = w / cols;
  const rows = Math.ceil(h / step);
  const mode = randomInteger(chance, 0, 3);
  const [fx, fy] = [0.25 + chance() * 0.5, 0.3 + chance() * 0.35];
  const weight = (t: number, v: number) => {
    const away = Math.hypot(t - fx, (v - fy) * (h / w));
    if (mode === 0) return 1 - away * 1.7;
    if (mode === 1) return Math.abs(Math.sin(away * 13));
    return mode === 2 ? v * 1.05 : 0.5 + 0.5 * Math.sin(t * 9 + v * 7);
  };
  let d = "";
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const k = weight((col + 0.5) / cols, (row + 0.5) / rows);
      if (k <= 0.12) continue;
      const r = Math.min(0.62, k * 0.6) * step;
      d += svg`M${x + (col + 0.5) * step - r} ${y + (row + 0.5) * step}a${r} ${r} 0 1 0 ${r * 2} 0a${r} ${r} 0 1 0 ${-r * 2} 0`;
    }
  }
  const behind =
    chance() < 0.6 ? disc(x + w * (1 - fx), y + h * (1 - fy), w * 0.34, ink.c) : rect(x, y + h * fy, w, h * 0.3, ink.b);
  return behind + path(d, ink.a);
};

export const tiles: Picture = ({ x, y, w, h, chance, ink }) => {
  const cols = randomInteger(chance, 3, 5);
  const wide = w / cols;
  const rows = Math.max(1, Math.round(h / wide));
  const tall = h / rows;
  const tints = [ink.a, ink.b, ink.c, ink.letters];
  let out = "";
  for (let k = 0; k < rows * cols; k++) {
    const fill = entryAt(tints, Math.floor(chance() * (chance() < 0.75 ? 3 : 4)));
    out += tile(x + (k % cols) * wide, y + Math.floor(k / cols) * tall, wide, tall, fill, chance);
  }
  return out;
};

function tile(x: number, y: number, w: number, h: number, fill: string, chance: Chance): string {
  const kind = randomInteger(chance, 0, 5);
  if (kind === 3)
    return svg`<ellipse cx="${x + w / 2}" cy="${y + h / 2}" rx="${w * 0.5}" ry="${h * 0.5}" fill="${fill}"/>`;
  if (kind === 4) return path(svg`M${x} ${y}h${w}L${chance() < 0.5 ? x : x + w} ${y + h}z`, fill);
  if (kind === 5) return "";
  const corner = randomInteger(chance, 0, 3);
  const [ox, ex] = corner % 2 ? [x + w, x] : [x, x + w];
  const [oy, ey] = corner > 1 ? [y + h, y] : [y, y + h];
  return path(
    svg`M${ox} ${oy}L${ex} ${oy}A${w} ${h} 0 0 ${corner === 0 || corner === 3 ? "1" : "0"} ${ox} ${ey}z`,
    fill,
  );
}

export const cutouts: Picture = ({ x, y, w, h, chance, ink }) => {
  const cols = w > h * 1.1 ? 3 : 2;
  const rows = Math.max(1, Math.round((h * cols) / w / 1.15));
  const [wide, tall] = [w / cols, h / rows];
  const fields = [ink.b, ink.c, ink.ground, ink.a];
  const papers = new Map([
    [ink.b, [ink.a, ink.letters, ink.c]],
    [ink.c, [ink.b, ink.ground, ink.a]],
    [ink.ground, [ink.a, ink.c, ink.letters]],
    [ink.a, [ink.ground, ink.b, ink.letters]],
  ]);
  const shift = randomInteger(chance, 0, 3);
  let out = "";
  for (let k = 0; k < rows * cols; k++) {
    const [col, row] = [k % cols, Math.floor(k / cols)];
    const field = entryAt(fields, col + row * (cols === 2 ? 3 : 2) + shift);
    const paper = entryAt(papers.get(field) ?? [ink.a], randomInteger(chance, 0, 2));
    const r = Math.min(wide, tall) * (0.36 + chance() * 0.08);
    out += rect(x + col * wide, y + row * tall, wide + 0.5, tall + 0.5, field);
    out += cutShape(x + (col + 0.5) * wide, y + (row + 0.5) * tall, r, paper, chance);
  }
  return out;
};

function cutShape(cx: number, cy: number, r: number, fill: string, chance: Chance): string {
  const kind = chance();
  const turn = randomInteger(chance, 0, 7) * (Math.PI / 4);
  if (kind < 0.4) return frond(cx, cy, r, fill, turn, randomInteger(chance, 3, 4));
  if (kind < 0.75) return blossom(cx, cy, r, fill, turn, randomInteger(chance, 4, 6));
  return leaf(cx, cy, r, fill, turn);
}

function blossom(cx: number, cy: number, r: number, fill: string, turn: number, lobes: number): string {
  const on = (angle: number, far: number) => svg`${cx + Math.cos(angle) * far} ${cy + Math.sin(angle) * far}`;
  const half = Math.PI / lobes;
  let d = svg`M${on(turn - half, r * 0.52)}`;
  for (let k = 0; k < lobes; k++) {
    const angle = turn + k * 2 * half;
    d += svg`C${on(angle - half * 0.9, r * 1.32)} ${on(angle + half * 0.9, r * 1.32)} ${on(angle + half, r * 0.52)}`;
  }
  return path(`${d}z`, fill);
}

function turnedBy(turn: number, cx: number, cy: number, r: number) {
  const [ux, uy] = [Math.cos(turn), Math.sin(turn)];
  return (along: number, aside: number) =>
    svg`${cx + ux * along * r - uy * aside * r} ${cy + uy * along * r + ux * aside * r}`;
}

function frond(cx: number, cy: number, r: number, fill: string, turn: number, pairs: number): string {
  const spot = turnedBy(turn, cx, cy, r);
  let d = svg`M${spot(-1.05, 0)}L${spot(1, 0)}`;
  for (let k = 0; k < pairs; k++) {
    const along = -0.62 + (k * 1.25) / pairs;
    const reach = 0.78 - Math.abs(along) * 0.35;
    for (const side of [-1, 1])
      d += svg`M${spot(along, 0)}Q${spot(along + 0.05, side * reach * 0.7)} ${spot(along + 0.5, side * reach)}`;
  }
  return path(
    d,
    "none",
    svg` stroke="${fill}" stroke-width="${r * 0.3}" stroke-linecap="round" stroke-linejoin="round"`,
  );
}

function leaf(cx: number, cy: number, r: number, fill: string, turn: number): string {
  const spot = turnedBy(turn, cx, cy, r);
  const half = (side: number) =>
    path(svg`M${spot(-1.15, side * 0.07)}Q${spot(-0.1, side * 1.35)} ${spot(1.15, side * 0.07)}z`, fill);
  return half(-1) + half(1);
}
