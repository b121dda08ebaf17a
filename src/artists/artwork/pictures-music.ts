import { entryAt, randomInteger, disc, path, type Picture, rect, svg } from "./drawing.ts";

export const record: Picture = ({ x, y, w, h, chance, ink }) => {
  const off = chance() < 0.5;
  const r = Math.max(w, h) * (off ? 0.62 : 0.46);
  const cx = x + w * (off ? (chance() < 0.5 ? 0.05 : 0.95) : 0.5);
  const cy = y + h * (off ? 0.62 : 0.5);
  const grooves = randomInteger(chance, 6, 12);
  let out = disc(cx, cy, r, ink.c);
  for (let k = 1; k < grooves; k++) {
    const line = k % 3 ? ` stroke="${ink.ground}" stroke-width="2.5"` : ` stroke="${ink.a}" stroke-width="7"`;
    out += disc(cx, cy, r - (k * r * 0.62) / grooves, "none", line);
  }
  const angle = chance() * 6.28;
  const on = (turn: number) => svg`${cx + Math.cos(turn) * r} ${cy + Math.sin(turn) * r}`;
  out += path(svg`M${cx} ${cy}L${on(angle)}A${r} ${r} 0 0 1 ${on(angle + 0.42)}z`, ink.b, ' opacity=".55"');
  return out + disc(cx, cy, r * 0.33, ink.a) + disc(cx, cy, r * 0.06, ink.ground);
};

export const strings: Picture = ({ x, y, w, h, chance, ink }) => {
  const count = randomInteger(chance, 20, 33);
  const flip = chance() < 0.5;
  const lean = 0.2 + chance() * 0.6;
  let down = "";
  let across = "";
  for (let k = 0; k <= count; k++) {
    const t = k / count;
    down += svg`M${x + w * t} ${y}L${x + w * (flip ? 1 - t : lean * t + (1 - lean) * 0.5)} ${y + h}`;
    across += svg`M${x} ${y + h * t}Q${x + w * lean} ${y + h * (1 - t)} ${x + w} ${y + h * t * 0.9}`;
  }
  const thread = (d: string, colour: string, width: string) =>
    path(d, "none", ` stroke="${colour}" stroke-width="${width}"`);
  const second =
    chance() < 0.75 ? thread(across, ink.c, "2.2") : disc(x + w * (1 - lean), y + h * 0.62, w * 0.14, ink.c);
  return disc(x + w * lean, y + h * 0.5, w * 0.3, ink.b) + thread(down, ink.a, "3.4") + second;
};

export const keys: Picture = ({ x, y, w, h, chance, ink }) => {
  const count = randomInteger(chance, 6, 10);
  const width = w / count;
  const rising = chance() < 0.5;
  const curved = chance() < 0.5;
  const tints = [ink.a, ink.b, ink.c];
  let out = disc(x + w * (rising ? 0.24 : 0.76), y + h * 0.24, w * 0.15, ink.c);
  for (let k = 0; k < count; k++) {
    const t = (rising ? k : count - 1 - k) / (count - 1);
    const tall = h * (0.2 + 0.76 * (curved ? Math.sin(t * Math.PI * 0.5) ** 2 : t));
    out += rect(x + k * width, y + h - tall, width * 0.96, tall, entryAt(tints, k));
    if (k % 2) out += rect(x + k * width - width * 0.28, y + h - tall, width * 0.56, tall * 0.56, ink.letters);
  }
  return out;
};

export const ribbons: Picture = ({ x, y, w, h, chance, ink }) => {
  const bands = randomInteger(chance, 4, 6);
  const thick = (w * 0.5) / bands;
  const flip = chance() < 0.5;
  const drop = h * (0.34 + chance() * 0.22);
  const tints = [ink.a, ink.b, ink.c, ink.letters];
  const side = (value: number) => (flip ? x + w - value : x + value);
  let out = "";
  for (let k = 0; k < bands; k++) {
    const r = w * 0.62 - k * thick;
    const start = w * 0.12 + k * thick;
    const turn = svg`A${r} ${r} 0 0 ${flip ? "1" : "0"} ${side(start + r)} ${y + drop + r}`;
    const d = svg`M${side(start)} ${y - 20}V${y + drop}${turn}H${side(w + 30)}`;
    out += path(d, "none", svg` stroke="${entryAt(tints, k)}" stroke-width="${thick * 0.98}"`);
  }
  return out;
};

export const slabs: Picture = ({ x, y, w, h, chance, ink }) => {
  const count = randomInteger(chance, 5, 8);
  const lean = (chance() - 0.5) * 0.9;
  const tints = [ink.a, ink.c, ink.b];
  let out = "";
  for (let k = 0; k < count; k++) {
    const top = y + (k * h) / count;
    const tall = (h / count) * (0.62 + chance() * 0.3);
    const wide = w * (0.4 + chance() * 0.75);
    const left = x + (chance() < 0.5 ? -w * 0.05 : w * 1.05 - wide);
    const d = svg`M${left} ${top}L${left + wide} ${top + lean * tall}v${tall}L${left} ${top + tall}z`;
    out += path(d, entryAt(tints, k + (chance() < 0.2 ? 1 : 0)));
  }
  return out + disc(x + w * (0.25 + chance() * 0.5), y + h * (0.3 + chance() * 0.4), w * 0.15, ink.letters);
};
