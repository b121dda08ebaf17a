/** Every feature is available to every user: none requires a license key, an edition or a payment to us. */

import { expect, test } from "vitest";
import { read, trackedFiles } from "./sources.ts";

/** A key, file or edition that unlocks a feature, in any notation: licenseKey, LICENSE_KEY, "Enterprise edition". */
const gates =
  /licen[cs]e[\s_-]*(key|file|server|check|token|tier|plan|expired|required)|(enterprise|community|premium|paid|pro)[\s_-]+(edition|feature|plan|tier)\b|(is|has|require|check|verify)Licen[cs]e|payment_required|upgrade to (pro|premium|enterprise)/i;

const sources = trackedFiles().filter(
  (file) => /^(src|sandbox|seed|scripts|deploy|migrations)\/|^docs\/[^/]+\.md$|^README\.md$/.test(file) && isText(file),
);

function isText(file: string): boolean {
  return /\.(ts|tsx|mjs|mts|sql|md|yml|service|json|css)$/.test(file) && !file.endsWith(".test.ts");
}

test("finds no feature that requires a license key", () => {
  for (const planted of [
    'text(env, "LICENSE_KEY")',
    "if (!hasLicense(config)) throw new Problem(",
    "Backups to a bucket are part of the Enterprise edition.",
    'new Problem("payment_required", "…")',
    "Upgrade to Pro to invite more admins.",
  ])
    expect(gates.test(planted), planted).toBe(true);
  expect(gates.test("The license of this program is Apache 2.0. The promoter's payment is required.")).toBe(false);
  expect(sources.length).toBeGreaterThan(900);
  expect(sources.filter((file) => gates.test(read(file)))).toEqual([]);
});
