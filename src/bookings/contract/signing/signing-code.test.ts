import { beforeEach, expect, test } from "vitest";
import { documentOf, verifySealedCopy } from "#contracts/index.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { changeArtistSettings, savePlatformSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow } from "#test/harness/bookings.ts";
import { evidenceEntries, type Page, sentContract, signingCalls } from "#test/harness/contracts.ts";
import { testApp } from "#test/test-app.ts";
import { sealContract } from "../document/sealing.ts";

const app = closeAfterFile(await testApp());
const admin = await app.signIn(await app.make.user({ role: "admin" }));
beforeEach(() => switchCodes(true));

type Answer = Page & {
  code: { sent: { channel: string; to: string; expires_at: string } | null } | null;
  data?: { fields?: { field: string }[] };
  channel?: string;
  to?: string;
};
type Sent = Awaited<ReturnType<typeof sentContract>>;

async function switchCodes(requireSigningCode: boolean) {
  const { version } = (await (await app.request("/api/admin/settings", { headers: admin })).json()) as {
    version: number;
  };
  const response = await app.request("/api/admin/settings", {
    method: "PATCH",
    headers: admin,
    body: { values: { requireSigningCode }, version },
  });
  expect(response.status).toBe(200);
}

async function requestCode(key: string, headers: Record<string, string> = {}) {
  const response = await app.request("/api/contracts/signing/send-code", { body: { key }, headers });
  return { status: response.status, body: (await response.json()) as Answer };
}

async function newestCode(bookingId: string): Promise<{ code: string; recipient: string; channel: string }> {
  const { text, recipient, channel } = await app.database.db
    .selectFrom("messages")
    .select(["text", "recipient", "channel"])
    .where("ref_id", "=", bookingId)
    .where("template", "=", "contract_code")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  return { code: /\b\d{6}\b/.exec(text)?.[0] ?? "", recipient, channel };
}

const guest = () => signingCalls(app);
const open = async (key: string) => (await guest().open(key)).body as Answer;
const another = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, "0");

async function withCode(sent: Sent, key = sent.promoter) {
  const page = await open(key);
  const requested = await requestCode(key);
  expect(requested.status, requested.body.message).toBe(200);
  const { code } = await newestCode(sent.booking.id);
  return {
    page,
    code,
    requested: requested.body,
    sign: (typed: string | null) => guest().sign(key, page, { code: typed }),
  };
}

async function expectRefused(response: { status: number; body: Page }, message: RegExp) {
  expect([response.status, response.body.message]).toEqual([400, expect.stringMatching(message)]);
  expect((response.body as Answer).data?.fields?.[0]?.field ?? "code").toBe("code");
}

test("signing needs no code with the setting off, and is refused without a code with it on", async () => {
  await switchCodes(false);
  const sent = await sentContract(app);
  const plain = await open(sent.artist_token);
  expect(plain.code).toBeNull();
  expect((await guest().sign(sent.artist_token, plain)).status).toBe(200);
  await switchCodes(true);
  const page = await open(sent.promoter);
  expect(page.code).toEqual({ sent: null });
  await expectRefused(await guest().sign(sent.promoter, page), /Enter the code that/);
  expect((await evidenceEntries(app, sent.booking.id)).filter(({ kind }) => kind === "signed")).toHaveLength(1);
});

test("both parties sign with their code, and the evidence, the certificate and the check contain the confirmations", async () => {
  const sent = await sentContract(app);
  const mine = await withCode(sent);
  expect(mine.requested).toMatchObject({ channel: "email", to: expect.stringMatching(/^.{1,2}….*@/) });
  expect((await newestCode(sent.booking.id)).recipient).toBe(sent.booking.promoter_email);
  expect((await open(sent.promoter)).code?.sent).toMatchObject({ channel: "email", to: mine.requested.to });
  expect((await mine.sign(mine.code)).status).toBe(200);
  const theirs = await withCode(sent, sent.artist_token);
  expect((await newestCode(sent.booking.id)).recipient).toBe(sent.performer.user.email);
  expect((await theirs.sign(theirs.code)).body).toMatchObject({ status: "signed", code: null });
  expect(await bookingRow(app, sent.booking.id)).toMatchObject({ status: "contract_signed" });

  const entries = await evidenceEntries(app, sent.booking.id);
  expect(entries.map(({ kind, side }) => `${kind} ${side}`)).toEqual([
    "sent null",
    "opened promoter",
    "code_sent promoter",
    "code_verified promoter",
    "consented promoter",
    "signed promoter",
    "opened artist",
    "code_sent artist",
    "code_verified artist",
    "consented artist",
    "signed artist",
  ]);
  // A hash can contain the same digits.
  expect(JSON.stringify(entries)).not.toMatch(new RegExp(`(?<![\\da-f])${mine.code}(?![\\da-f])`));
  expect(JSON.stringify(entries)).not.toContain(sent.booking.promoter_email);
  await sealContract(app.services, sent.booking.id);
  const { lines, valid } = await verifySealedCopy(
    (await documentOf(app.database.db, sent.contractId, ["sealed"]))?.bytes ?? Buffer.alloc(0),
  );
  expect(valid, lines.join("\n")).toBe(true);
  expect(lines.filter((line) => line.includes("confirmed by a one-time code"))).toHaveLength(2);
});

test("a party with an account signs from the dashboard with a code", async () => {
  const sent = await sentContract(app);
  const headers = await app.signIn(sent.performer.user);
  const mine = signingCalls(app, headers);
  const { body: page } = await mine.open(sent.booking.id);
  expect((await requestCode(sent.booking.id, headers)).status).toBe(200);
  const { code } = await newestCode(sent.booking.id);
  expect((await mine.sign(sent.booking.id, page, { code })).status).toBe(200);
  const entries = await evidenceEntries(app, sent.booking.id);
  expect(entries.at(-1)).toMatchObject({ kind: "signed", side: "artist", details: { via: "session" } });
});

test("a party with SMS on and a verified number gets the code by SMS", async () => {
  const sent = await sentContract(app);
  await app.database.db
    .updateTable("users")
    .set({ phone: "15125550144", phone_confirmed_at: new Date() })
    .where("id", "=", sent.performer.user.id)
    .execute();
  expect((await requestCode(sent.artist_token)).body).toMatchObject({ channel: "email" });
  const { id: by } = sent.performer.user;
  await app.database.transaction((tx) => changeArtistSettings(tx, sent.artist.id, { smsBookingRequests: true }, by));
  expect((await requestCode(sent.artist_token)).body).toMatchObject({ channel: "sms", to: "…44" });
  expect(await newestCode(sent.booking.id)).toMatchObject({ channel: "sms", recipient: "+15125550144" });
});

test("a wrong code is refused and counted, the right one too after five tries, and a new code is accepted", async () => {
  const sent = await sentContract(app);
  const first = await withCode(sent);
  for (let tries = 1; tries <= 5; tries++)
    await expectRefused(await first.sign(another(first.code, tries)), /not the code that was sent/);
  await expectRefused(await first.sign(first.code), /Too many wrong codes/);
  expect((await open(sent.promoter)).code).toEqual({ sent: null });
  const second = await withCode(sent);
  expect((await second.sign(second.code)).status).toBe(200);
});

test("concurrent guesses are counted individually", async () => {
  const sent = await sentContract(app);
  const { code, sign } = await withCode(sent);
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => sign(another(code, index + 1))));
  for (const response of answers) expect(response.status).toBe(400);
  await expectRefused(await sign(code), /Too many wrong codes/);
});

test("a code expires after ten minutes, and a newer one replaces it", async () => {
  const sent = await sentContract(app);
  const first = await withCode(sent);
  app.clock.advance(10 * minuteMs);
  await expectRefused(await first.sign(first.code), /This code has expired/);
  const second = await withCode(sent);
  const third = await withCode(sent);
  if (second.code !== third.code) await expectRefused(await third.sign(second.code), /not the code/);
  expect((await third.sign(third.code)).status).toBe(200);
});

test("the code of the other party or of another contract is refused", async () => {
  const sent = await sentContract(app);
  const elsewhere = await sentContract(app);
  const theirs = await withCode(sent, sent.artist_token);
  const other = await withCode(elsewhere);
  const mine = await withCode(sent);
  for (const { code } of [theirs, other])
    if (code !== mine.code) await expectRefused(await mine.sign(code), /not the code that was sent/);
  expect((await mine.sign(mine.code)).status).toBe(200);
});

test("a used code is deleted, and a party who has signed gets no other", async () => {
  const sent = await sentContract(app);
  const mine = await withCode(sent, sent.artist_token);
  expect((await mine.sign(mine.code)).status).toBe(200);
  const headers = await app.signIn(sent.performer.user);
  const session = signingCalls(app, headers);
  const again = await session.sign(sent.booking.id, mine.page, { code: mine.code });
  expect([again.status, again.body.message]).toEqual([409, "You have signed this contract already."]);
  const requested = await requestCode(sent.booking.id, headers);
  expect([requested.status, requested.body.message]).toEqual([409, "You have signed this contract already."]);
  expect(
    await app.database.db
      .selectFrom("contract_signing_codes")
      .selectAll()
      .where("contract_id", "=", sent.contractId)
      .execute(),
  ).toEqual([]);
});

test("five codes and fifteen typed codes per hour are the limit for one signature", async () => {
  await using limited = await testApp({ env: { RATE_LIMITS: "on" } });
  await limited.database.transaction((tx) =>
    savePlatformSettings(tx, { values: { requireSigningCode: true }, version: 0, by: null }),
  );
  const { promoter: key } = await sentContract(limited);
  const calls = signingCalls(limited);
  const { body: page } = await calls.open(key);
  const statuses: { requested: number[]; typed: number[] } = { requested: [], typed: [] };
  for (let turn = 0; turn < 6; turn++)
    statuses.requested.push((await limited.request("/api/contracts/signing/send-code", { body: { key } })).status);
  for (let turn = 0; turn < 16; turn++) statuses.typed.push((await calls.sign(key, page, { code: "000000" })).status);
  expect(statuses.requested).toEqual([200, 200, 200, 200, 200, 429]);
  expect(statuses.typed).toEqual([...Array.from({ length: 15 }, () => 400), 429]);
});

test("an artist without a confirmed mailbox gets a conflict (409), and text that is no code is refused uncounted", async () => {
  const sent = await sentContract(app);
  await app.database.db
    .updateTable("users")
    .set({ email_confirmed_at: null })
    .where("id", "=", sent.performer.user.id)
    .execute();
  const requested = await requestCode(sent.artist_token);
  expect([requested.status, requested.body.message]).toEqual([
    409,
    expect.stringMatching(/no confirmed email address/),
  ]);
  const { sign } = await withCode(sent);
  for (const code of ["12345", "1234567", "abcdef", "１２３４５６"]) expect((await sign(code)).status).toBe(400);
  const row = await app.database.db
    .selectFrom("contract_signing_codes")
    .select("tries")
    .where("contract_id", "=", sent.contractId)
    .executeTakeFirstOrThrow();
  expect(row.tries).toBe(0);
});
