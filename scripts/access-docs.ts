/** Writes docs/access.md from the access levels of the endpoints. With --check it only reports a difference. */

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { accessDocument } from "./access-document.ts";

const file = path.resolve(import.meta.dirname, "../docs/access.md");
const fresh = accessDocument();
if (!process.argv.includes("--check")) writeFileSync(file, fresh);
else if (readFileSync(file, "utf8") !== fresh) {
  console.error("docs/access.md differs from the declarations. Run: node scripts/access-docs.ts");
  process.exit(1);
}
