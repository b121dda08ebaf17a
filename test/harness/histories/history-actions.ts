/** The actions in a generated history, through the calls of the screens. */

import { sql } from "kysely";
import { expect } from "vitest";
import type { BookingPage } from "#bookings/api.ts";
import { makePayLink } from "#bookings/links/pay-links.ts";
import { policyNamed, type PolicyName } from "#bookings/rules.ts";
import type { Currency } from "#payments/rules.ts";
import { json, type Tx } from "#platform/db/index.ts";
import { addDays, dayIn } from "#platform/time/calendar.rules.ts";
import { changeArtistSettings, savePlatformSettings } from "#settings/index.ts";
import { platformOwner, type PlatformSettings } from "#settings/rules.ts";
import { lockDocument } from "#settings/store.ts";
import type { TestApp } from "#test/test-app.ts";
import { browser } from "../bookings.ts";
import { signingCalls, tokensOf } from "../contracts.ts";
import { refundInDashboard, refuseRefund, resolveRefunds, returnRefund, takenPayment } from "./refund-actions.ts";

export const begin = new Date("2027-01-10T15:00:00Z");

/** A user's attempt. A refused one changes nothing. A new kind needs a line here, one in `steps`, `atEnd` or `anything` of histories.ts, and one in `actions`. */
export type Kind =
  | "accept request"
  | "decline request"
  | "deposit"
  | "decline card"
  | "sign as promoter"
  | "sign as artist"
  | "decline contract"
  | "balance"
  | "balance by two payers"
  | "cancel as promoter"
  | "cancel as artist"
  | "cancel as admin"
  | "release date"
  | "refund in dashboard"
  | "confirm show"
  | "report no-show"
  | "decide no-show"
  | "connect account"
  | "withdraw consent"
  | "extend balance"
  | "propose to end it"
  | "answer the proposal"
  | "withdraw the proposal"
  | "dispute"
  | "send evidence"
  | "decide dispute"
  | "reverse in dashboard"
  | "refuse refund"
  | "return refund"
  | "resolve refunds"
  | "restrict account"
  | "pay outside";
/** `part`: thousandths of the amount that the action divides. */
export type Action = { hour: number; kind: Kind; part: number };
export type History = {
  daysAhead: number;
  hour: number;
  minutes: number;
  fee: number;
  currency: Currency;
  policy: PolicyName;
  /** Off: the artist answers the request, and the balance is the whole price. */
  requiresDeposit: boolean;
  /** The promoter's consent to the automatic charge of the balance, and the saved card's behavior. */
  card: "not kept" | "works" | "card_declined";
  actions: Action[];
};

export type Life = {
  history: History;
  bookingId: string;
  artistId: string;
  promoter: ReturnType<typeof browser>;
  artist: ReturnType<typeof browser>;
  admin: ReturnType<typeof browser>;
};

export async function savePlatform(tx: Tx, values: Partial<PlatformSettings>): Promise<void> {
  const { version } = await lockDocument(tx, "platform", platformOwner);
  await savePlatformSettings(tx, { values, version, by: null });
}

export async function beginLife(
  app: TestApp,
  history: History,
  index: number,
  adminHeaders: Record<string, string>,
): Promise<Life> {
  const user = await app.make.user({ role: "artist", email: `artist-${index}@example.test` });
  const promoter = await app.make.user({ role: "promoter", email: `promoter-${index}@example.test` });
  const act = await app.make.artist({
    userId: user.id,
    name: `Act ${index}`,
    location: "Austin, Texas",
    baseRate: history.fee,
  });
  await app.database.transaction(async (tx) => {
    await changeArtistSettings(tx, act.id, { requireDeposit: history.requiresDeposit, minimumNotice: 0 }, user.id);
    await tx.updateTable("artists").set({ price_currency: history.currency }).where("id", "=", act.id).execute();
    await savePlatform(tx, { currency: history.currency });
  });
  const visitor = browser(app, await app.signIn(promoter));
  const bookingId = await requestBooking(app, visitor, {
    ...history,
    slug: act.slug,
    email: `promoter-${index}@example.test`,
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
    promoter: visitor,
    artist: browser(app, await app.signIn(user)),
    admin: browser(app, adminHeaders),
  };
}

/** Sends the form, with consent if the history contains it. Returns the booking's id. */
async function requestBooking(
  app: TestApp,
  visitor: Life["promoter"],
  given: Pick<History, "daysAhead" | "hour" | "minutes" | "card"> & { slug: string; email: string },
): Promise<string> {
  const eventDate = addDays(dayIn("America/Chicago", app.services.clock.now()), given.daysAhead);
  const eventTime = `${given.hour}:30`;
  const { body: checked } = await visitor.check({ artistId: given.slug, eventDate, eventTime });
  const consent = given.card === "not kept" ? null : checked["balance_consent"];
  const { status, body } = await visitor.requestBooking({
    artistId: given.slug,
    clientEmail: given.email,
    eventDate,
    eventTime,
    duration: `${given.minutes} minutes`,
    ...(consent ? { balanceConsent: consent } : {}),
  });
  expect(status, JSON.stringify(body)).toBe(201);
  await app.settle();
  return body.id;
}

const pressButton = async (app: TestApp, url: unknown, button: string, later = "works") => {
  await app.server.inject({
    method: "POST",
    url: `${new URL(String(url)).pathname}/${button}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `later=${later}`,
  });
  await app.services.sandbox?.settle();
  await app.settle();
};

async function checkout(app: TestApp, { promoter, bookingId, history }: Life, isDeposit: boolean, button: string) {
  const { body } = await promoter.json("/api/functions/create-checkout", { bookingId, isDeposit });
  if (body["url"]) await pressButton(app, body["url"], button, history.card === "not kept" ? "works" : history.card);
}

/** Two people open their own links to the balance and pay in the same moment. */
async function payByTwo(app: TestApp, { bookingId }: Life) {
  const open = async (name: string) => {
    const given = { booking: { id: bookingId }, services: app.services };
    const link = await app.database.transaction((tx) => makePayLink(tx, given, "balance"));
    const form = { key: new URL(link).searchParams.get("key") ?? "", payer_name: name, payer_email: "" };
    const response = await browser(app).call(`/pay/${bookingId}/balance`, new URLSearchParams(form).toString(), {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(response.status).toBeLessThan(500);
    return ((await response.json()) as { url?: string }).url;
  };
  const urls = await Promise.all(["Nora Ames", "Ivo Lund"].map(open));
  const pay = async (url?: string) =>
    url && (await app.server.inject({ method: "POST", url: `${new URL(url).pathname}/pay` }));
  await Promise.all(urls.map(pay));
}

type Agreement = { money: { held_cents: number }; force_majeure: { proposal: Proposal | null } | null };
type Proposal = { id: string; by: "promoter" | "artist"; refund_cents: number };
const agreementOf = async ({ promoter, bookingId }: Life) =>
  (await promoter.json(`/api/bookings/${bookingId}`)).body as unknown as Agreement;

/** Proposes a full or partial refund for one side. */
async function propose(life: Life, part: number) {
  const { held_cents: held } = (await agreementOf(life)).money;
  return life[part % 2 ? "promoter" : "artist"].json(`/api/bookings/${life.bookingId}/force-majeure`, {
    reason: "The hall is under water.",
    refund_cents: part % 3 ? Math.floor((held * part) / 1_000) : null,
    expected_paid_cents: held,
  });
}

/** Accepts or refuses as the other side, or withdraws the proposal as its author. */
async function endProposal(life: Life, act: "answer" | "withdraw", part: number) {
  const proposal = (await agreementOf(life)).force_majeure?.proposal;
  if (!proposal) return;
  const address = `/api/bookings/${life.bookingId}/force-majeure/${act}`;
  const author = proposal.by;
  if (act === "withdraw") return void (await life[author].json(address, { proposal_id: proposal.id }));
  await life[author === "artist" ? "promoter" : "artist"].json(address, {
    proposal_id: proposal.id,
    accept: part % 4 > 0,
    expected_refund_cents: proposal.refund_cents,
  });
}

/** Opens an inquiry or a dispute by the payer's bank. A fully refunded charge cannot be disputed. */
async function dispute(app: TestApp, life: Life, part: number) {
  const paid = await takenPayment(app, life, part);
  if (!paid?.provider_payment) return;
  const opening = (["service", "half", "inquiry", "fraudulent"] as const)[part % 4] ?? "service";
  await app.server.inject({ method: "POST", url: `/sandbox/payment/${paid.provider_payment}/dispute/${opening}` });
}

const disputesOf = (app: TestApp, { bookingId }: Life) =>
  app.database.db
    .selectFrom("disputes")
    .select(["id", "provider_ref"])
    .where("booking_id", "=", bookingId)
    .orderBy("created_at")
    .execute();

async function sign(app: TestApp, { bookingId }: Life, side: "promoter" | "artist") {
  const tokens = await tokensOf(app, bookingId);
  const calls = signingCalls(app);
  const key = side === "promoter" ? tokens.promoter : tokens.artist_token;
  const page = await calls.open(key);
  if (page.body.can_sign) await calls.sign(key, page.body);
}

/** Cancels with the previewed refund. A refused cancellation has no effect. */
async function cancelBy(at: Life["promoter"], { bookingId }: Life, code: string) {
  const { body } = await at.json(`/api/bookings/${bookingId}/cancellation`);
  if (body["refund_cents"] === undefined) return;
  const expected = { code, expected_refund_cents: body["refund_cents"] };
  expect((await at.json(`/api/bookings/${bookingId}/cancel`, expected)).status).toBeLessThan(500);
}

/** Reverses a part of the last transfer that the provider made. */
async function reverseInDashboard(app: TestApp, { bookingId }: Life, part: number) {
  const sent = await app.database.db
    .selectFrom("transfers as t")
    .innerJoin("payouts as p", "p.id", "t.payout_id")
    .select(["t.provider_ref", "t.settled_amount"])
    .where("p.booking_id", "=", bookingId)
    .where("t.provider_ref", "is not", null)
    .orderBy("t.amount", "desc")
    .orderBy("t.payment_id")
    .executeTakeFirst();
  const amount = Math.floor(((sent?.settled_amount ?? 0) * part) / 1_000);
  if (!sent?.provider_ref || amount === 0) return;
  const key = `dashboard ${bookingId} ${app.services.clock.now().getTime()}`;
  // The provider refuses more than is left of the transfer.
  await app.services.gateway
    ?.createReversal({ reversalId: "", key, transfer: sent.provider_ref, amount })
    .catch(() => undefined);
}

/** Records what was refused of a payout as paid, or paid back, outside the provider. */
async function payOutside({ admin, bookingId }: Life) {
  const { money } = (await admin.json(`/api/bookings/${bookingId}`)).body as unknown as BookingPage;
  const expected_cents = money.payout?.outside_cents ?? 0;
  if (expected_cents === 0) return;
  const body = { how: "Bank transfer of today.", expected_cents };
  const { status } = await admin.json(`/api/admin/payouts/${bookingId}/settle`, body);
  expect([200, 409]).toContain(status);
}

export const actions: Readonly<Record<Kind, (app: TestApp, life: Life, part: number) => Promise<unknown>>> = {
  "accept request": (_app, { artist, bookingId }) => artist.json(`/api/artist/bookings/${bookingId}/accept`, {}),
  "decline request": (_app, { artist, bookingId }) => artist.json(`/api/artist/bookings/${bookingId}/decline`, {}),
  deposit: (app, life) => checkout(app, life, true, "pay"),
  "decline card": (app, life) => checkout(app, life, true, "decline"),
  balance: (app, life) => checkout(app, life, false, "pay"),
  "balance by two payers": payByTwo,
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
  "refund in dashboard": refundInDashboard,
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
  "withdraw consent": (_app, { promoter, bookingId }) =>
    promoter.json(`/api/bookings/${bookingId}/withdraw-automatic-payment`, {}),
  "extend balance": async (_app, { artist, bookingId }, part) => {
    const { body } = await artist.json(`/api/bookings/${bookingId}`);
    const days = (body["balance"] as { extend: { from: string; to: string } | null } | null)?.extend;
    if (!days) return;
    const due_day = part % 2 ? days.to : days.from;
    expect((await artist.json(`/api/artist/bookings/${bookingId}/extend-balance`, { due_day })).status).toBe(200);
  },
  "propose to end it": (_app, life, part) => propose(life, part),
  "answer the proposal": (_app, life, part) => endProposal(life, "answer", part),
  "withdraw the proposal": (_app, life, part) => endProposal(life, "withdraw", part),
  dispute,
  "send evidence": async (app, life) => {
    for (const { id } of await disputesOf(app, life))
      await life.admin.json(`/api/admin/disputes/${id}/evidence`, { note: "" });
  },
  "decide dispute": async (app, life, part) => {
    for (const { provider_ref: ref } of await disputesOf(app, life))
      await app.server.inject({ method: "POST", url: `/sandbox/dispute/${ref}/${part % 2 ? "win" : "lose"}` });
  },
  "reverse in dashboard": reverseInDashboard,
  "refuse refund": refuseRefund,
  "return refund": returnRefund,
  "resolve refunds": (_app, life, part) => resolveRefunds(life, part),
  "restrict account": async (app, { artist }) => {
    const { body } = await artist.json("/api/artist/payment-account", {});
    if (String(body["url"]).includes("/sandbox/account/")) await pressButton(app, body["url"], "restrict");
  },
  "pay outside": (_app, life) => payOutside(life),
};
