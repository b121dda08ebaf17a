import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { popplerIsHere } from "#test/harness/poppler.ts";
import { makePdf } from "./pdf-page.ts";

async function drawn(text: string): Promise<string> {
  const { bytes } = await makePdf({ title: "", foot: [] }, (page) => page.paragraph(text));
  return execFileSync("pdftotext", ["-", "-"], { input: bytes, encoding: "utf8" });
}

// The typefaces are shared by all documents, so an earlier document must not change the text of a later one.
test.skipIf(!popplerIsHere)(
  "keeps the text of letters that an earlier document used only as parts of others",
  async () => {
    expect(await drawn("Ždár, Йод, office")).toContain("Ždár, Йод, office");
    expect(await drawn("Zürich, Иван, effect, a field")).toContain("Zürich, Иван, effect, a field");
  },
);
