/** What this module uses of fontkit 2, which comes without types. */
declare module "fontkit" {
  export type Font = Readonly<{ postscriptName: string; hasGlyphForCodePoint(codePoint: number): boolean }>;
  /** A kind of file: `probe` tells whether it can read these bytes; as a constructor it gets them as `stream.buffer` and answers the typeface. */
  type Format = Readonly<{ probe(bytes: Uint8Array): boolean; new (stream: { buffer: Uint8Array }): Font }>;
  export function registerFormat(format: Format): void;
  export function create(bytes: Uint8Array): Font;
}
