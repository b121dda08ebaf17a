declare module "fontkit" {
  export type Font = Readonly<{
    postscriptName: string;
    characterSet: readonly number[];
    hasGlyphForCodePoint(codePoint: number): boolean;
    /** Shapes a text with ligatures. */
    layout(text: string): unknown;
    /** Returns a glyph for each character, without ligatures. */
    glyphsForString(text: string): unknown;
  }>;
  /** A file format. `probe` returns true if it can read the bytes. The constructor gets them as `stream.buffer` and returns the typeface. */
  type Format = Readonly<{ probe(bytes: Uint8Array): boolean; new (stream: { buffer: Uint8Array }): Font }>;
  export function registerFormat(format: Format): void;
  export function create(bytes: Uint8Array): Font;
}
