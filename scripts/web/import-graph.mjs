/** Finds the files that a file reaches through its imports. Parses text only, because it must work on Node 20 without any package. */

import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** Matches project files after `from`, `import`, `new URL`, `@import` or `url(`. */
const references = /(?:\bfrom|\bimport|\bnew URL|@import|\burl)\s*\(?\s*["']?((?:#|\.{1,2}\/)[^"')?\s]+)/g;

function fileOf(root, from, reference) {
  if (!reference.startsWith("#")) return path.resolve(path.dirname(from), reference);
  const [, folder, rest] = /^#(?:(test|seed|sandbox)\/)?(.*)$/.exec(reference);
  return path.join(root, folder ?? "src", rest);
}

/** Returns the entries and every file they reach, as sorted absolute paths, without packages. */
export function reachableFiles(root, entries) {
  const reached = new Set();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    if (!/\.(ts|tsx|mjs|js|css)$/.test(file)) continue;
    for (const [, reference] of readFileSync(file, "utf8").matchAll(references)) {
      const target = fileOf(root, file, reference);
      if (existsSync(target) && statSync(target).isFile()) waiting.push(target);
    }
  }
  return [...reached].sort((a, b) => (a < b ? -1 : 1));
}
