/** The terms of old-terms.mts are not used in identifiers, file names, comments, test titles and documents. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type OldTerm, oldTerms } from "./old-terms.mts";

const root = path.resolve(import.meta.dirname, "../..");

/** Migrations are never edited. The lists of old terms contain them. */
const outside =
  /^(migrations\/|package-lock\.json|runtime\/|LICENSE|NOTICE|docs\/images\/)|\/old-terms(\.test)?\.mts$|\.(txt|png|svg|woff2?|ico|br|gz)$/;

const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && !outside.test(file));

const offends = (term: OldTerm, line: string) => term.pattern.test(line) && !term.allowed?.test(line);

/** Returns every use of a term as `file:line: text`. A file name is line 0. */
function placesOf(term: OldTerm): string[] {
  return tracked
    .filter((file) => !term.allowedIn?.test(file))
    .flatMap((file) => {
      const lines = [path.basename(file), ...readFileSync(path.join(root, file), "utf8").split("\n")];
      return lines.flatMap((line, number) => (offends(term, line) ? [`${file}:${number}: ${line.trim()}`] : []));
    });
}

test.each(oldTerms)("$term", (term) => {
  expect(offends(term, term.planted)).toBe(true);
  expect(tracked.length).toBeGreaterThan(300);
  expect(placesOf(term)).toEqual([]);
});
