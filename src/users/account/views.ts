import { payableOf } from "#ledger/index.ts";
import { firstRowOf, type Reader } from "#platform/db/index.ts";
import type { Actor } from "#platform/http/context.ts";
import { deviceName } from "#platform/http/device-name.ts";
import type { Person } from "#platform/personal-data/data-export.ts";
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

/** Returns true while the ledger owes the user's artist money, such as a payout that waits for the payment account. */
export async function hasUnpaidEarnings(reader: Reader, userId: string): Promise<boolean> {
  const artist = await reader.selectFrom("artists").select("id").where("user_id", "=", userId).executeTakeFirst();
  return artist !== undefined && (await payableOf(reader, artist.id)).some(({ amount }) => amount > 0);
}

/** Returns whose data an export and a deletion find: account, verified phone, current and former addresses. A former address that another account has verified since is that account's. */
export async function personOf(reader: Reader, userId: string): Promise<Person> {
  const row = await firstRowOf<Omit<Person, "userId">>(reader)`
    select case when u.phone_confirmed_at is not null then u.phone end as phone,
      array(select lower(u.email) where u.email_confirmed_at is not null union
        select former from unnest(u.former_emails) as former where not exists (
          select 1 from users o where lower(o.email) = former and o.id <> u.id
            and o.deleted_at is null and o.email_confirmed_at is not null)) as emails
    from users u where u.id = ${userId}`;
  return { userId, emails: [], phone: null, ...row };
}

type BookingObstacles = Record<"open_bookings" | "open_dispute" | "open_refund", boolean>;

/** Returns which bookings need the account: open ones, disputes that need its evidence, refunds that need its payee. */
export const bookingObstacles = (reader: Reader, userId: string): Promise<BookingObstacles | undefined> =>
  firstRowOf<BookingObstacles>(reader)`
    select bool_or(b.status not in ('completed', 'canceled')) as open_bookings,
      bool_or(exists (select 1 from disputes d where d.booking_id = b.id and d.closed_at is null)) as open_dispute,
      bool_or(b.promoter_user_id = ${userId} and exists (
        select 1 from refunds r join payments p on p.id = r.payment_id
        where p.booking_id = b.id and r.status <> 'succeeded')) as open_refund
    from bookings b
    where b.promoter_user_id = ${userId} or b.artist_id = any (array(select id from artists where user_id = ${userId}))`;
