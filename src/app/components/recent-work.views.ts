import { hostname } from "node:os";
import { sql } from "kysely";
import { chosenProvider } from "#contracts/index.ts";
import { lastFailureAt } from "#delivery/index.ts";
import type { Config } from "#platform/config.ts";
import { firstRowOf, type Reader } from "#platform/db/index.ts";
import { isOfEndedProcess } from "#platform/db/platform.store.ts";
import { withoutAddresses } from "#platform/email-address.rules.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import type { ComponentName } from "./rules.ts";

export type RecentWork = Readonly<{
  lastSuccessAt: Date | null;
  /** `isRejection`: the service answered and rejected the work, which a test of the connection does not show. */
  lastFailure: Readonly<{ at: Date; message: string; isRejection?: boolean }> | null;
  queue: Readonly<{ waiting: number; oldest_at: Date | null }> | null;
  words: string;
}>;

const none: RecentWork = { lastSuccessAt: null, lastFailure: null, queue: null, words: "" };

type Recorded = Exclude<ComponentName, "replica">;

const queries: Readonly<Record<Recorded, (reader: Reader, services: PlatformServices) => Promise<RecentWork>>> = {
  database: async () => none,
  files: async () => none,
  email: (reader) => messagesBy(reader, "email"),
  sms: (reader) => messagesBy(reader, "sms"),
  cards: paymentEvents,
  signing: contractsSent,
  calendars: async (reader) => {
    const { count, failing, lastSuccessAt } = await countExternalCalendars(reader);
    const connections = await countConnections(reader);
    const parts = [
      failing === 0 ? "" : `${failing} of ${count} cannot be read now.`,
      connections.failing === 0
        ? ""
        : `${connections.failing} of ${connections.count} CalDAV calendars cannot be written now.`,
    ];
    return { ...none, lastSuccessAt, words: parts.join(" ").trim() };
  },
  identity: async () => none,
  single_sign_on: async () => none,
};

export const recentWork = (services: PlatformServices, name: Recorded): Promise<RecentWork> =>
  queries[name](services.database.db, services);

/** A rejection of the sender or of the text by a relay, or any by Twilio. Others concern one recipient only. */
const rejection = /^(Mail command failed|Message failed|Twilio answered)\b/;

export const isRefusing = ({ lastFailure, lastSuccessAt }: RecentWork): boolean =>
  lastFailure?.isRejection === true && (!lastSuccessAt || lastFailure.at > lastSuccessAt);

async function messagesBy(reader: Reader, channel: "email" | "sms"): Promise<RecentWork> {
  const sent = await firstRowOf<{ count: number; last_at: Date | null }>(reader)`
    select count(*) filter (where sent_at > installation_now() - interval '1 day')::int as count, max(sent_at) as last_at
      from messages where channel = ${channel} and created_at > installation_now() - interval '7 days'`;
  const waiting = await reader
    .selectFrom("messages")
    .select(["last_error", "attempts", "next_try_at", "created_at", sql<Date>`now()`.as("now")])
    .where("channel", "=", channel)
    .where("status", "=", "waiting")
    .orderBy("next_try_at", "desc")
    .limit(maxCounted)
    .execute();
  const [failed] = waiting
    .filter(({ last_error }) => last_error !== null)
    .map((one) => ({ ...one, at: lastFailureAt(one) }))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  return {
    lastSuccessAt: sent?.last_at ?? null,
    lastFailure: failed
      ? {
          at: failed.at,
          message: withoutAddresses(failed.last_error ?? ""),
          isRejection: rejection.test(failed.last_error ?? ""),
        }
      : null,
    queue: queueOf(waiting),
    words: `${sent?.count ?? 0} sent in the last 24 hours.`,
  };
}

export async function listRefusing(reader: Reader): Promise<string[]> {
  const [email, sms] = [await messagesBy(reader, "email"), await messagesBy(reader, "sms")];
  return [...(isRefusing(email) ? ["email"] : []), ...(isRefusing(sms) ? ["sms"] : [])];
}

export const wrongClockOf = (config: Config) =>
  `wrong_clock:${config.process} on ${hostname()} (process ${process.pid})` as const;

/** Returns another running process whose clock is wrong. */
export async function findWrongClock(reader: Reader, config: Config): Promise<string | undefined> {
  const row = await firstRowOf<{ process: string }>(reader)`
    select split_part(kind, ':', 2) as process from operator_notices
     where kind like 'wrong_clock:%' and kind <> ${wrongClockOf(config)} and not ${isOfEndedProcess}
     order by kind limit 1`;
  return row?.process;
}

const maxCounted = 1_000;

const queueOf = (waiting: readonly { created_at: Date }[]) => ({
  waiting: waiting.length,
  oldest_at: waiting.reduce<Date | null>((oldest, { created_at: at }) => (oldest && oldest < at ? oldest : at), null),
});

async function paymentEvents(reader: Reader): Promise<RecentWork> {
  const waiting = await reader
    .selectFrom("provider_events")
    .select("received_at as created_at")
    .where("source", "=", "payments")
    .where("processed_at", "is", null)
    .where("dead_at", "is", null)
    .limit(maxCounted)
    .execute();
  const last = await firstRowOf<{ at: Date | null }>(reader)`
    select max(received_at) as at from provider_events where source = 'payments'`;
  return { ...none, lastSuccessAt: last?.at ?? null, queue: queueOf(waiting) };
}

/** Of the chosen service. Contracts that were sent by another one do not show that it works. */
async function contractsSent(reader: Reader, services: PlatformServices): Promise<RecentWork> {
  const provider = await chosenProvider(reader, services);
  const open = await firstRowOf<{ count: number; last_at: Date | null }>(reader)`
    select count(*)::int as count, max(c.sent_at) as last_at from contracts c join bookings b on b.id = c.booking_id
      where c.signed_status = 'sent' and b.status = 'contract_sent' and c.provider = ${provider}`;
  const unsent = await reader
    .selectFrom("contracts as c")
    .innerJoin("bookings as b", "b.id", "c.booking_id")
    .select(["c.last_error", "c.created_at", "c.provider_requested_at"])
    .where("c.signed_status", "=", "draft")
    .where("b.status", "=", "deposit_paid")
    .where("c.attempts", ">", 0)
    .where("c.last_error", "is not", null)
    .orderBy("c.next_try_at", "desc")
    .limit(maxCounted)
    .execute();
  const [failed] = unsent;
  const count = open?.count ?? 0;
  return {
    lastSuccessAt: open?.last_at ?? null,
    lastFailure: failed
      ? { at: failed.provider_requested_at ?? failed.created_at, message: failed.last_error ?? "" }
      : null,
    queue: queueOf(unsent),
    words: [
      count === 1 ? "1 contract is out for signature." : `${count} contracts are out for signature.`,
      failed ? `${unsent.length} could not be sent and ${unsent.length === 1 ? "is" : "are"} tried again.` : "",
    ]
      .join(" ")
      .trim(),
  };
}

export async function countExternalCalendars(reader: Reader) {
  const row = await firstRowOf<{ count: number; failing: number; lastSuccessAt: Date | null }>(reader)`
    select count(*)::int as count, count(failing_since)::int as failing, max(last_success_at) as "lastSuccessAt"
      from external_calendars`;
  return row ?? { count: 0, failing: 0, lastSuccessAt: null };
}

async function countConnections(reader: Reader) {
  const row = await firstRowOf<{ count: number; failing: number }>(reader)`
    select count(*)::int as count, count(failing_since)::int as failing from calendar_connections`;
  return row ?? { count: 0, failing: 0 };
}
