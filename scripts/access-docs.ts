/** Writes docs/access.md from the access levels that the endpoints declare; with --check it only says whether the file has drifted. */
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
