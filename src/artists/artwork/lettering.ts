import { path, svg } from "./drawing.ts";
import { sign, widths } from "./glyphs.ts";

/** Returns the characters that the alphabet has. The page shows the whole name as text beside the picture. */
export const printable = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[’‘`]/g, "'")
    .replace(/ß/g, "SS")
    .replace(/ø/gi, "O")
    .replace(/æ/gi, "AE")
    .replace(/ł/gi, "L")
    .toUpperCase()
    .replace(/[^A-Z0-9&.' -]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 60);

type LineStyle = {
  fill: string;
  weight: number;
  /** 0 = square corners, 1 = as round as the box allows. */
  round: number;
  widest?: number;
  /** 0 = left, 0.5 = middle, 1 = right. */
  align?: number;
};

const gap = 0.11;

/** `id` names the mask and must be unique in the file. */
export function line(text: string, x: number, y: number, w: number, h: number, id: string, style: LineStyle): string {
  const letters = Array.from(text);
  const shares = letters.map((ch) => (widths[ch] === 0 ? style.weight : (widths[ch] ?? 1)));
  const units = shares.reduce((sum, share) => sum + share, 0) + gap * (shares.length - 1);
  if (units <= 0) return "";
  const unit = Math.min(w / units, style.widest ?? Number.POSITIVE_INFINITY);
  const stroke = Math.min(unit * style.weight, h * 0.21);
  let left = x + (w - unit * units) * (style.align ?? 0);
  let d = "";
  letters.forEach((ch, k) => {
    const share = shares[k] ?? 1;
    d += sign(ch, {
      x: left,
      y,
      w: share * unit,
      h,
      stroke: widths[ch] === 0 ? unit * style.weight : stroke,
      round: style.round,
    });
    left += (share + gap) * unit;
  });
  const mask = svg`<clipPath id="${id}"><path d="M${x - 4} ${y}h${w + 8}v${h}h${-w - 8}z"/></clipPath>`;
  return (
    mask +
    path(d, "none", svg` clip-path="url(#${id})" stroke="${style.fill}" stroke-width="${stroke}" stroke-miterlimit="9"`)
  );
}

const maxLineLength = 11;
const maxLines = 3;

/** Splits a name into one to three lines of similar length. Short words such as "THE" join their neighbor. */
export function linesOf(name: string): string[] {
  const words = name.split(" ").filter(Boolean);
  const [only] = words;
  if (words.length === 1 && only && only.length > maxLineLength && only.includes("-"))
    return only.split("-").filter(Boolean).slice(0, maxLines);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const joins = last !== undefined && (word.length <= 3 || last.length <= 3 || lines.length >= maxLines);
    if (joins && last.length + 1 + word.length <= maxLineLength) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  while (lines.length > maxLines) lines.splice(-2, 2, lines.slice(-2).join(" "));
  return lines;
}
