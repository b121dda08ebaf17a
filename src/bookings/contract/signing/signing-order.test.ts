import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractSides, type ContractSide } from "#contracts/rules.ts";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { bookingRow, refunds } from "#test/harness/bookings.ts";
import { contractRow, signingCalls, tokensOf } from "#test/harness/contracts.ts";
import { casesAt } from "#test/harness/esign/cases.ts";
import { setSigningOrder } from "#test/harness/esign/order.ts";
import { type Sent, type Signing, signingWay, signingWays } from "#test/harness/esign/suite.ts";
import { bookingKey } from "../../index.ts";
import { watchContracts } from "../deadlines.ts";

describe.each(signingWays)("the signing order: %s", (way) => {
  let at: Signing;
  beforeAll(async () => {
    at = await signingWay(way);
  });
  afterAll(() => at.close());

  const other = (side: ContractSide): ContractSide => (side === "artist" ? "promoter" : "artist");
  async function partiesOf(sent: Sent) {
    const cookie = `bookings=${bookingKey(at.app.services.keys, sent.booking.id)}`;
    const artist = await at.app.signIn(sent.performer.user);
    return { cookie, artist, id: sent.contractId };
  }
  async function requestsSent(sent: Sent): Promise<string[]> {
    const rows = await at.app.database.db
      .selectFrom("messages")
      .select(["template", "recipient"])
      .where("ref_id", "=", sent.booking.id)
      .where("template", "in", ["contract_sent", "contract_reminder"])
      .orderBy("created_at")
      .execute();
    return rows.map(
      ({ template, recipient }) => `${template} ${recipient === sent.booking.promoter_email ? "promoter" : "artist"}`,
    );
  }
  const tokenOf = async (sent: Sent, side: ContractSide) => {
    const tokens = await tokensOf(at.app, sent.booking.id);
    return side === "promoter" ? tokens.promoter : tokens.artist_token;
  };
  async function sentWith(first: ContractSide) {
    await setSigningOrder(at.app.database, first);
    return at.sent();
  }
  async function requestLink(sent: Sent): Promise<string> {
    await at.app.request("/api/contracts/signing/send-link", { body: { bookingId: sent.booking.id } });
    await at.app.settle();
    return tokenOf(sent, "promoter");
  }
  const signAs = async (sent: Sent, side: ContractSide) =>
    at.sign({ ...sent, ...(await tokensOf(at.app, sent.booking.id)) }, side);

  test.each(contractSides)(
    "requests the signature of the %s first, then of the other, and both sign in this order",
    async (first) => {
      const sent = await sentWith(first);
      const row = await contractRow(at.app, sent.booking.id);
      expect(row.first_signer).toBe(first);
      expect(await requestsSent(sent)).toEqual([`contract_sent ${first}`]);
      const { body } = await signingCalls(at.app).open(await tokenOf(sent, first));
      expect(body).toMatchObject({ can_sign: true, signs_before: null, first_signer: first });
      await signAs(sent, first);
      expect(await requestsSent(sent)).toEqual([`contract_sent ${first}`, `contract_reminder ${other(first)}`]);
      const second = await signingCalls(at.app).open(await tokenOf(sent, other(first)));
      expect(second.body).toMatchObject({ can_sign: true, signs_before: null });
      await signAs(sent, other(first));
      expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({ status: "contract_signed" });
      const acts = await casesAt(at).acts(sent.booking.id);
      expect(acts.filter((act) => act.startsWith("signed"))).toEqual([`signed ${first}`, `signed ${other(first)}`]);
    },
  );

  test("refuses a signature, a code and a service link (409) to the second party before its turn", async () => {
    const sent = await sentWith("promoter");
    const { artist, id } = await partiesOf(sent);
    const calls = signingCalls(at.app, artist);
    const { body } = await calls.open(id);
    expect(body).toMatchObject({ side: "artist", can_sign: false, signs_before: "promoter" });
    const early = "The promoter signs first. We email you when it is your turn.";
    const signed = await calls.sign(id, body);
    expect([signed.status, signed.body.message]).toEqual([409, early]);
    const refused = [
      await at.app.request("/api/contracts/signing/send-code", { body: { key: id }, headers: artist }),
      ...(at.double
        ? [await at.app.request("/api/contracts/signing/provider-link", { body: { key: id }, headers: artist })]
        : []),
    ];
    for (const response of refused) {
      expect(response.status).toBe(409);
      expect(await response.json()).toMatchObject({ message: early });
    }
    expect((await casesAt(at).acts(sent.booking.id)).filter((act) => act.startsWith("signed"))).toEqual([]);
  });

  test("offers the signature to the first party, then to the second, in the dashboards", async () => {
    const sent = await sentWith("promoter");
    const { artist, cookie } = await partiesOf(sent);
    type Listed = { items: { id: string; can: { sign: boolean } }[]; can: { sign: boolean } };
    const read = async (address: string, headers: Record<string, string>) =>
      (await (await at.app.request(address, { headers })).json()) as Listed;
    const page = `/api/bookings/${sent.booking.id}`;
    const needsArtist = async () =>
      (await read("/api/artist/bookings?show=needs_you", artist)).items.some(({ id }) => id === sent.booking.id);
    expect((await read(page, { cookie })).can.sign).toBe(true);
    expect((await read(page, artist)).can.sign).toBe(false);
    expect(await needsArtist()).toBe(false);
    await signAs(sent, "promoter");
    expect((await read(page, { cookie })).can.sign).toBe(false);
    expect((await read(page, artist)).can.sign).toBe(true);
    expect(await needsArtist()).toBe(true);
  });

  test.each(contractSides)(
    "lets the second party decline before its turn when the %s signs first, and cancels the booking with a refund",
    async (first) => {
      const sent = await sentWith(first);
      const { artist, id } = await partiesOf(sent);
      const calls = first === "artist" ? signingCalls(at.app) : signingCalls(at.app, artist);
      const key = first === "artist" ? await requestLink(sent) : id;
      if (first === "artist") expect((await requestsSent(sent)).at(-1)).toBe("contract_reminder promoter");
      const { body } = await calls.open(key);
      expect(body).toMatchObject({ can_sign: false, signs_before: first });
      const declined = await calls.decline(key, body);
      expect(declined.status, declined.body.message).toBe(200);
      await at.settle();
      expect(await bookingRow(at.app, sent.booking.id)).toMatchObject({
        status: "canceled",
        cancel_code: "contract_declined",
      });
      const row = await contractRow(at.app, sent.booking.id);
      expect(row).toMatchObject({ signed_status: "declined", declined_by: other(first) });
      if (at.double) expect(at.double.envelopes.find(({ ref }) => ref === row.provider_ref)?.status).toBe("voided");
      expect((await refunds(at.app, sent.booking.id)).length).toBeGreaterThan(0);
    },
  );

  test("lets the first party decline at its turn", async () => {
    const sent = await sentWith("artist");
    await at.decline({ ...sent, ...(await tokensOf(at.app, sent.booking.id)) }, "artist", "The curfew is earlier.");
    expect(await contractRow(at.app, sent.booking.id)).toMatchObject({
      signed_status: "declined",
      declined_by: "artist",
    });
  });

  test("sends reminders to the party whose turn it is, and that party is at fault when the deadline passes", async () => {
    const waiting = await sentWith("artist");
    const turned = await at.sent();
    await signAs(turned, "artist");
    at.app.clock.advance(25 * hourMs);
    await watchContracts(at.app.services);
    await at.app.settle();
    expect(await requestsSent(waiting)).toEqual(["contract_sent artist", "contract_reminder artist"]);
    expect(await requestsSent(turned)).toEqual([
      "contract_sent artist",
      "contract_reminder promoter",
      "contract_reminder promoter",
    ]);
    for (const days of [7, 4]) {
      at.app.clock.advance(days * dayMs);
      for (let looks = 0; looks < 3; looks++) await watchContracts(at.app.services);
      await at.settle();
    }
    const back = async ({ booking }: Sent) =>
      (await refunds(at.app, booking.id)).reduce((sum, { amount }) => sum + Number(amount), 0);
    for (const { booking } of [waiting, turned])
      expect(await bookingRow(at.app, booking.id)).toMatchObject({
        status: "canceled",
        cancel_code: "contract_expired",
      });
    // The artist did not sign: a full refund. The promoter did not: the policy applies.
    expect(await back(waiting)).toBe(waiting.booking.deposit_cents);
    expect(await back(turned)).toBeLessThan(turned.booking.deposit_cents);
  });

  test("retains the order of a sent contract when the template changes", async () => {
    const sent = await sentWith("promoter");
    await setSigningOrder(at.app.database, null);
    expect((await contractRow(at.app, sent.booking.id)).first_signer).toBe("promoter");
    const free = await at.sent();
    expect((await contractRow(at.app, free.booking.id)).first_signer).toBeNull();
    expect((await requestsSent(free)).toSorted()).toEqual(["contract_sent artist", "contract_sent promoter"]);
  });
});
