/** Writes src/platform/db/schema.ts from the migrated schema. With --check it only reports a difference. */

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { embeddedImage } from "../test/database.ts";
import { schemaSource } from "./schema-source.ts";

const file = path.resolve(import.meta.dirname, "../src/platform/db/schema.ts");
const fresh = await schemaSource(await embeddedImage());
if (!process.argv.includes("--check")) writeFileSync(file, fresh);
else if (readFileSync(file, "utf8") !== fresh) {
  console.error("src/platform/db/schema.ts differs from the migrations. Run: node scripts/schema-types.ts");
  process.exit(1);
}
