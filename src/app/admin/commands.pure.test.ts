import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandHelp } from "./commands.ts";

test("the help and docs/operate/commands.md list the same commands", () => {
  const helped = [...commandHelp().matchAll(/^ {2}(npm run .*?) {2,}/gm)].map(([, usage]) => usage);
  const page = readFileSync(new URL("../../../docs/operate/commands.md", import.meta.url), "utf8");
  const documented = [...page.matchAll(/^\| `(npm run [^`]*)`/gm)].map(([, usage]) => usage);
  expect(helped.length).toBeGreaterThan(10);
  expect(new Set(helped)).toEqual(new Set(documented));
});
