import { openPdf } from "../documents/pdf-library.ts";
import { makePdf } from "../documents/pdf-page.ts";
import { sealForTest } from "./certificate.ts";
import { findSealFault } from "./verification.ts";

/** Signs and verifies a page to find a bad certificate early. Returns the fault or null, and the certificate's last day (UTC). */
export async function testSeal(services: Parameters<typeof sealForTest>[0]) {
  const { seal, endsOn } = await sealForTest(services);
  const page = await makePdf({ title: "Trial of the seal", foot: ["Trial"] }, (one) => {
    one.paragraph("This document was sealed for a trial. It is not kept.");
  });
  const pdf = await openPdf(page.bytes);
  const { bytes } = await pdf.sign({
    signer: seal.signer,
    reason: "Trial of the seal",
    signingTime: services.clock.now(),
    level: "B-B",
  });
  return { fault: findSealFault(Buffer.from(bytes)), endsOn };
}
