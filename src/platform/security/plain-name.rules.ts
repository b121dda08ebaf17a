/** Names and other texts of one line. A character that is invisible, ends a line or changes the direction of the text after it could forge the text around it. */

/** Joiners and variation selectors remain after letters and symbols that need them, which Latin letters do not. */
const invisible =
  /(?:(?<![\p{L}\p{M}\p{Emoji}])|(?<=[\p{Script=Latin}\d]))(?:\u200c|\u200d|\ufe0e|\ufe0f)|(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;
const lineEnd = /[\p{Cc}\u2028\u2029]/gu;
const readableCharacter = /[\p{L}\p{N}]/gu;

/** Returns the text without invisible characters, which come along when text is copied from a page. Line ends remain. */
export const visibleText = (text: string): string => text.replaceAll(invisible, "");

/** Returns a text of several lines without invisible and control characters. Line ends and tabs remain. */
export const plainProse = (text: string): string => visibleText(text).replaceAll(/[^\P{Cc}\t\n\r]/gu, "");

/** Returns a name in one line, without characters that are invisible or change the direction of the text. */
export const plainName = (text: string): string =>
  visibleText(text)
    .replaceAll(/\p{Cc}+/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .trim();

export const isPlainLine = (text: string): boolean => text.search(lineEnd) < 0 && text.search(invisible) < 0;

export const isName = (text: string): boolean => isPlainLine(text) && (text.match(readableCharacter)?.length ?? 0) >= 2;

export const plainLine = (text: string): string => text.replaceAll(lineEnd, "·").replaceAll(invisible, "·");
