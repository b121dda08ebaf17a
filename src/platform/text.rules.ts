/** Characters that end a line or change the direction of the text after them: a name with them could forge the text around it. */
const misleading = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const readableCharacter = /[\p{L}\p{N}]/gu;

export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

export const isPlainLine = (text: string): boolean => !misleading.test(text);

export const isName = (text: string): boolean => isPlainLine(text) && (text.match(readableCharacter)?.length ?? 0) >= 2;

export const hasReadableText = (text: string): boolean => text.search(readableCharacter) >= 0;

export const plainLine = (text: string): string => text.replaceAll(new RegExp(misleading, "gu"), "·");

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
