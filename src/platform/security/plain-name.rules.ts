/** Invisible characters. Joiners and variation selectors remain after letters and symbols that need them, which Latin letters do not. */
const invisible =
  /(?:(?<![\p{L}\p{M}\p{Emoji}])|(?<=[\p{Script=Latin}\d]))(?:\u200c|\u200d|\ufe0e|\ufe0f)|(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** Returns a name in one line, without characters that are invisible or change the direction of the text. */
export const plainName = (text: string): string =>
  text
    .replaceAll(invisible, "")
    .replaceAll(/\p{Cc}+/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .trim();
