import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, freshDatabase } from "#test/database.ts";
import { ConfigError } from "../config.ts";
import { keysFrom, type KeySource, loadKeys } from "./keys.ts";
import { secretFile } from "./secret-file.ts";

let place: TestDatabase;
const folders: string[] = [];
afterAll(async () => {
  await place.drop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const folder = () => {
  const made = mkdtempSync(path.join(tmpdir(), "stagedoor-keys-"));
  folders.push(made);
  return made;
};
const from = (dataDir: string, more: Partial<KeySource> = {}): KeySource => ({
  dataDir,
  secretsKey: undefined,
  secretsKeyOld: undefined,
  ...more,
});

beforeAll(async () => {
  place = await freshDatabase();
});
beforeEach(() => place.database.db.deleteFrom("installation_keys").execute());
const load = (source: KeySource, reencrypt: Parameters<typeof loadKeys>[2] = async () => undefined) =>
  loadKeys(place.database, source, reencrypt);
const rows = () => place.database.db.selectFrom("installation_keys").select(["name", "value"]).execute();
const leaveInDatabase = (key: Buffer) =>
  place.database.db
    .insertInto("installation_keys")
    .values({ name: "root", value: key.toString("base64") })
    .execute();

describe("the root key", () => {
  it("is created at the first start, in a file for its owner only, and not in the database", async () => {
    const dataDir = path.join(folder(), "new", "data");
    const keys = await load(from(dataDir));
    const text = readFileSync(secretFile(dataDir), "utf8").trim();
    expect(Buffer.from(text, "base64")).toHaveLength(32);
    expect(statSync(secretFile(dataDir)).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(await rows())).not.toContain(text);
    const again = await load(from(dataDir));
    expect(again.decrypt("x", keys.encrypt("x", "kept"))).toBe("kept");
    expect(again.installation).toBe(keys.installation);
  });

  it("moves from the database to the file, and still decrypts existing values", async () => {
    const key = randomBytes(32);
    const before = await load(from(folder(), { secretsKey: key }));
    await place.database.db.deleteFrom("installation_keys").execute();
    await leaveInDatabase(key);
    const dataDir = folder();
    const keys = await load(from(dataDir));
    expect(readFileSync(secretFile(dataDir), "utf8").trim()).toBe(key.toString("base64"));
    expect(JSON.stringify(await rows())).not.toContain(key.toString("base64"));
    expect(keys.decrypt("x", before.encrypt("x", "kept"))).toBe("kept");
    expect(keys.installation).toBe(before.installation);
  });

  it("survives a crash between the file and the database", async () => {
    const key = randomBytes(32);
    await leaveInDatabase(key);
    const dataDir = folder();
    writeFileSync(secretFile(dataDir), key.toString("base64"));
    await load(from(dataDir));
    expect((await rows()).map((row) => row.name).sort()).toEqual(["fingerprint", "installation"]);
  });

  it("changes nothing if re-encryption fails", async () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)];
    await load(from(folder(), { secretsKey: old }));
    const before = await rows();
    const failing = load(from(folder(), { secretsKey: fresh, secretsKeyOld: old }), () =>
      Promise.reject(new Error("power cut")),
    );
    await expect(failing).rejects.toThrow("power cut");
    expect(await rows()).toEqual(before);
  });

  it("is the same for two processes that start together, or the second one reports what to do", async () => {
    const shared = folder();
    const [a, b] = await Promise.all([load(from(shared)), load(from(shared))]);
    expect(b.decrypt("x", a.encrypt("x", "kept"))).toBe("kept");
    const elsewhere = folder();
    await expect(load(from(elsewhere))).rejects.toThrow(/encrypted with another key.*SECRETS_KEY.*copy/s);
    expect(existsSync(secretFile(elsewhere))).toBe(false);
    await expect(load(from(elsewhere, { secretsKey: randomBytes(32) }))).rejects.toThrow(ConfigError);
    const key = Buffer.from(readFileSync(secretFile(shared), "utf8"), "base64");
    expect((await load(from(elsewhere, { secretsKey: key }))).decrypt("x", a.encrypt("x", "kept"))).toBe("kept");
  });

  it("is not disclosed in the error that rejects it", async () => {
    await load(from(folder()));
    const wrong = randomBytes(32);
    const failure = await load(from(folder(), { secretsKey: wrong })).catch((error: unknown) => String(error));
    expect(failure).not.toContain(wrong.toString("base64").slice(0, 10));
  });

  it.each(["", "short", Buffer.alloc(31).toString("base64")])("rejects a file with %j instead", async (text) => {
    const dataDir = folder();
    writeFileSync(secretFile(dataDir), text);
    await expect(load(from(dataDir))).rejects.toThrow(/does not contain 32 bytes/);
    expect(readFileSync(secretFile(dataDir), "utf8")).toBe(text);
  });

  it.skipIf(process.getuid?.() === 0)("reports a way out for a folder that cannot be written", async () => {
    const dataDir = folder();
    chmodSync(dataDir, 0o500);
    await expect(load(from(dataDir))).rejects.toThrow(/set SECRETS_KEY/);
  });

  it("rejects a file of another database before anything is encrypted with it", async () => {
    await leaveInDatabase(randomBytes(32));
    const dataDir = folder();
    writeFileSync(secretFile(dataDir), randomBytes(32).toString("base64"));
    await expect(load(from(dataDir))).rejects.toThrow(/key of another database/);
    expect((await rows()).map((row) => row.name)).toEqual(["root"]);
  });
});

describe("changing the root key", () => {
  it("re-encrypts once, reads with both keys while the former is configured, and retains the installation's identifier", async () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)];
    const before = await load(from(folder(), { secretsKey: old }));
    let calls = 0;
    const both = from(folder(), { secretsKey: fresh, secretsKeyOld: old });
    const reencrypt = async () => void (calls += 1);
    const keys = await load(both, reencrypt);
    await load(both, reencrypt);
    expect(calls).toBe(1);
    expect(keys.decrypt("x", before.encrypt("x", "kept"))).toBe("kept");
    expect(keys.hmacs("p", "t")).toContainEqual(before.hmac("p", "t"));
    expect(keys.hmac("p", "t")).not.toEqual(before.hmac("p", "t"));
    expect(keys.installation).toBe(before.installation);
    const alone = await load(from(folder(), { secretsKey: fresh }));
    expect(() => alone.decrypt("x", before.encrypt("x", "gone"))).toThrow(/authenticate/);
    expect(alone.installation).toBe(before.installation);
    await expect(load(from(folder(), { secretsKey: old }))).rejects.toThrow(ConfigError);
  });

  it("creates a new file if the former one was moved away", async () => {
    const dataDir = folder();
    await load(from(dataDir));
    const old = Buffer.from(readFileSync(secretFile(dataDir), "utf8"), "base64");
    rmSync(secretFile(dataDir));
    await load(from(dataDir, { secretsKeyOld: old }));
    expect(readFileSync(secretFile(dataDir), "utf8").trim()).not.toBe(old.toString("base64"));
    await load(from(dataDir));
  });

  it("replaces a key in the database if SECRETS_KEY is set at the same time", async () => {
    const [kept, given] = [randomBytes(32), randomBytes(32)];
    await leaveInDatabase(kept);
    let calls = 0;
    await load(from(folder(), { secretsKey: given }), async (_tx, keys) => {
      calls += 1;
      expect(keys.hmacs("p", "t")).toHaveLength(2);
    });
    expect(calls).toBe(1);
    expect((await rows()).map((row) => row.name).sort()).toEqual(["fingerprint", "installation"]);
  });
});

describe("decrypt", () => {
  const keys = keysFrom(Buffer.alloc(32, 7));

  it("reads what an earlier version encrypted", () => {
    const stored = "ILxCn0nwv0VGMCvRUrKI5gKhQbE8O/M5v8nLiot0vrPYIcqSNawsdBERboM=";
    expect(keys.decrypt("a purpose", stored)).toBe("calendar address");
  });

  it("refuses an authentication tag of 4 bytes", () => {
    const cut = Buffer.from(keys.encrypt("a purpose", ""), "base64").subarray(0, 16).toString("base64");
    expect(() => keys.decrypt("a purpose", cut)).toThrow("authentication tag");
  });
});
