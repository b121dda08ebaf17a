import { entryAt, randomInteger, disc, path, type Picture, rect, svg } from "./drawing.ts";

export const hills: Picture = ({ x, y, w, h, chance, ink }) => {
  const sx = x + w * (0.25 + chance() * 0.5);
  const sy = y + h * (0.3 + chance() * 0.12);
  const r = w * (0.17 + chance() * 0.13);
  const sky = chance() < 0.5;
  let out = (sky ? rect(x, y, w, h, ink.b) : "") + disc(sx, sy, r, ink.a);
  if (chance() < 0.5) {
    for (let k = 0; k < 5; k++)
      out += rect(sx - r, sy + r * (0.1 + k * 0.2), r * 2, 3 + k * 2.4, sky ? ink.b : ink.ground);
  }
  const folds = randomInteger(chance, 3, 4);
  const tints = [ink.c, ink.a, ink.letters, ink.c];
  for (let k = 0; k < folds; k++) {
    const base = y + h * (0.52 + (k * 0.4) / folds);
    const lift = h * (0.06 + chance() * 0.13) * (chance() < 0.5 ? 1 : -1);
    const [x1, y1, x2, y2] = [x + w * 0.33, base - lift * 1.6, x + w * 0.6, base + lift * 1.5];
    const brow = svg`M${x} ${base + lift}C${x1} ${y1} ${x2} ${y2} ${x + w} ${base - lift}`;
    out += path(svg`${brow}V${y + h}H${x}z`, entryAt(tints, k));
  }
  return out;
};

export const ridges: Picture = ({ x, y, w, h, chance, ink }) => {
  const rows = randomInteger(chance, 12, 18);
  const middle = 0.34 + chance() * 0.32;
  const humps = Array.from({ length: randomInteger(chance, 3, 5) }, (_, k, count = 4) => ({
    at: middle + (k - (count - 1) / 2) * 0.085 + (chance() - 0.5) * 0.05,
    wide: 0.035 + chance() * 0.045,
    tall: 0.45 + chance() * 0.55,
    drift: 0.012 + chance() * 0.02,
    phase: chance() * 6.28,
  }));
  const step = (h * 0.74) / rows;
  const sun = chance() < 0.6;
  let out = sun
    ? disc(x + w * middle, y + h * 0.42, Math.min(w, h) * 0.34, ink.a)
    : rect(x, y + h * 0.3, w, h * 0.4, ink.b);
  for (let row = 0; row < rows; row++) {
    const base = y + h * 0.2 + (row + 1) * step;
    const swell = 0.55 + 0.45 * Math.sin((row / (rows - 1)) * Math.PI);
    let d = svg`M${x - 6} ${base}`;
    for (let q = 0; q <= 48; q++) {
      const t = q / 48;
      const raised = humps.reduce((sum, hump) => {
        const away = (t - hump.at - Math.sin(row * 0.9 + hump.phase) * hump.drift) / hump.wide;
        return sum + hump.tall * (0.7 + 0.3 * Math.sin(row * 1.7 + hump.phase)) * Math.exp(-away * away);
      }, 0);
      d += svg`L${x + t * w} ${base - raised * swell * step * 3.1}`;
    }
    out += path(
      svg`${d}L${x + w + 6} ${base}`,
      row > 0 ? ink.ground : "none",
      ` stroke="${ink.letters}" stroke-width="4" stroke-linejoin="round"`,
    );
  }
  return out;
};

export const phases: Picture = ({ x, y, w, h, chance, ink }) => {
  const cols = randomInteger(chance, 2, 3);
  const rows = Math.max(2, Math.round((cols * h) / w));
  const [wide, tall] = [w / cols, h / rows];
  const r = Math.min(wide, tall) * 0.42;
  const total = cols * rows;
  let out = "";
  for (let k = 0; k < total; k++) {
    const cx = x + ((k % cols) + 0.5) * wide;
    const cy = y + (Math.floor(k / cols) + 0.5) * tall;
    const t = k / (total - 1);
    const bulge = Math.max(1, r * Math.abs(1 - 2 * t));
    const inner = svg`A${bulge} ${r} 0 0 ${t < 0.5 ? "0" : "1"} ${cx} ${cy - r}`;
    out += disc(cx, cy, r, ink.b);
    out += path(svg`M${cx} ${cy - r}A${r} ${r} 0 0 1 ${cx} ${cy + r}${inner}z`, k % 3 === 1 ? ink.c : ink.a);
  }
  return out;
};
