import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import type { OpenServices } from "../services.ts";
import { callRunningServer, openCliSocket } from "./socket.ts";

const folder = mkdtempSync(path.join(tmpdir(), "sock-"));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(process.platform === "win32")(
  "sends no command through a temporary folder that another user of the machine can change",
  async () => {
    vi.stubEnv("TMPDIR", folder);
    const dataDir = `/${"long/".repeat(30)}data`;
    const open = () => openCliSocket({ config: { dataDir } } as OpenServices);
    const stop = await open();
    const [made = ""] = readdirSync(folder);
    expect(made).toMatch(/^stagedoor-/);
    await stop();
    await (
      await open()
    )();
    chmodSync(path.join(folder, made), 0o777);
    await expect(open()).rejects.toThrow("belongs to another user of this machine");
    await expect(callRunningServer(dataDir, [], async () => {})).rejects.toThrow("belongs to another user");
  },
);
