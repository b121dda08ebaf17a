/** What people do in a generated life of a booking, through the calls that their screens make. */
import { sql } from "kysely";
import { expect } from "vitest";
import { policyNamed, type PolicyName } from "#bookings/rules.ts";
import { json } from "#platform/db/index.ts";
import { addDays, dayIn } from "#platform/time/calendar.rules.ts";
import type { TestApp } from "#test/test-app.ts";
import { browser } from "../bookings.ts";
import { signingCalls, tokensOf } from "../contracts.ts";

/** When every life begins. */
export const begin = new Date("2027-01-10T15:00:00Z");

/** What somebody tries; what the product refuses changes nothing. A new kind is one line here, one in `steps`, `atEnd` or `anything` of histories.ts and one in `acts`. */
export type Kind =
  | "deposit"
  | "decline card"
  | "sign as promoter"
  | "sign as artist"
  | "decline contract"
  | "balance"
  | "cancel as promoter"
  | "cancel as artist"
  | "cancel as admin"
  | "release date"
  | "refund in dashboard"
  | "confirm show"
  | "report no-show"
  | "decide no-show"
  | "connect account";
/** `part`: thousandths of whatever the act divides. */
export type Act = { hour: number; kind: Kind; part: number };
export type History = {
  daysAhead: number;
  hour: number;
  minutes: number;
  fee: number;
  policy: PolicyName;
  acts: Act[];
};

export type Life = {
  history: History;
  bookingId: string;
  artistId: string;
  promoter: ReturnType<typeof browser>;
  artist: ReturnType<typeof browser>;
  admin: ReturnType<typeof browser>;
};

export async function beginLife(
  app: TestApp,
  history: History,
  index: number,
  adminHeaders: Record<string, string>,
): Promise<Life> {
  const user = await app.make.user({ role: "artist", email: `artist-${index}@example.test` });
  const promoter = await app.make.user({ role: "promoter", email: `promoter-${index}@example.test` });
  const act = await app.make.artist({ userId: user.id, name: `Act ${index}`, location: "Austin, Texas" });
  const { id: bookingId } = await app.make.booking({
    artist: act,
    promoterUserId: promoter.id,
    promoterEmail: `promoter-${index}@example.test`,
    eventDate: addDays(dayIn("America/Chicago", begin), history.daysAhead),
    eventTime: `${history.hour}:30`,
    minutes: history.minutes,
    fee: history.fee,
    createdAt: begin,
  });
  const { name, ...policy } = policyNamed(history.policy);
  await app.database.transaction((tx) =>
    tx
      .updateTable("bookings")
      .set({ policy_name: name, policy: json({ name, ...policy }) })
      .where("id", "=", bookingId)
      .execute(),
  );
  return {
    history,
    bookingId,
    artistId: act.id,
    promoter: browser(app, await app.signIn(promoter)),
    artist: browser(app, await app.signIn(user)),
    admin: browser(app, adminHeaders),
  };
}

const pressButton = async (app: TestApp, url: unknown, button: string) => {
  await app.server.inject({ method: "POST", url: `${new URL(String(url)).pathname}/${button}` });
  await app.services.sandbox?.settle();
  await app.settle();
};

async function checkout(app: TestApp, { promoter, bookingId }: Life, isDeposit: boolean, button: string) {
  const { body } = await promoter.json("/api/functions/create-checkout", { bookingId, isDeposit });
  if (body["url"]) await pressButton(app, body["url"], button);
}

async function sign(app: TestApp, { bookingId }: Life, side: "promoter" | "artist") {
  const tokens = await tokensOf(app, bookingId);
  const calls = signingCalls(app);
  const key = side === "promoter" ? tokens.promoter : tokens.artist_token;
  const page = await calls.open(key);
  if (page.body.can_sign) await calls.sign(key, page.body);
}

/** Cancels with the refund that was just shown; whatever was refused is no act. */
async function cancelBy(at: Life["promoter"], { bookingId }: Life, code: string) {
  const { body } = await at.json(`/api/bookings/${bookingId}/cancellation`);
  if (body["refund_cents"] === undefined) return;
  const expected = { code, expected_refund_cents: body["refund_cents"] };
  expect((await at.json(`/api/bookings/${bookingId}/cancel`, expected)).status).toBeLessThan(500);
}

export const acts: Readonly<Record<Kind, (app: TestApp, life: Life, part: number) => Promise<unknown>>> = {
  deposit: (app, life) => checkout(app, life, true, "pay"),
  "decline card": (app, life) => checkout(app, life, true, "decline"),
  balance: (app, life) => checkout(app, life, false, "pay"),
  "sign as promoter": (app, life) => sign(app, life, "promoter"),
  "sign as artist": (app, life) => sign(app, life, "artist"),
  "decline contract": async (app, life, part) => {
    const tokens = await tokensOf(app, life.bookingId);
    const key = part % 2 ? tokens.promoter : tokens.artist_token;
    const page = await signingCalls(app).open(key);
    if (page.body.can_sign) await signingCalls(app).decline(key, page.body);
  },
  "cancel as promoter": (_app, life) => cancelBy(life.promoter, life, "plans_changed"),
  "cancel as artist": (_app, life) => cancelBy(life.artist, life, "cannot_perform"),
  "cancel as admin": (_app, life) => cancelBy(life.admin, life, "terms_broken"),
  "release date": async (_app, { artist, bookingId }) => {
    const address = `/api/artist/bookings/${bookingId}/release-date`;
    const { body } = await artist.json(address);
    if (body["refund_cents"] === undefined) return;
    expect((await artist.json(address, { expected_refund_cents: body["refund_cents"] })).status).toBe(200);
  },
  "refund in dashboard": async (app, { bookingId }, part) => {
    const paid = await app.database.db
      .selectFrom("payments")
      .select(["provider_payment", "amount"])
      .where("booking_id", "=", bookingId)
      .where("status", "=", "succeeded")
      .orderBy("kind", part % 2 ? "asc" : "desc")
      .executeTakeFirst();
    const amount = Math.floor(((paid?.amount ?? 0) * part) / 1_000);
    if (!paid?.provider_payment || amount === 0) return;
    const made = { refundId: "", key: `dashboard ${bookingId} ${app.services.clock.now().getTime()}`, amount };
    // The provider refuses more than is left of the charge, as its dashboard would.
    await app.services.gateway
      ?.createRefund({ ...made, providerPayment: paid.provider_payment })
      .catch(() => undefined);
  },
  "confirm show": (_app, { promoter, bookingId }) => promoter.json(`/api/bookings/${bookingId}/complete`, {}),
  "report no-show": (_app, { promoter, bookingId }) =>
    promoter.json(`/api/bookings/${bookingId}/no-show`, { note: "Nobody came to the stage." }),
  "decide no-show": async (app, life, part) => {
    const { rows } = await sql<{ held: number }>`
      select coalesce(-sum(amount), 0)::int as held from ledger_entries
      where account = ${`held:${life.bookingId}`}`.execute(app.database.db);
    const release_cents = Math.floor(((rows[0]?.held ?? 0) * part) / 1_000);
    const decision = "This is what we have found.";
    return life.admin.json(`/api/admin/bookings/${life.bookingId}/no-show`, { release_cents, decision });
  },
  "connect account": async (app, life) => {
    const { body } = await life.artist.json("/api/artist/payment-account", {});
    if (body["url"]) await pressButton(app, body["url"], "complete");
  },
};
