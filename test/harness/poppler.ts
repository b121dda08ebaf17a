/** Debian's poppler-utils, which nobody here wrote. CI installs them; elsewhere tests that need them are skipped by name. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** False only where the tools are missing and need not be there. */
export const popplerIsHere = (() => {
  try {
    execFileSync("pdfsig", ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return process.env["CI"] !== undefined;
  }
})();

/** What one of the tools prints about a file; `before` and `after` are its arguments around the name of the file. */
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
