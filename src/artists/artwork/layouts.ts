import { type Chance, rect } from "./drawing.ts";
import type { Ink } from "./inks.ts";
import { line, linesOf } from "./lettering.ts";

export type Sheet = {
  ink: Ink;
  chance: Chance;
  name: string;
  genre: string;
  town: string;
  nextId(): string;
  draw(x: number, y: number, w: number, h: number): string;
};

const [W, H, margin] = [600, 800, 34];
const inner = W - 2 * margin;

type Type = { sheet: Sheet; lines: string[]; weight: number; round: number; tall: number };

export function composePoster(sheet: Sheet): string {
  const lines = linesOf(sheet.name);
  const weight = 0.25 + sheet.chance() * 0.12;
  const round = sheet.chance() < 0.62 ? 1 : 0.28 + sheet.chance() * 0.3;
  const type: Type = { sheet, lines, weight, round, tall: [0, 176, 250, 316][lines.length] ?? 316 };
  if (lines.length === 0)
    return sheet.draw(margin, margin, inner, H - 2 * margin - 34) + foot(type, H - margin - 15, sheet.ink.letters);
  if (sheet.name.replace(/[^A-Z0-9]/g, "").length <= 2) return monogram(type);
  const layout = layouts[Math.floor(sheet.chance() * layouts.length)] ?? below;
  return layout(type);
}

type Layout = (type: Type) => string;

const below: Layout = (type) => {
  const { sheet, tall } = type;
  const picture = sheet.draw(margin, margin, inner, H - 3 * margin - tall - 34);
  return (
    picture +
    block(type, H - margin - tall - 36, tall, sheet.ink.letters) +
    foot(type, H - margin - 15, sheet.ink.letters)
  );
};

const above: Layout = (type) => {
  const { sheet, tall } = type;
  const top = margin * 2 + 32 + tall;
  return (
    block(type, margin + 34, tall, sheet.ink.letters) +
    foot(type, margin, sheet.ink.letters) +
    sheet.draw(0, top, W, H - top)
  );
};

const slip: Layout = (type) => {
  const { sheet, tall } = type;
  const top = H - tall - 96;
  const paper = sheet.draw(0, 0, W, top) + rect(0, top, W, tall + 96, sheet.ink.letters);
  return paper + block(type, top + 30, tall, sheet.ink.ground) + foot(type, H - margin - 13, sheet.ink.ground);
};

const spine: Layout = (type) => {
  const { sheet, lines, weight, round } = type;
  const side = 150;
  const style = { weight: Math.min(weight, 0.3), round, fill: sheet.ink.letters, widest: 96 };
  const text = line(lines.join(" "), 0, 0, H - 2 * margin, side - margin - 22, sheet.nextId(), style);
  const name = `<g transform="translate(${margin} ${H - margin}) rotate(-90)">${text}</g>`;
  return (
    sheet.draw(side, 0, W - side, H) +
    name +
    rect(W - 190, H - 60, 190, 60, sheet.ink.ground) +
    small(sheet, sheet.genre, W - 170, H - 38, 150, sheet.ink.letters)
  );
};

const banner: Layout = (type) => {
  const { sheet, tall } = type;
  const top = H - margin - tall - 66;
  const paper =
    sheet.draw(0, 0, W, H) + rect(0, top, W, tall + 110, sheet.ink.ground) + rect(0, top, W, 10, sheet.ink.c);
  return paper + block(type, top + 34, tall, sheet.ink.letters) + foot(type, H - margin - 8, sheet.ink.letters);
};

const ruled: Layout = (type) => {
  const { sheet, tall } = type;
  const bottom = H - margin * 2 - tall + 2;
  const rules =
    rect(margin, margin + 26, inner, 5, sheet.ink.letters) + rect(margin, bottom, inner, 5, sheet.ink.letters);
  const picture = sheet.draw(margin, margin + 50, inner, bottom - margin - 68);
  return (
    foot(type, margin, sheet.ink.letters) + rules + picture + block(type, H - margin - tall, tall, sheet.ink.letters)
  );
};

const between: Layout = (type) => {
  const { sheet, lines, weight, round, tall } = type;
  const [first = "", ...others] = lines;
  const each = Math.min(180, tall * 0.62);
  const style = { weight, round, fill: sheet.ink.letters };
  const head = line(first, margin, margin, inner, each, sheet.nextId(), style);
  const height = H - 2 * margin - each * (others.length ? 2 : 1) - 48 - (others.length ? 0 : 20);
  const picture = sheet.draw(0, margin + each + 24, W, height);
  if (others.length === 0) return head + picture + foot(type, H - margin - 12, sheet.ink.letters);
  return head + picture + line(others.join(" "), margin, H - margin - each, inner, each, sheet.nextId(), style);
};

const layouts: readonly Layout[] = [below, above, slip, spine, banner, ruled, between];

function monogram(type: Type): string {
  const { sheet, lines, round } = type;
  const name = lines.join("");
  const [top, bottom] = [margin + 40, H - margin - 40];
  const picture = sheet.draw(margin, top, inner, bottom - top);
  const single = name.length === 1;
  const [w, h] = single ? [330, 470] : [420, 400];
  const [x, y] = [(W - w) / 2, (H - h) / 2];
  const card = rect(x - 36, y - 36, w + 72, h + 72, sheet.ink.ground);
  const style = { weight: single ? 0.3 : 0.28, round, fill: sheet.ink.letters, widest: single ? 330 : 210, align: 0.5 };
  return foot(type, margin, sheet.ink.letters) + picture + card + line(name, x, y, w, h, sheet.nextId(), style);
}

function block(type: Type, y: number, h: number, fill: string): string {
  const space = 13;
  const shares = type.lines.map((text) => 1 / Math.max(3, text.length) ** 0.55);
  const sum = shares.reduce((total, share) => total + share, 0);
  const height = h - space * (type.lines.length - 1);
  let top = y;
  return type.lines
    .map((text, k) => {
      const tall = (height * (shares[k] ?? 0)) / sum;
      const drawn = line(text, margin, top, inner, tall, type.sheet.nextId(), {
        weight: type.weight,
        round: type.round,
        fill,
      });
      top += tall + space;
      return drawn;
    })
    .join("");
}

const foot = ({ sheet }: Type, y: number, fill: string): string =>
  small(sheet, sheet.genre, margin, y, inner / 2, fill) +
  small(sheet, sheet.town, margin + inner / 2, y, inner / 2, fill, 1);

const small = (sheet: Sheet, text: string, x: number, y: number, w: number, fill: string, align = 0): string =>
  line(text, x, y, w, 15, sheet.nextId(), { weight: 0.24, round: 0.9, fill, widest: 11.5, align });

export function composeMark(sheet: Sheet): string {
  const initial = sheet.name.replace(/^THE /, "").replace(/^[^A-Z0-9]+/, "")[0];
  const left = sheet.chance() < 0.5 ? 0 : 104;
  const picture = sheet.draw(0, 0, 200, 200);
  if (!initial) return picture;
  const style = { weight: 0.31, round: 0.9, fill: sheet.ink.letters, align: 0.5, widest: 60 };
  return (
    picture + rect(left, 92, 96, 108, sheet.ink.ground) + line(initial, left + 18, 110, 60, 72, sheet.nextId(), style)
  );
}
