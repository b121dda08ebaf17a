import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { accessDocument } from "../../scripts/access-document.ts";

test("docs/access.md matches the access levels of the endpoints", () => {
  const written = readFileSync(path.resolve(import.meta.dirname, "../../docs/access.md"), "utf8");
  expect(written, "run: node scripts/access-docs.ts").toBe(accessDocument());
  expect(written.match(/`(GET|POST|PUT|PATCH|DELETE) \/api/g)?.length).toBeGreaterThan(40);
});
