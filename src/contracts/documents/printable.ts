import anyAscii from "any-ascii";

const signs: ReadonlyMap<string, string> = new Map([
  ["✓", "[check]"],
  ["☐", "[ ]"],
  ["☒", "[x]"],
  ["♩", "[note]"],
  ["♪", "[note]"],
  ["♫", "[notes]"],
  ["♬", "[notes]"],
  ["⌀", "[diameter]"],
  ["∅", "[empty]"],
  ["ー", "-"],
]);
const arrow = /[\u2190-\u21ff\u2794-\u27bf\u27f0-\u27ff\u2900-\u297f\u2b00-\u2bff]/;
/** By the transliteration, which would read as a comparison. */
const arrows: ReadonlyMap<string, string> = new Map([
  [">", "->"],
  ["<", "<-"],
  ["-", "<->"],
  ["^", "[up]"],
  ["v", "[down]"],
]);
const circled = /[\u2460-\u2473\u24b6-\u24ff\u2776-\u2793]/;
const drawnScripts = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u;
/** Letters that are silent, or that the transliteration does not know. It knows too few ideographs, so those are written as codes. */
const silent = /(?=\p{L})[^\p{Ideographic}\p{Script=Cuneiform}]/u;
const invisible = /[\p{M}\p{Emoji_Component}\p{Default_Ignorable_Code_Point}]/u;

/** Returns a text in Latin, Greek and Cyrillic characters that the typeface has. Others are transliterated, symbols written as signs or words in brackets. Removes only what is invisible or silent. */
export function toPrintable(text: string, hasGlyph: (character: string) => boolean): string {
  const printableOf = (character: string): string => {
    if (drawnScripts.test(character) && hasGlyph(character)) return character;
    const [base = "", ...marks] = character.normalize("NFD");
    // The transliteration of "not equal" is "=".
    if (marks.includes("\u0338")) return `!${printableOf(base)}`;
    const sign = signs.get(character);
    if (sign) return sign;
    const latin = character
      .normalize("NFKC")
      .replaceAll(/./gsu, (part) => (drawnScripts.test(part) && hasGlyph(part) ? part : toLatin(part)));
    if (circled.test(character)) return `(${latin})`;
    if (latin && arrow.test(character)) return arrows.get(latin) ?? inBrackets(latin);
    if (latin) return inBrackets(latin);
    return invisible.test(character) || silent.test(character)
      ? ""
      : `[U+${character.codePointAt(0)?.toString(16).toUpperCase()}]`;
  };
  return text
    .normalize("NFC")
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replaceAll(/[\t\v\f]/g, " ")
    .replaceAll(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}]/gu, "")
    .replaceAll(/[^\n -~]/gu, printableOf);
}

const toLatin = (character: string): string => (character === "\u0627" ? "a" : anyAscii(character));

/** Returns ":heavy_check_mark:", the transliteration of a pictogram, as "[heavy check mark]". */
const inBrackets = (latin: string): string =>
  latin.replace(/^:([\w+-]+):$/, (_, name: string) => `[${name.replaceAll("_", " ")}]`);
