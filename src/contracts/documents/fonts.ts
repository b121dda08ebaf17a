/**
 * The typefaces of our documents, parsed once for the process. pdfkit takes a typeface as the bytes of a file and has fontkit parse them for every
 * document: its tables of kerning are a third of the time that a contract takes. fontkit can be taught kinds of files; ours is a name instead of
 * a file, and what is read from it is the typeface that was parsed before. Documents have the same bytes as with the file itself.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create, type Font, registerFormat } from "fontkit";

const files = { regular: "400Regular", bold: "700Bold" } as const;
type FontName = keyof typeof files;

export const fontFile = (name: FontName): Buffer =>
  readFileSync(
    fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans/${files[name]}/NotoSans_${files[name]}.ttf`)),
  );

const mark = "stagedoor shared font ";
const parsed = new Map<string, Font>();

function parsedFont(bytes: Uint8Array): Font {
  const name = Buffer.from(bytes).toString("latin1").slice(mark.length);
  const known = parsed.get(name);
  if (known) return known;
  if (name !== "regular" && name !== "bold") throw new Error(`there is no shared typeface "${name}"`);
  const font = create(fontFile(name));
  parsed.set(name, font);
  return font;
}

/** A constructor that answers a typeface which exists: `new` gives what a function returns when that is an object. */
const sharedFormat = Object.assign(
  function sharedFont({ buffer }: { buffer: Uint8Array }) {
    return parsedFont(buffer);
  } as unknown as new (stream: { buffer: Uint8Array }) => Font,
  { probe: (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, mark.length)).toString("latin1") === mark },
);
registerFormat(sharedFormat);

/** What pdfkit is given in place of the bytes of a file. */
export const sharedFont = (name: FontName): Buffer => Buffer.from(`${mark}${name}`, "latin1");
