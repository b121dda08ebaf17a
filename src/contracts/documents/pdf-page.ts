/** The page of our documents: embedded typefaces, running foot, page numbers. The same text always gives the same bytes. */

import { markPaths } from "#platform/pages/mark.rules.ts";
import { sha256Of } from "./hash.ts";
import { loadPrintable, loadWriter } from "./pdf-library.ts";
import { drawSignatures, type SignatureBlock } from "./signature-blocks.ts";

/** A fixed date for every document. The real one is in the evidence, not in the bytes. */
const noMoment = new Date(Date.UTC(2000, 0, 1));
const margin = 56;
const footHeight = 74;
const valueWidth = 130;
const detailLabelWidth = 132;
const maxUnbrokenHeight = 125;
const markOnWhite = [
  [markPaths.frame, "#1e1928"],
  [markPaths.panel, "#f5bd4f"],
  [markPaths.light, "#f9d795"],
] as const;

export type PdfDocument = Readonly<{ bytes: Buffer; sha256: Buffer; pages: number }>;

/** Writes a document. Accepts any text. Lengths are points. Functions return the page on which the written part begins. */
export type Page = Readonly<{
  title(text: string): void;
  heading(text: string): number;
  paragraph(text: string, options?: { indent?: number; label?: string; small?: boolean; isWhole?: boolean }): number;
  /** A label with a value at the right edge, as in a list of amounts. `rule` draws a line above it, `number` is before it in the indent. */
  row(
    label: string,
    value: string,
    options?: { bold?: boolean; rule?: boolean; indent?: number; number?: string },
  ): number;
  /** A label with a value beside it. `note` is small print below the value. They stay on one page. */
  detail(label: string, value: string, options?: { note?: string }): void;
  signatures(blocks: readonly SignatureBlock[]): void;
  startPage(): void;
}>;

/** `pagesBefore` counts the pages of another document that this one continues. `hasMark` draws the mark and the name of the platform in the top margin of the first page, without moving the text. */
export async function makePdf(
  info: { title: string; foot: readonly string[]; hasMark?: boolean; pagesBefore?: number },
  draw: (page: Page) => void,
  fonts?: Readonly<{ regular: Buffer; bold: Buffer }>,
): Promise<PdfDocument> {
  const { PDFDocument, fonts: shared, hasGlyph } = await loadWriter();
  const printable = await loadPrintable();
  const { regular, bold } = fonts ?? shared;
  const pen = new PDFDocument({
    size: "A4",
    margins: { top: margin, left: margin, right: margin, bottom: footHeight },
    pdfVersion: "1.7",
    lang: "en",
    tagged: true,
    displayTitle: true,
    bufferPages: true,
    font: regular as unknown as string,
    info: { Title: printable(info.title), Creator: "Stagedoor", CreationDate: noMoment, ModDate: noMoment },
  });
  for (const [name, font] of Object.entries({ ...shared, regular, bold }))
    pen.registerFont(name, font as unknown as string);
  const chunks: Buffer[] = [];
  pen.on("data", (chunk: Buffer) => chunks.push(chunk));
  const finished = new Promise<void>((resolve, reject) => pen.on("end", resolve).on("error", reject));
  const width = pen.page.width - 2 * margin;
  const tagged = (kind: string, write: () => void, options: { alt?: string } = {}) => {
    const part = pen.struct(kind, options, write);
    pen.addStructure(part);
    part.end();
  };
  if (info.hasMark) {
    pen.markContent("Artifact", { type: "Pagination" });
    pen.save().translate(margin, 20).scale(0.6);
    for (const [path, fill] of markOnWhite) pen.path(path).fill(fill);
    pen.restore();
    pen
      .font("bold")
      .fontSize(13)
      .fillColor("#1e1928")
      .text("Stagedoor", margin + 26, 24, { lineBreak: false });
    pen.endMarkedContent();
    pen.fillColor("black");
    pen.x = margin;
    pen.y = margin;
  }
  const pageNumber = () => pen.bufferedPageRange().count;
  draw({
    startPage: () => {
      pen.addPage();
    },
    signatures: (blocks) =>
      drawSignatures(
        pen,
        blocks.map(({ ink, name, details }) => ({
          ink: "typed" in ink ? { typed: printable(ink.typed) } : ink,
          name: printable(name),
          details: details.map(printable),
        })),
        { left: margin, width, hasGlyph, tag: (alt, write) => tagged("Figure", write, { alt }) },
      ),
    detail: (label, value, { note } = {}) => {
      const span = width - detailLabelWidth;
      const parts = [
        { size: 9, text: printable(value) },
        ...(note === undefined ? [] : [{ size: 7, text: printable(note) }]),
      ];
      const heightOf = ({ size, text }: { size: number; text: string }) =>
        pen.font("regular").fontSize(size).heightOfString(text, { width: span, lineGap: 1.5 });
      const height = parts.reduce((sum, part) => sum + heightOf(part), 0);
      if (pen.y + height > pen.page.height - footHeight - 6) pen.addPage();
      const top = pen.y;
      tagged("P", () => {
        pen.fontSize(9).fillColor("#444444");
        pen.text(printable(label), margin, top, { width: detailLabelWidth - 8, lineGap: 1.5 });
        const below = pen.y;
        pen.y = top;
        for (const { size, text } of parts)
          pen
            .fontSize(size)
            .fillColor(size === 9 ? "black" : "#444444")
            .text(text, margin + detailLabelWidth, pen.y, { width: span, lineGap: 1.5 });
        pen.y = Math.max(pen.y, below) + 3;
      });
      pen.fillColor("black");
      pen.x = margin;
    },
    title: (text) =>
      tagged("H1", () => pen.font("bold").fontSize(22).text(printable(text), margin, pen.y, { width }).moveDown(0.6)),
    heading: (text) => {
      if (pen.y > pen.page.height - footHeight - 60) pen.addPage();
      const begins = pageNumber();
      tagged("H2", () =>
        pen.moveDown(0.7).font("bold").fontSize(12).text(printable(text), margin, pen.y, { width }).moveDown(0.25),
      );
      return begins;
    },
    row: (label, value, { bold: isBold = false, rule = false, indent = 0, number = "" } = {}) => {
      pen.font(isBold ? "bold" : "regular").fontSize(10);
      const left = margin + indent;
      // A day such as "Wednesday 23 September 2026" is wider than an amount.
      const span = Math.min(width / 2, Math.max(valueWidth, Math.ceil(pen.widthOfString(printable(value))) + 1));
      const labelWidth = width - indent - span;
      const height = Math.max(
        pen.heightOfString(printable(label), { width: labelWidth, lineGap: 1.5 }),
        pen.heightOfString(printable(value), { width: span }),
      );
      if (pen.y + height > pen.page.height - footHeight - 6) pen.addPage();
      const begins = pageNumber();
      const top = pen.y + (rule ? 5 : 0);
      if (rule) {
        pen.markContent("Artifact", { type: "Layout" });
        pen
          .moveTo(left, pen.y)
          .lineTo(margin + width, pen.y)
          .lineWidth(0.5)
          .stroke("#888888");
        pen.endMarkedContent();
      }
      tagged("P", () => {
        if (number) pen.text(printable(number), margin, top, { width: indent, lineBreak: false });
        pen.text(printable(label), left, top, { width: labelWidth, lineGap: 1.5 });
        pen.text(printable(value), margin + width - span, top, { width: span, align: "right" });
      });
      pen.x = margin;
      pen.y = top + height + 4;
      return begins;
    },
    paragraph: (text, { indent = 0, label = "", small = false, isWhole = false } = {}) => {
      if (isWhole) {
        pen.font("regular").fontSize(10);
        const height = pen.heightOfString(printable(text), { width: width - indent, lineGap: 1.5 });
        if (height < maxUnbrokenHeight && pen.y + height > pen.page.height - footHeight) pen.addPage();
      }
      let begins = pageNumber();
      tagged("P", () => {
        pen.font("regular").fontSize(small ? 8 : 10);
        if (pen.y > pen.page.height - footHeight - 14) pen.addPage();
        begins = pageNumber();
        if (label) {
          const { y } = pen;
          pen.text(printable(label), margin, y, { width: indent, lineBreak: false });
          pen.y = y;
        }
        pen.text(printable(text), margin + indent, pen.y, { width: width - indent, lineGap: 1.5 }).moveDown(0.35);
      });
      return begins;
    },
  });
  const { count } = pen.bufferedPageRange();
  for (let number = 0; number < count; number++) {
    pen.switchToPage(number);
    // Below the bottom margin, where text would otherwise start another page.
    pen.page.margins.bottom = 0;
    pen.markContent("Artifact", { type: "Pagination" });
    pen.font("regular").fontSize(7.5).fillColor("#444444");
    const before = info.pagesBefore ?? 0;
    const lines = [...info.foot, `Page ${before + number + 1} of ${before + count}`];
    lines.forEach((line, index) =>
      pen.text(printable(line), margin, pen.page.height - footHeight + 22 + index * 11, { width, lineBreak: false }),
    );
    pen.endMarkedContent();
    pen.fillColor("black");
  }
  pen.end();
  await finished;
  const bytes = Buffer.concat(chunks);
  return { bytes, sha256: sha256Of(bytes), pages: count };
}
