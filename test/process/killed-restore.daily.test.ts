/** An interrupted restore: every start refuses its remains, and it can be repeated. TEST_DEEP=1 kills it 20 times. */

import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";
import { admin, emptyMarketFolder, endAll, freshFolder, launch, refused } from "./server.ts";

const kills = process.env["TEST_DEEP"] === "1" ? 20 : 2;
vi.setConfig({ testTimeout: 300_000 + kills * 120_000 });
afterAll(endAll);

test("leaves an empty or complete target after a killed restore, can be repeated, and reports the required key to the operator", async () => {
  const small = path.join(freshFolder(), "small.tar");
  expect((await admin(["backup", small], { DATA_DIR: emptyMarketFolder() })).code).toBe(0);
  const DATA_DIR = freshFolder();
  for (let kill = 1; kill <= kills; kill++) {
    const { child, ended } = launch("src/app/admin/main.ts", ["restore", small], { DATA_DIR });
    const files = () => countFiles(path.join(DATA_DIR, "restoring", "pg", "base"));
    // The engine has about nine hundred files, and the tables add more, so each round gets further.
    while (child.exitCode === null && files() < (kill * 1500) / kills) await pause(5);
    child.kill("SIGKILL");
    const { code } = await ended;
    if (code === 0) break;
    expect(existsSync(path.join(DATA_DIR, "pg"))).toBe(false);
    if (existsSync(path.join(DATA_DIR, "restoring")))
      expect((await refused({ DATA_DIR })).output).toContain("was interrupted. Run it again");
  }
  if (!existsSync(path.join(DATA_DIR, "pg"))) {
    const again = await admin(["restore", small], { DATA_DIR });
    expect(again.output).toContain(`copy its secrets.key to ${path.join(DATA_DIR, "secrets.key")}`);
    expect(again.code).toBe(0);
    expect((await refused({ DATA_DIR })).output).toContain("encrypted with another key");
  }
  const { code, output } = await admin(["verify"], { DATA_DIR, SECRETS_KEY: "" });
  expect({ code, output }).toMatchObject({ output: expect.not.stringContaining("FAILED") });
});

/** Counts the files of the folders below this one, some of which disappear during the count. */
function countFiles(base: string): number {
  try {
    return readdirSync(base).reduce((sum, folder) => sum + readdirSync(path.join(base, folder)).length, 0);
  } catch {
    return 0;
  }
}
