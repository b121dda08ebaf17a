/** The tar archive of a backup: first `stagedoor.json`, which names its creator, last `manifest.json` with the checksum of everything before it. An archive without its end is incomplete. */

import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createTarDecoder, createTarPacker } from "modern-tar";
import { z } from "zod";
import { ConfigError } from "#platform/config.ts";
import { errorCode, errorMessage } from "#platform/errors.ts";

export const archiveFormat = 1;
/** In bytes. No entry is larger: the database is split, and uploaded files have a limit. */
const maxEntryBytes = 256 * 1024 * 1024;

const headSchema = z.object({
  format: z.number().int(),
  version: z.string(),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.string()),
  /** The bucket whose files are only listed. Null: the files are inside. */
  bucket: z.string().nullable(),
  keyFingerprint: z.string().nullable(),
});
const manifestSchema = z.object({
  entries: z.number().int(),
  sha256: z.string(),
  rows: z.record(z.string(), z.number()),
  sums: z.record(z.string(), z.string()),
  files: z.number().int(),
  /** How many files the database names that were not in the store, with the first names. Absent in older backups. */
  missing: z
    .object({ count: z.number().int(), example: z.string(), names: z.array(z.string()).default([]) })
    .optional(),
});
export type Head = z.infer<typeof headSchema>;
export type Manifest = z.infer<typeof manifestSchema>;
export type Entry = { name: string; bytes: Buffer };

/** The root key of the installation, encrypted with the operator's passphrase. */
export const keyName = "root-key.json";
export const headName = "stagedoor.json";
const manifestName = "manifest.json";

const count = (hash: Hash, { name, bytes }: Entry) => hash.update(`${name}\n${bytes.length}\n`).update(bytes);

/** Writes an archive for its owner only. `fill` adds the entries and returns their manifest. The file is renamed once complete. */
export async function writeArchive(
  file: string,
  fill: (add: (name: string, bytes: Buffer) => Promise<void>) => Promise<Omit<Manifest, "entries" | "sha256">>,
): Promise<Manifest> {
  const draft = `${file}.part`;
  const handle = await open(draft, "wx", 0o600).catch((error: unknown) => {
    if (errorCode(error) === "EEXIST")
      throw new ConfigError(
        `There is a file ${draft} already: another backup is being written, or one was interrupted. If none is being written, delete the file.`,
      );
    throw new ConfigError(`The backup cannot be written to ${draft} (${reasonOf(error)}).`);
  });
  try {
    const { readable, controller } = createTarPacker();
    const written = readable.pipeTo(new WritableStream<Uint8Array>({ write: (bytes) => handle.writeFile(bytes) }));
    const packed = packInto(controller, fill);
    packed.catch((error: unknown) => controller.error(error));
    const [manifest] = await Promise.all([packed, written]);
    await handle.sync();
    await handle.close();
    await rename(draft, file);
    return manifest;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(draft, { force: true });
    if (isFull(error)) throw new ConfigError(`The backup was not written: there is no space left for ${file}.`);
    throw error;
  }
}

async function packInto(
  controller: ReturnType<typeof createTarPacker>["controller"],
  fill: Parameters<typeof writeArchive>[1],
): Promise<Manifest> {
  const hash = createHash("sha256");
  let entries = 0;
  const append = async (name: string, bytes: Buffer) => {
    const writer = controller.add({ name, size: bytes.length, mode: 0o600 }).getWriter();
    if (bytes.length > 0) await writer.write(bytes);
    await writer.close();
  };
  const summary = await fill(async (name, bytes) => {
    count(hash, { name, bytes });
    entries += 1;
    await append(name, bytes);
  });
  const manifest = { ...summary, entries, sha256: hash.digest("hex") };
  await append(manifestName, Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`));
  controller.finalize();
  return manifest;
}

/** Throws ConfigError if the file is no tar archive or ends too early. */
export async function* readEntries(file: string): AsyncGenerator<Entry> {
  const bytes = Readable.toWeb(createReadStream(file, { highWaterMark: 1 << 20 })) as ReadableStream<Uint8Array>;
  try {
    for await (const { header, body } of bytes.pipeThrough(createTarDecoder({ strict: true }))) {
      if (header.size > maxEntryBytes) throw new ConfigError(`${file} is not a backup of Stagedoor.`);
      yield { name: header.name, bytes: await buffer(body) };
    }
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (errorCode(error) === "ENOENT") throw new ConfigError(`There is no file ${file}.`);
    throw new ConfigError(`${file} cannot be read as a backup: it is damaged or cut off (${reasonOf(error)}).`);
  }
}

/** Reads the whole archive and returns its head, its manifest and the encrypted root key, if it has one. Throws ConfigError if it is damaged, cut off or of a newer format. */
export async function checkArchive(file: string) {
  const hash = createHash("sha256");
  let entries = 0;
  let head: Head | undefined;
  let manifest: Manifest | undefined;
  let encryptedKey: Buffer | undefined;
  for await (const entry of readEntries(file)) {
    if (!head) head = readHead(file, entry);
    if (entry.name === keyName) encryptedKey = entry.bytes;
    if (entry.name === manifestName) {
      manifest = readJson(file, manifestSchema, entry);
      continue;
    }
    count(hash, entry);
    entries += 1;
  }
  if (!head || !manifest) throw new ConfigError(`${file} is cut off: its end is missing. Use another backup.`);
  if (manifest.entries !== entries || manifest.sha256 !== hash.digest("hex"))
    throw new ConfigError(`${file} is damaged: its content does not match its checksum. Use another backup.`);
  return { head, manifest, encryptedKey };
}

function readHead(file: string, entry: Entry): Head {
  if (entry.name !== headName) throw new ConfigError(`${file} is not a backup of Stagedoor.`);
  const { format } = readJson(file, headSchema.pick({ format: true }), entry);
  if (format > archiveFormat)
    throw new ConfigError(
      `${file} was made by a newer version of Stagedoor. Restore it with that version or a later one.`,
    );
  return readJson(file, headSchema, entry);
}

function readJson<T>(file: string, schema: z.ZodType<T>, { name, bytes }: Entry): T {
  try {
    return schema.parse(JSON.parse(bytes.toString("utf8")));
  } catch {
    throw new ConfigError(`${file} is damaged: ${name} cannot be read. Use another backup.`);
  }
}

const isFull = (error: unknown) => ["ENOSPC", "EDQUOT"].includes(errorCode(error));
const reasonOf = (error: unknown) => errorCode(error) || errorMessage(error);
