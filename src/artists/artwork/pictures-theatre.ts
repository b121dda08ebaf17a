import { entryAt, randomInteger, disc, overprint, path, type Picture, rect, svg } from "./drawing.ts";

export const beams: Picture = ({ x, y, w, h, chance, ink }) => {
  const px = x + w * (0.15 + chance() * 0.7);
  const py = y + (chance() < 0.7 ? -h * 0.04 : h * 0.2);
  const count = randomInteger(chance, 5, 10);
  const edge = Math.PI * (0.06 + chance() * 0.06);
  const step = (Math.PI - 2 * edge) / count;
  const reach = w + h;
  const tints = chance() < 0.5 ? [ink.a, ink.b] : [ink.a, ink.b, ink.c];
  let out = "";
  for (let k = 0; k < count; k++) {
    const from = edge + k * step;
    const to = from + step * (0.4 + chance() * 0.35);
    const [x1, y1] = [px + Math.cos(from) * reach, py + Math.sin(from) * reach];
    const [x2, y2] = [px + Math.cos(to) * reach, py + Math.sin(to) * reach];
    out += path(svg`M${px} ${py}L${x1} ${y1}L${x2} ${y2}z`, entryAt(tints, k));
  }
  const r = Math.min(w, h) * (0.13 + chance() * 0.1);
  const lampY = Math.max(py, y) + r * 0.5;
  return out + disc(px, lampY, r, ink.letters) + disc(px, lampY, r * 0.52, ink.ground);
};

export const spot: Picture = ({ x, y, w, h, chance, ink, dark }) => {
  const left = chance() < 0.5;
  const across = (share: number) => x + w * (left ? share : 1 - share);
  const cy = y + h * 0.8;
  const rx = w * (0.26 + chance() * 0.1);
  const ry = rx * 0.34;
  const middle = 0.5 + chance() * 0.16;
  const beam = (from: number, fill: string, more: string) => {
    const [x1, x2] = [across(middle) - rx, across(middle) + rx];
    return path(svg`M${across(from)} ${y - 4}L${x1} ${cy}A${rx} ${ry} 0 0 0 ${x2} ${cy}z`, fill, more);
  };
  let out = rect(x, y, w, h, dark ? ink.b : ink.c) + rect(x, cy - ry * 0.2, w, h, ink.letters);
  out += beam(0.02, ink.a, ' opacity=".92"');
  if (chance() < 0.55) out += beam(0.98, ink.b, overprint(dark));
  out += svg`<ellipse cx="${across(middle)}" cy="${cy}" rx="${rx}" ry="${ry}" fill="${ink.ground}"/>`;
  return (
    out +
    rect(across(middle) - 4, cy - h * 0.34, 8, h * 0.34, ink.letters) +
    disc(across(middle), cy - h * 0.36, w * 0.032, ink.letters)
  );
};

export const curtain: Picture = ({ x, y, w, h, chance, ink }) => {
  const folds = randomInteger(chance, 5, 8);
  const width = w / folds;
  const parting = 0.3 + chance() * 0.4;
  const lift = h * (0.3 + chance() * 0.25);
  let out = rect(x, y, w, h, ink.b) + disc(x + w * parting, y + h * 0.86, w * 0.24, ink.c);
  for (let k = 0; k < folds; k++) {
    const away = Math.abs((k + 0.5) / folds - parting);
    const end = y + h * 1.02 - lift * Math.exp(-((away / 0.24) ** 2));
    for (const [shift, fill] of [
      [0, ink.a],
      [0.5, ink.letters],
    ] as const) {
      const fx = x + (k + shift) * width;
      const hem = svg`Q${fx + width / 4} ${end + width * 0.4} ${fx} ${end}`;
      out += path(svg`M${fx} ${y}H${fx + width / 2 + 0.6}V${end}${hem}z`, fill);
    }
  }
  return out;
};

export const arches: Picture = ({ x, y, w, h, chance, ink }) => {
  const rings = randomInteger(chance, 4, 7);
  const side = chance() < 0.6 ? 0.5 : chance() < 0.5 ? 0 : 1;
  const cx = x + w * side;
  const base = y + h;
  const big = Math.min(h * 0.94, w * (side === 0.5 ? 0.5 : 1));
  const tints = [ink.a, ink.b, ink.c, ink.ground];
  let out = "";
  for (let k = 0; k < rings; k++) {
    const r = big * (1 - k / rings);
    const top = base - Math.max(r, r + (h * 0.94 - big) * (1 - k / rings));
    out += path(svg`M${cx - r} ${base}V${top + r}A${r} ${r} 0 0 1 ${cx + r} ${top + r}V${base}z`, entryAt(tints, k));
  }
  return out;
};

export const seats: Picture = ({ x, y, w, h, chance, ink, id }) => {
  const cols = randomInteger(chance, 4, 7);
  const r = w / cols / 2;
  const rows = Math.ceil(h / (r * 1.05)) + 1;
  const lit = Math.floor(chance() * cols * rows);
  const tints = [ink.a, ink.b, ink.a, ink.c, ink.letters];
  const seat = (fill: string) => disc(0, 0, r, fill) + disc(0, 0, r * 0.56, ink.ground) + disc(0, 0, r * 0.3, fill);
  let out = `<defs>${tints.map((fill, k) => `<g id="${id}s${k}">${seat(fill)}</g>`).join("")}</defs>`;
  for (let row = rows - 1; row >= 0; row--) {
    for (let col = -1; col <= cols; col++) {
      const cx = x + (col + (row % 2 ? 1 : 0.5)) * r * 2;
      const kind = row * cols + col === lit ? 4 : (row + (col === 2 ? 1 : 0)) % 4;
      out += svg`<use href="#${id}s${String(kind)}" x="${cx}" y="${y + h - row * r * 1.05}"/>`;
    }
  }
  return out;
};
