/** Debian's poppler-utils. CI installs them. Elsewhere tests that need them are skipped by name. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** False only if the tools are missing and not required. */
export const popplerIsHere = (() => {
  try {
    execFileSync("pdfsig", ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return process.env["CI"] !== undefined;
  }
})();

/** Returns the output of a tool for a file. `before` and `after` are its arguments around the file name. */
export function runPoppler(
  tool: "pdfsig" | "pdftotext",
  pdf: Uint8Array,
  { before = [], after = [] }: { before?: readonly string[]; after?: readonly string[] } = {},
): string {
  const folder = mkdtempSync(path.join(tmpdir(), "stagedoor-pdf-"));
  try {
    const file = path.join(folder, "file.pdf");
    writeFileSync(file, pdf);
    return execFileSync(tool, [...before, file, ...after], { encoding: "utf8" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
