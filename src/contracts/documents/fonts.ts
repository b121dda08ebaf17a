/** The typefaces of our documents, parsed once per process: pdfkit parses them for every document, a third of a contract's time. The format registered here reads a name, not a file, and gives the same bytes. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create, type Font, registerFormat } from "fontkit";

/** The script face of the signing page has two files: Latin, and central European characters. */
const files = {
  regular: "@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf",
  bold: "@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf",
  script: "@fontsource/mr-de-haviland/files/mr-de-haviland-latin-400-normal.woff",
  scriptExtended: "@fontsource/mr-de-haviland/files/mr-de-haviland-latin-ext-400-normal.woff",
} as const;
export type FontName = keyof typeof files;
const isFontName = (name: string): name is FontName => Object.hasOwn(files, name);

export const fontFile = (name: FontName): Buffer => readFileSync(fileURLToPath(import.meta.resolve(files[name])));

const lastCyrillic = 0x52f;

const mark = "stagedoor shared font ";
const parsed = new Map<string, Font>();

function parsedFont(name: string): Font {
  const known = parsed.get(name);
  if (known) return known;
  if (!isFontName(name)) throw new Error(`there is no shared typeface "${name}"`);
  const font = create(fontFile(name));
  // A glyph keeps the characters of its first use. As a part of another, such as "Z" in "Ž", it would have none, and its text
  // could not be searched or copied. Ligatures come first, because they also have characters of their own.
  font.layout("ff fi fl ffi ffl");
  font.glyphsForString(String.fromCodePoint(...font.characterSet.filter((code) => code <= lastCyrillic)));
  parsed.set(name, font);
  return font;
}

/** A constructor that returns an existing typeface: `new` returns the function's result if it is an object. */
const sharedFormat = Object.assign(
  function sharedFont({ buffer }: { buffer: Uint8Array }) {
    return parsedFont(Buffer.from(buffer).toString("latin1").slice(mark.length));
  } as unknown as new (stream: { buffer: Uint8Array }) => Font,
  { probe: (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, mark.length)).toString("latin1") === mark },
);
registerFormat(sharedFormat);

export const sharedFont = (name: FontName): Buffer => Buffer.from(`${mark}${name}`, "latin1");

export const hasGlyph = (name: FontName, character: string): boolean =>
  parsedFont(name).hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
