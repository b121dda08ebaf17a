const readableCharacter = /[\p{L}\p{N}]/gu;

export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

export const hasReadableText = (text: string): boolean => text.search(readableCharacter) >= 0;

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
