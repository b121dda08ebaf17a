import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "#platform/config.ts";
import { lockDataDir } from "#platform/db/data-folder/lock.ts";
import { freePort } from "#test/free-ports.ts";
import { preflight } from "./preflight.ts";

test("waits until a stopping process has released the data folder", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "stagedoor-preflight-"));
  try {
    const lock = lockDataDir(dataDir);
    const starting = preflight(readConfig({ DATA_DIR: dataDir, PORT: String(await freePort()) }));
    lock.release();
    await expect(starting).resolves.toBeUndefined();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
