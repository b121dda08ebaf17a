import { createHash } from "node:crypto";
import { ConfigError } from "#platform/config.ts";
import { errorMessage } from "#platform/errors.ts";
import { type Files, openFiles } from "#platform/files/adapters/disk.ts";
import type { Services } from "../services.ts";
import type { Print } from "./backup-report.ts";

type CopyDirection = "to-bucket" | "to-folder";

/** The object that names the owner of a bucket. It belongs to no row. */
const bucketMark = "installation";
const reportEvery = 100;

/** Copies each file once. Returns false if one was not copied or differs at the target. Throws ConfigError without a bucket. */
export async function copyFiles(
  { config, files: bucket }: Pick<Services, "config" | "files">,
  direction: CopyDirection,
  say: Print,
): Promise<boolean> {
  if (!config.s3) throw new ConfigError("Set S3_BUCKET and its keys first: they name the bucket to copy from or to.");
  const folder = openFiles(config.dataDir);
  const [from, to] = direction === "to-bucket" ? [folder, bucket] : [bucket, folder];
  const counts = { copied: 0, present: 0, failed: 0 };
  for await (const page of from.pages("")) {
    for (const { name } of page) {
      if (name === bucketMark) continue;
      const outcome = await copyOne(from, to, name).catch(async (error: unknown) => {
        await say(`FAILED  ${name}: ${errorMessage(error)}\n`);
        return "failed" as const;
      });
      if (outcome) counts[outcome] += 1;
      if (outcome === "copied" && counts.copied % reportEvery === 0) await say(`${counts.copied} files copied ...\n`);
    }
  }
  await say(
    `${counts.copied} files copied, ${counts.present} were there already${counts.failed ? `, ${counts.failed} failed; run it again` : ""}.\n`,
  );
  return counts.failed === 0;
}

async function copyOne(from: Files, to: Files, name: string): Promise<"copied" | "present" | undefined> {
  const bytes = await from.read(name);
  if (!bytes) return undefined;
  const wanted = checksum(bytes);
  const present = await to.read(name);
  if (present && checksum(present) === wanted) return "present";
  await to.put(name, bytes);
  const written = await to.read(name);
  if (!written || checksum(written) !== wanted) throw new Error("the copy differs from the original");
  return "copied";
}

const checksum = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
