import { afterAll, expect, test } from "vitest";
import { sendEvidence } from "#disputes/index.ts";
import { releaseHeld } from "#payments/index.ts";
import { processEvents } from "#reconciliation/index.ts";
import { platformSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { winAppeal } from "#test/harness/disputes.ts";
import { issueDocuments } from "#test/harness/documents.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { expectSound } from "#test/harness/payments.ts";
import { testApp } from "#test/test-app.ts";
import type { ShownDispute } from "./disputes.api.ts";

const app = closeAfterFile(await testApp());
const admin = await app.signIn(await app.make.user({ role: "admin", name: "Kim Ash" }));
afterAll(() => expectSound({ inTx: (work) => app.database.transaction(work) }));

const get = async (url: string, headers: Record<string, string> = admin) => {
  const response = await app.request(`/api${url}`, { headers });
  return { status: response.status, body: (await response.json()) as { items: ShownDispute[] } };
};
const send = async (id: string, headers: Record<string, string> = admin, note = "") => {
  const response = await app.request(`/api/admin/disputes/${id}/evidence`, {
    method: "POST",
    headers,
    body: { id, note },
  });
  return { status: response.status, body: (await response.json()) as { message?: string } };
};

async function played() {
  const user = await app.make.user({ role: "artist" });
  const artist = await app.make.artist({ userId: user.id });
  const headers = await app.signIn(user);
  const opened = await app.request("/api/artist/payment-account", { method: "POST", headers, body: {} });
  const { url } = (await opened.json()) as { url: string };
  await bank(new URL(url).pathname, "complete");
  const booking = await app.make.booking({ artist, status: "contract_signed" });
  const { id: bookingId, currency } = booking;
  const release = { bookingId, artistId: artist.id, currency, commissionBps: 1_000, at: app.clock.now() };
  await app.database.transaction((tx) => releaseHeld(tx, release));
  const deposit = await app.database.db
    .selectFrom("payments")
    .select("provider_payment")
    .where("booking_id", "=", bookingId)
    .where("kind", "=", "deposit")
    .executeTakeFirstOrThrow();
  const ref = deposit.provider_payment ?? "";
  return { user, artist, headers, booking, ref };
}

async function bank(place: string, act: string): Promise<void> {
  await app.server.inject({ method: "POST", url: `${place}/${act}` });
  await processEvents(app.services);
  await app.settle();
}
const disputesOf = async (bookingId: string) => (await get(`/admin/bookings/${bookingId}/disputes`)).body.items;
const paid = async (bookingId: string) =>
  (await app.database.db.selectFrom("payouts").select("paid_at").where("booking_id", "=", bookingId).executeTakeFirst())
    ?.paid_at !== null;
const mails = (
  bookingId: string,
  template: "dispute_opened" | "dispute_closed" | "dispute_share_returned" | "money_alarm",
  recipient?: string,
) =>
  app.database.db
    .selectFrom("messages")
    .select(["recipient", "text"])
    .where("ref_id", "=", bookingId)
    .where("template", "=", template)
    .$if(recipient !== undefined, (query) => query.where("recipient", "=", recipient ?? ""))
    .execute();
const logOf = async (bookingId: string) =>
  (
    await app.database.db
      .selectFrom("activity")
      .select("message")
      .where("ref_id", "=", bookingId)
      .where("type", "=", "payment")
      .orderBy("created_at")
      .orderBy("id")
      .execute()
  ).map(({ message }) => message);

test("a dispute displays its evidence, is answered once by an admin, and delays the payout until it is won", async () => {
  const { user, booking, ref } = await played();
  await bank(`/sandbox/payment/${ref}/dispute`, "service");
  const [one] = await disputesOf(booking.id);
  expect(one).toMatchObject({ state: "open", amount: booking.deposit_cents, can_send: true, evidence: null });
  const textOf = (field: string) => one?.pieces.find((piece) => piece.field === field)?.text;
  expect(textOf("product_description")).toContain(booking.number);
  expect(textOf("service_date")).toBe(booking.event_date);
  expect(textOf("access_activity_log")).toContain("Requested");
  expect(textOf("cancellation_policy_disclosure")).toContain("the artist keeps");
  await makePayouts(app.services);
  expect(await paid(booking.id)).toBe(false);
  const waiting = await app.request("/api/admin/attention", { headers: admin });
  const { items } = (await waiting.json()) as { items: { kind: string; due: string | null; example: string | null }[] };
  expect(items.find(({ kind }) => kind === "dispute")).toMatchObject({ example: booking.id });
  expect(items.find(({ kind }) => kind === "dispute")?.due).not.toBeNull();

  const answers = await Promise.all([send(one?.id ?? "", admin, "They danced all night."), send(one?.id ?? "")]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  await sendEvidence(app.services);
  await bank("/sandbox", "none");
  const [sent] = await disputesOf(booking.id);
  expect(sent).toMatchObject({ state: "review", can_send: false, evidence: { status: "succeeded" } });
  expect(sent?.pieces.length).toBeGreaterThan(4);
  const stepsOf = async (headers: typeof admin) =>
    JSON.stringify(await (await app.request(`/api/bookings/${booking.id}`, { headers })).json());
  expect(await stepsOf(admin)).toContain("The evidence was sent to the bank of the card");
  expect(await stepsOf(await app.signIn(user))).not.toContain("The evidence was sent");
  await bank(`/sandbox/dispute/${one?.ref}`, "win");
  expect((await disputesOf(booking.id))[0]).toMatchObject({ state: "won", can_send: false, borne: null });
  await makePayouts(app.services);
  await app.settle();
  expect(await paid(booking.id)).toBe(true);
  const { supportEmail } = await platformSettings(app.database.db);
  for (const [email, words] of [
    [user.email, `send it soon to ${supportEmail}.`],
    [booking.promoter_email, "Until the bank has decided, this payment cannot be refunded"],
  ] as const) {
    const [opened, ...more] = await mails(booking.id, "dispute_opened", email);
    expect(opened?.text.replaceAll(/\s+/g, " ")).toContain(words);
    expect(more).toEqual([]);
  }
  expect(await mails(booking.id, "dispute_closed", user.email)).toMatchObject([
    { recipient: user.email, text: expect.stringContaining("Nothing of this payment was taken from you") as string },
  ]);
  expect((await mails(booking.id, "money_alarm")).length).toBeGreaterThan(0);
  const log = (await logOf(booking.id)).join("\n");
  for (const part of [
    "disputes",
    "bank took",
    "Kim Ash sent the evidence",
    "was sent to the bank",
    "bank returned",
    "was won",
  ])
    expect(log).toContain(part);
});

test("a lost dispute notifies the artist of their share, and the rest is paid out", async () => {
  const { booking, ref, user, headers: artistHeaders } = await played();
  await bank(`/sandbox/payment/${ref}/dispute`, "half");
  const [one] = await disputesOf(booking.id);
  await bank(`/sandbox/dispute/${one?.ref}`, "lose");
  const [lost] = await disputesOf(booking.id);
  expect(lost).toMatchObject({ state: "lost", can_send: false, pieces: [] });
  const borne = lost?.borne;
  expect((borne?.artist ?? 0) + (borne?.platform ?? 0)).toBe(one?.amount);
  expect(await mails(booking.id, "dispute_closed", booking.promoter_email)).toMatchObject([
    { text: expect.stringMatching(/The\s+bank of the card has returned/) as string },
  ]);
  expect(await mails(booking.id, "dispute_closed", user.email)).toMatchObject([
    { recipient: user.email, text: expect.stringContaining("We deduct your share of it") as string },
  ]);
  await makePayouts(app.services);
  await app.settle();
  expect(await paid(booking.id)).toBe(true);
  expect((await send(one?.id ?? "")).status).toBe(409);

  const alarms = (await mails(booking.id, "money_alarm")).length;
  await winAppeal(app, one?.ref ?? "");
  await app.settle();
  const closed = (await mails(booking.id, "dispute_closed", user.email)).map(({ text }) =>
    text.replaceAll(/\s+/g, " "),
  );
  expect(closed).toHaveLength(2);
  expect(closed.join()).toContain("We will decide about your share");
  expect(closed.join()).not.toContain("Nothing was deducted");
  const alarmed = await mails(booking.id, "money_alarm");
  expect(alarmed.length).toBeGreaterThan(alarms);
  expect(alarmed.map(({ text }) => text.replaceAll(/\s+/g, " ")).join()).toContain("was won on appeal");

  const page = await app.request(`/api/bookings/${booking.id}`, { headers: admin });
  const { timeline } = (await page.json()) as { timeline: { kind: string; text: string }[] };
  const decisions = timeline.filter(({ kind }) => kind === "dispute").map(({ text }) => text.split(":")[0]);
  expect(decisions.slice(-2)).toEqual(["The dispute was lost", "The dispute was won on appeal"]);

  const [regained] = await disputesOf(booking.id);
  const share = regained?.returnable?.artist ?? 0;
  expect(share).toBe(borne?.artist);
  const returnShare = async (expected: number, headers = admin) => {
    const id = regained?.id ?? "";
    const body = { id, expected_artist_cents: expected };
    const response = await app.request(`/api/admin/disputes/${id}/share`, { method: "POST", headers, body });
    return response.status;
  };
  const waiting = async () => {
    const response = await app.request("/api/admin/attention", { headers: admin });
    return ((await response.json()) as { items: { kind: string }[] }).items.map(({ kind }) => kind);
  };
  expect(await waiting()).toContain("regained_dispute");
  expect([await returnShare(share, artistHeaders), await returnShare(share + 1)]).toEqual([403, 409]);
  expect([await returnShare(share), await returnShare(share)]).toEqual([200, 409]);
  await app.settle();
  expect((await disputesOf(booking.id))[0]).toMatchObject({ returned: { artist: share }, returnable: null });
  expect(await waiting()).not.toContain("regained_dispute");
  expect(await mails(booking.id, "dispute_share_returned")).toMatchObject([{ recipient: user.email }]);
  expect((await logOf(booking.id)).join()).toContain("returned the artist's share of a dispute");
  await makePayouts(app.services);
  await app.settle();
  await issueDocuments(app.services);
  const statements = await app.database.db
    .selectFrom("documents")
    .select(["gross", "details"])
    .where("booking_id", "=", booking.id)
    .where("kind", "=", "payout_statement")
    .orderBy("issued_at")
    .orderBy("number")
    .execute();
  const [first] = statements;
  // The share was lost before the payout was sent, and returned after it.
  expect(statements.map(({ gross }) => gross)).toEqual([Number(first?.gross), share]);
  expect(JSON.stringify(first?.details)).toContain("Lost in a dispute before the payout");
  expect(JSON.stringify(first?.details)).not.toContain("Refunded before");
  expect(JSON.stringify(statements[1]?.details)).toContain("Share returned after a dispute");
});

test("acceptDispute closes the dispute as lost at the provider and notifies the artist", async () => {
  const { booking, ref, user, headers } = await played();
  await bank(`/sandbox/payment/${ref}/dispute`, "service");
  const [one] = await disputesOf(booking.id);
  expect(one?.can_accept).toBe(true);
  const accept = async (as: Record<string, string>, id = one?.id ?? "") => {
    const response = await app.request(`/api/admin/disputes/${id}/accept`, {
      method: "POST",
      headers: as,
      body: { id },
    });
    return response.status;
  };
  expect([await accept(headers), await accept(admin, "0a1b2c3d-0000-4000-8000-00000000dddd")]).toEqual([403, 404]);
  expect([await accept(admin), await accept(admin)]).toEqual([200, 409]);
  await app.settle();
  expect((await disputesOf(booking.id))[0]).toMatchObject({ state: "lost", can_accept: false, can_send: false });
  const closed = await mails(booking.id, "dispute_closed", user.email);
  expect(closed.map(({ text }) => text.replaceAll(/\s+/g, " "))).toEqual([
    expect.stringContaining("We did not contest it, so no evidence was sent to the bank."),
  ]);
  expect((await logOf(booking.id)).join()).toContain("Kim Ash accepted a dispute");
  expect((await send(one?.id ?? "")).status).toBe(409);
});

test("a dispute lost before the show alerts admins, and is listed until the booking ends", async () => {
  const booking = await app.make.booking({ status: "contract_signed" });
  const { provider_payment: ref } = await app.database.db
    .selectFrom("payments")
    .select("provider_payment")
    .where("booking_id", "=", booking.id)
    .where("kind", "=", "deposit")
    .executeTakeFirstOrThrow();
  await bank(`/sandbox/payment/${ref}/dispute`, "fraudulent");
  const [one] = await disputesOf(booking.id);
  const waiting = async () => {
    const { items } = (await (await app.request("/api/admin/attention", { headers: admin })).json()) as {
      items: { kind: string; count: number }[];
    };
    return items.find(({ kind }) => kind === "lost_dispute")?.count ?? 0;
  };
  const before = await waiting();
  await bank(`/sandbox/dispute/${one?.ref}`, "lose");
  const alarms = await mails(booking.id, "money_alarm");
  expect(alarms.map(({ text }) => text.replaceAll("\n", " ")).join()).toContain(
    `booking ${booking.number} remains active without this money`,
  );
  expect(await waiting()).toBe(before + 1);
  await app.database.db.updateTable("bookings").set({ status: "canceled" }).where("id", "=", booking.id).execute();
  expect(await waiting()).toBe(before);
});

test("disputes do not change when webhooks arrive twice and in the wrong order", async () => {
  const { booking, ref } = await played();
  await bank(`/sandbox/payment/${ref}/dispute`, "fraudulent");
  const [one] = await disputesOf(booking.id);
  await bank(`/sandbox/dispute/${one?.ref}`, "lose");
  const before = await logOf(booking.id);
  await app.database.db
    .updateTable("provider_events")
    .set({ processed_at: null, next_try_at: app.clock.now() })
    .where("type", "like", "charge.dispute.%")
    .execute();
  await processEvents(app.services);
  await app.settle();
  expect((await disputesOf(booking.id))[0]).toMatchObject({ state: "lost" });
  expect(await logOf(booking.id)).toEqual(before);
});

test("disputes are for admins only, and a missing one is not found (404)", async () => {
  const { booking, ref, headers } = await played();
  await bank(`/sandbox/payment/${ref}/dispute`, "fraudulent");
  const [one] = await disputesOf(booking.id);
  expect((await get(`/admin/bookings/${booking.id}/disputes`, headers)).status).toBe(403);
  expect((await get(`/admin/bookings/${booking.id}/disputes`, {})).status).toBe(401);
  expect((await send(one?.id ?? "", headers)).status).toBe(403);
  const missing = crypto.randomUUID();
  expect((await get(`/admin/bookings/${missing}/disputes`)).status).toBe(404);
  expect((await send(missing)).status).toBe(404);
  const other = await app.make.booking();
  expect(await disputesOf(other.id)).toEqual([]);
});
