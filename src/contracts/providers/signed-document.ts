import type { PDF } from "@libpdf/core";
import { sha256Of } from "../documents/hash.ts";
import { openPdf } from "../documents/pdf-library.ts";
import { type PdfDocument } from "../documents/pdf-page.ts";

export type CheckedDocument = PdfDocument | Readonly<{ fault: string }>;

/** The lines that a service may stamp on a page, such as the id of the envelope. */
const stampLines = 3;

const linesOf = (pdf: PDF): string[][] =>
  pdf.getPages().map((page) =>
    page
      .extractText()
      .text.split("\n")
      .map((line) => line.replaceAll(/\s+/g, " ").trim())
      .filter((line) => line !== ""),
  );

export const textOf = async (bytes: Uint8Array): Promise<string[][]> => linesOf(await openPdf(bytes));

/** Checks that a signed file has every page and line of the agreement in order, and nothing added but a stamp and signature pages. */
export async function checkSigned(agreement: Buffer, signed: Buffer): Promise<CheckedDocument> {
  let pages: string[][];
  try {
    pages = await textOf(signed);
  } catch {
    return { fault: "the file that the service calls signed cannot be read" };
  }
  const expected = await textOf(agreement);
  for (const [index, lines] of expected.entries()) {
    const found = pages[index] ?? [];
    let at = 0;
    const complete = lines.every((line) => {
      at = found.indexOf(line, at) + 1;
      return at > 0;
    });
    if (!complete || found.length > lines.length + stampLines)
      return { fault: `page ${index + 1} of the signed file is not that page of the agreement` };
  }
  return { bytes: signed, sha256: sha256Of(signed), pages: pages.length };
}
