/** Loads the PDF libraries with the first document, because they make a start a fifth slower. */

import type { CryptoKeySigner, PDF } from "@libpdf/core";
import { toPrintable } from "./printable.ts";

export type Printable = (text: string) => string;

export async function openPdf(bytes: Uint8Array): Promise<PDF> {
  const { PDF } = await import("@libpdf/core");
  return PDF.load(bytes);
}

export async function makeSigner(...given: ConstructorParameters<typeof CryptoKeySigner>): Promise<CryptoKeySigner> {
  const { CryptoKeySigner } = await import("@libpdf/core");
  return new CryptoKeySigner(...given);
}

export async function loadWriter() {
  const [{ default: PDFDocument }, { sharedFont, hasGlyph }] = await Promise.all([
    import("pdfkit"),
    import("./fonts.ts"),
  ]);
  const fonts = {
    regular: sharedFont("regular"),
    bold: sharedFont("bold"),
    script: sharedFont("script"),
    scriptExtended: sharedFont("scriptExtended"),
  };
  return { PDFDocument, fonts, hasGlyph };
}

/** Returns `toPrintable` for the regular and the bold typeface, which have the same characters. */
export async function loadPrintable(): Promise<Printable> {
  const { hasGlyph } = await import("./fonts.ts");
  return (text) => toPrintable(text, (character) => hasGlyph("regular", character));
}
