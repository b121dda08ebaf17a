import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import type { Actor } from "#platform/http/context.ts";
import { deviceName } from "#platform/http/device-name.ts";
import { describeNetwork } from "./network-description.ts";

export async function listSessions(reader: Reader, actor: Actor, ip: string, now: Date) {
  const rows = await reader
    .selectFrom("sessions")
    .select(["id", "user_agent", "ip", "aal", "created_at", "refreshed_at"])
    .where("user_id", "=", actor.userId)
    .where("not_after", ">", now)
    .orderBy("refreshed_at", "desc")
    .limit(100)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    device: deviceName(row.user_agent),
    ip: row.ip,
    place: describeNetwork(row.ip, ip),
    current: row.id === actor.sessionId,
    assuranceLevel: row.aal === "aal2" ? ("aal2" as const) : ("aal1" as const),
    signedInAt: row.created_at,
    lastUsedAt: row.refreshed_at,
  }));
}

export async function hasOpenBookings(reader: Reader, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from bookings b left join artists a on a.id = b.artist_id
    where (b.promoter_user_id = ${userId} or a.user_id = ${userId}) and b.status not in ('completed', 'canceled') limit 1`.execute(
    reader,
  );
  return rows.length > 0;
}
