/** The page on which a service places the signatures. The agreement itself does not change. */

import { makePdf, type PdfDocument } from "../documents/pdf-page.ts";
import type { ContractSide } from "../rules/contract.rules.ts";
import type { SendRequest } from "./provider.ts";

export function makeSignaturePage(
  request: Pick<SendRequest, "title" | "sha256" | "signers">,
  mark: (side: ContractSide) => string,
): Promise<PdfDocument> {
  const { title, sha256, signers } = request;
  const fingerprint = `Fingerprint of the agreement (SHA-256): ${sha256.toString("hex")}`;
  return makePdf({ title: `Signatures: ${title}`, foot: [title, fingerprint] }, (page) => {
    page.title("Signatures");
    page.paragraph("The signatures on this page are given to the agreement on the pages before it, and to no other.");
    page.paragraph(fingerprint);
    for (const { side, name } of signers) {
      page.heading(`${name}, ${side}`);
      page.paragraph(mark(side));
      for (let line = 0; line < 4; line++) page.paragraph(" ");
    }
  });
}
