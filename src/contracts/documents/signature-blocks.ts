import type { FontName } from "./fonts.ts";

/** `drawing` is SVG path data in a box of 600 by 200. `typed` uses the script face of the signing page. `words` replace a missing picture. */
export type SignatureBlock = Readonly<{
  ink: Readonly<{ drawing: string } | { typed: string } | { words: string }>;
  name: string;
  details: readonly string[];
}>;

type Pen = PDFKit.PDFDocument;
type HasGlyph = (font: FontName, character: string) => boolean;

const gap = 28;
const box = { width: 600, height: 200 };
const inkHeight = 78;
const inkColor = "#1e1928";
const maxScriptSize = 44;
const minScriptSize = 26;
const textShare = 0.5;

export function drawSignatures(
  pen: Pen,
  blocks: readonly SignatureBlock[],
  at: Readonly<{ left: number; width: number; hasGlyph: HasGlyph; tag(alt: string, write: () => void): void }>,
): void {
  const width = (at.width - gap) / 2;
  const top = pen.y;
  const ends = blocks.map((block, index) => {
    const left = at.left + index * (width + gap);
    const line = top + inkHeight;
    at.tag(`Signature of ${block.name}`, () => drawInk(pen, block.ink, { left, line, width, hasGlyph: at.hasGlyph }));
    pen.markContent("Artifact", { type: "Layout" });
    pen
      .moveTo(left, line)
      .lineTo(left + width, line)
      .lineWidth(0.7)
      .stroke("#666666");
    pen.endMarkedContent();
    return { block, left, line };
  });
  const bottoms = ends.map(({ block, left, line }) => {
    const details = pen.struct("P", {}, () => {
      pen
        .font("bold")
        .fontSize(10)
        .fillColor("black")
        .text(block.name, left, line + 6, { width, lineGap: 1.5 });
      pen.font("regular").fontSize(9);
      for (const detail of block.details) pen.text(detail, left, pen.y, { width, lineGap: 1.5 });
    });
    pen.addStructure(details);
    details.end();
    return pen.y;
  });
  pen.x = at.left;
  pen.y = Math.max(...bottoms, top) + 14;
}

type InkPosition = Readonly<{ left: number; line: number; width: number; hasGlyph: HasGlyph }>;

function drawInk(pen: Pen, ink: SignatureBlock["ink"], { left, line, width, hasGlyph }: InkPosition): void {
  if ("drawing" in ink) {
    const scale = width / box.width;
    pen
      .save()
      .translate(left, line - box.height * scale)
      .scale(scale)
      .path(ink.drawing)
      .lineWidth(4)
      .lineCap("round")
      .lineJoin("round")
      .stroke(inkColor)
      .restore();
    return;
  }
  if ("words" in ink) {
    pen
      .font("regular")
      .fontSize(10)
      .fillColor("#444444")
      .text(ink.words, left, line - 12, { width, baseline: "alphabetic", lineBreak: false });
    return;
  }
  const available = width - 24;
  const widthAt = (text: string, size: number) =>
    scriptRuns(text, hasGlyph).reduce((sum, run) => sum + setFont(pen, run.font, size).widthOfString(run.text), 0);
  const sizeFor = (text: string) => Math.min(maxScriptSize, (maxScriptSize * available) / widthAt(text, maxScriptSize));
  // A long name has two lines, because one would be too small to read.
  const lines = sizeFor(ink.typed) < minScriptSize ? halves(ink.typed) : [ink.typed];
  const size = Math.min(...lines.map(sizeFor));
  lines.toReversed().forEach((text, up) => {
    let x = left + 10;
    for (const run of scriptRuns(text, hasGlyph)) {
      setFont(pen, run.font, size)
        .fillColor(inkColor)
        .text(run.text, x, line - 14 - up * size * 0.95, { baseline: "alphabetic", lineBreak: false });
      x += pen.widthOfString(run.text);
    }
  });
}

function halves(name: string): string[] {
  const middle = name.length / 2;
  const spaces = [...name.matchAll(/ /g)].map(({ index }) => index);
  const [at] = spaces.toSorted((one, other) => Math.abs(one - middle) - Math.abs(other - middle));
  return at === undefined ? [name] : [name.slice(0, at), name.slice(at + 1)];
}

const setFont = (pen: Pen, font: FontName, size: number): Pen =>
  pen.font(font).fontSize(font === "regular" ? size * textShare : size);

/** The script face has Latin characters only. */
function scriptRuns(name: string, hasGlyph: HasGlyph): { font: FontName; text: string }[] {
  const runs: { font: FontName; text: string }[] = [];
  for (const character of name) {
    const font = (["script", "scriptExtended"] as const).find((one) => hasGlyph(one, character)) ?? "regular";
    const last = runs.at(-1);
    if (last?.font === font) last.text += character;
    else runs.push({ font, text: character });
  }
  return runs;
}
