import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { popplerIsHere } from "#test/harness/poppler.ts";
import { fontFile, hasGlyph } from "./fonts.ts";
import { loadPrintable } from "./pdf-library.ts";
import { makePdf } from "./pdf-page.ts";

async function drawn(text: string): Promise<string> {
  const { bytes } = await makePdf({ title: "", foot: [] }, (page) => page.paragraph(text));
  return execFileSync("pdftotext", ["-", "-"], { input: bytes, encoding: "utf8" });
}

// The typefaces are shared by all documents, so an earlier document must not change the text of a later one.
test.skipIf(!popplerIsHere)(
  "keeps the text of letters that an earlier document used only as parts of others",
  async () => {
    expect(await drawn("Ždár, Йод, office")).toContain("Ždár, Йод, office");
    expect(await drawn("Zürich, Иван, effect, a field")).toContain("Zürich, Иван, effect, a field");
  },
);

test("returns the same bytes with a shared typeface as with its file, regardless of earlier documents", async () => {
  const files = { regular: fontFile("regular"), bold: fontFile("bold") };
  const write = (text: string, fonts?: typeof files) =>
    makePdf(
      { title: "Fonts", foot: ["AVA To. fi"] },
      (page) => {
        page.title(text);
        page.paragraph(`${text} `.repeat(40), { indent: 30, label: "1.1" });
      },
      fonts,
    );
  for (const text of ["AVA To. fi ffl", "Ελλάδα, Άρης", "Нова Љубав ѝ", "Žofie e\u0301 Ǆ", "AVA To. fi ffl"]) {
    const [shared, own] = await Promise.all([write(text), write(text, files)]);
    expect(shared.bytes.equals(own.bytes), text).toBe(true);
  }
});

test("writes any text in characters that both typefaces have, and drops only invisible and silent ones", async () => {
  const printable = await loadPrintable();
  expect(["كاظم الساهر", "\ufe8d\ufefb", "محمـد\u110b", "\u{20002}"].map((name) => printable(name))).toEqual([
    "kadhm alsahr",
    "ala",
    "mhmd",
    "[U+20002]",
  ]);
  expect(printable("山田\u0007 🎸\tNoël\u202e \u{e000}\u0301")).toBe("ShanTian [guitar] Noël [U+E000]\u0301");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const written = printable(text);
      const missing = Array.from(written.replaceAll("\n", "")).filter(
        (character) => !hasGlyph("regular", character) || !hasGlyph("bold", character),
      );
      expect(missing, text).toEqual([]);
      expect(printable(written)).toBe(written);
    }),
  );
});
