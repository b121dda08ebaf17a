import type { Reader } from "#platform/db/index.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import type { BackupOverview } from "./api.ts";

const lateAfterMs = 8 * dayMs;

export async function readBackups(reader: Reader, now: Date): Promise<BackupOverview> {
  const rows = reader.selectFrom("backups").selectAll().orderBy("made_at", "desc").limit(1);
  const last = await rows.executeTakeFirst();
  const verified = await rows.where("verified_at", "is not", null).executeTakeFirst();
  const failed = await rows.where("failure", "is not", null).executeTakeFirst();
  const verifiedAt = verified?.verified_at ?? null;
  return {
    state: !last
      ? "none"
      : last.failure !== null
        ? "failed"
        : verifiedAt && now.getTime() - verifiedAt.getTime() > lateAfterMs
          ? "late"
          : "verified",
    last_verified_at: verifiedAt,
    compared_tables: verified?.compared_tables ?? null,
    compared_rows: verified?.compared_rows ?? null,
    bytes: verified?.bytes ?? null,
    last_failure: failed ? { at: failed.made_at, message: failed.failure ?? "" } : null,
  };
}
