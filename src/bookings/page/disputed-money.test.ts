import { afterAll, describe, expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, emailsFor, messagesTo, peopleOf, refunds } from "#test/harness/bookings.ts";
import { decideDispute, openDispute, paidBookings, winAppeal } from "#test/harness/disputes.ts";
import { expectSound } from "#test/harness/payments.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));
afterAll(() => expectSound({ inTx: (work) => app.database.transaction(work) }));

const { person } = peopleOf(() => app);
const { booked, settle, price } = paidBookings(() => app);

describe("a dispute before the release", () => {
  test("moves the money to the payer's bank while it is open, and back when it is won", async () => {
    const one = await booked();
    const before = await one.parts();
    const dispute = await openDispute(app, await one.ref("deposit"));
    expect(await one.parts()).toEqual([
      ["bank", 37_500],
      ["platform", 112_500],
    ]);
    const { money } = await one.pageOf(one.visitor);
    expect(money.parts[0]?.next).toBe("dispute_end");
    expect(money.dispute).toEqual({ open_cents: 37_500, withheld_cents: 37_500, lost_cents: 0 });
    await decideDispute(app, dispute, "win");
    expect(await one.parts()).toEqual(before);
    expect(await one.movements()).toEqual([
      ["deposit", 37_500, 37_500],
      ["balance", 112_500, 150_000],
      ["dispute_withdrawn", -37_500, 112_500],
      ["dispute_reinstated", 37_500, 150_000],
    ]);
  });

  test("that is lost after a full refund of the payment is borne by the platform, and only admins see it", async () => {
    const one = await booked();
    await one.refund("deposit", 37_500);
    await settle();
    await decideDispute(app, await openDispute(app, await one.ref("deposit")), "lose");
    const admin = await person("admin");
    expect((await one.pageOf(admin.at)).money).toMatchObject({ platform_loss_cents: 37_500, refunded_cents: 37_500 });
    expect((await one.pageOf(one.visitor)).money.platform_loss_cents).toBe(null);
    await one.parts();
  });

  test("that is lost leaves the rest to the artist and the platform", async () => {
    const one = await booked();
    await decideDispute(app, await openDispute(app, await one.ref("deposit")), "lose");
    const emails = (await emailsFor(app, one.booking.id)).filter(({ template }) => template === "dispute_closed");
    expect(emails).toHaveLength(2);
    for (const { text } of emails) expect(text).toContain("The booking stays active");
    expect(await one.textOf("dispute_closed", "artist")).toContain("Your share of the rest of the price is $1,012.50.");
    expect(await one.parts()).toEqual([
      ["platform", 112_500],
      ["bank", 37_500],
    ]);
    const { money } = await one.pageOf(await one.asArtist());
    expect(money.dispute).toEqual({ open_cents: 0, withheld_cents: 0, lost_cents: 37_500 });
    // The artist is paid what is left of the price less this commission.
    expect(money.commission_cents).toBe(11_250);
    for (const viewer of [one.visitor, await one.asArtist()])
      expect((await one.pageOf(viewer)).timeline.filter(({ kind }) => kind === "dispute")).toMatchObject([
        { text: "A payment was disputed at the bank of the card", detail: "$375" },
        { text: "The dispute was lost: the bank returned the money to the payer" },
      ]);
    await one.play();
    await one.payOut();
    expect(await one.parts()).toEqual([
      ["artist", 101_250],
      ["commission", 11_250],
      ["bank", 37_500],
    ]);
    expect(await one.movements()).toEqual([
      ["deposit", 37_500, 37_500],
      ["balance", 112_500, 150_000],
      ["dispute_withdrawn", -37_500, 112_500],
      ["release", -112_500, 0],
    ]);
  });

  test("and a refund before it reduce one share: of the page, the email and the payout", async () => {
    const one = await booked();
    const netOf = async () => (await one.pageOf(await one.asArtist())).money;
    await one.refund("balance", 20_000);
    // A refund that is planned is counted as one that has arrived.
    expect(await netOf()).toMatchObject({ commission_cents: 13_000, net_cents: 117_000 });
    await settle();
    await decideDispute(app, await openDispute(app, await one.ref("deposit"), "half"), "lose");
    expect(await netOf()).toMatchObject({ commission_cents: 11_125, net_cents: 100_125 });
    expect(await one.textOf("dispute_closed", "artist")).toContain("Your share of the rest of the price is $1,001.25.");
    await one.play();
    await one.payOut();
    expect(await netOf()).toMatchObject({ commission_cents: 11_125, net_cents: 100_125, artist_cents: 100_125 });
  });

  test("that is won by an appeal is held for the booking again, and paid out with the rest", async () => {
    const one = await booked();
    const { user } = await person("admin");
    const before = await one.parts();
    const dispute = await openDispute(app, await one.ref("deposit"), "half");
    await decideDispute(app, dispute, "lose");
    await winAppeal(app, dispute);
    await settle();
    expect(await one.parts()).toEqual(before);
    expect((await one.pageOf(one.visitor)).money.parts.map(({ next }) => next)).toEqual(["show", "show"]);
    const alarms = (await messagesTo(app, user.email)).map(({ text }) => text.replaceAll(/\s+/g, " ")).join();
    expect(alarms).toContain("$187.50 is held for the booking again.");
    expect(alarms).not.toContain("Nothing was deducted from the artist's share.");
    const closed = (await messagesTo(app, one.artistUser.email)).findLast(
      ({ template }) => template === "dispute_closed",
    );
    expect(closed?.text.replaceAll(/\s+/g, " ")).toContain(
      "$187.50 is held for this booking again. Your share of the price is now $1,350.",
    );
    await one.play();
    await one.payOut();
    expect(await one.parts()).toEqual([
      ["artist", 135_000],
      ["commission", 15_000],
    ]);
  });
});

describe("a dispute after the payout", () => {
  test("reverses the artist's share only when it is lost", async () => {
    const one = await booked();
    await one.play();
    await one.payOut();
    const paid = await one.parts();
    expect(paid).toEqual([
      ["artist", 135_000],
      ["commission", 15_000],
    ]);
    const dispute = await openDispute(app, await one.ref("balance"), "half");
    expect(await one.parts()).toEqual(paid);
    await decideDispute(app, dispute, "lose");
    const lost = [
      ["artist", 84_375],
      ["commission", 9_375],
      ["bank", 56_250],
    ];
    expect(await one.parts()).toEqual(lost);
    await settle();
    expect(await one.parts()).toEqual(lost);
    const reversed = async (at: typeof one.visitor) =>
      (await one.pageOf(at)).timeline.filter(({ kind }) => kind === "payout_reversed").map(({ text }) => text);
    const parts = ["$126.56", "$379.69"].map(
      (sum) => `${sum} of the payout was deducted from the artist's payment account`,
    );
    expect((await reversed(await one.asArtist())).toSorted()).toEqual(parts);
    expect(await reversed(one.visitor)).toEqual([]);
    expect(await one.textOf("dispute_opened", "artist")).toContain(
      "You have already been paid for this booking. If the dispute is lost, your share of $562.50, at most $506.25, is deducted from your payment account.",
    );
    expect(await one.textOf("dispute_opened", "promoter")).toContain("this payment cannot be refunded.");
    expect(await one.textOf("dispute_closed", "artist")).toContain(
      "We deduct your share of it, $506.25, from your payment account. If we cannot, we email you.",
    );
    expect((await one.movements()).slice(2)).toEqual([
      ["release", -150_000, 0],
      ["dispute_withdrawn", -56_250, 0],
      ["dispute_lost", 56_250, 0],
    ]);
  });
});

describe("an end by agreement", () => {
  const endByBoth = async (one: Awaited<ReturnType<typeof booked>>, cents = price) => {
    await one.visitor.json(`${one.address}/force-majeure`, {
      reason: "The hall is under water.",
      refund_cents: null,
      expected_paid_cents: cents,
    });
    const owner = await one.asArtist();
    const { force_majeure: open } = await one.pageOf(owner);
    const response = await owner.json(`${one.address}/force-majeure/answer`, {
      proposal_id: open?.proposal?.id ?? one.booking.id,
      accept: true,
      expected_refund_cents: cents,
    });
    expect(response.status, JSON.stringify(response.body)).toBe(200);
  };

  test.each([
    ["service", "win", [["promoter", 150_000]]],
    [
      "service",
      "lose",
      [
        ["bank", 37_500],
        ["promoter", 112_500],
      ],
    ],
    ["half", "win", [["promoter", 150_000]]],
    [
      "half",
      "lose",
      [
        ["bank", 18_750],
        ["promoter", 131_250],
      ],
    ],
  ] as const)("during a dispute (%s) refunds each cent once: %s", async (opening, outcome, end) => {
    const one = await booked();
    const dispute = await openDispute(app, await one.ref("deposit"), opening);
    const preview = await one.asArtist();
    expect((await preview.json(`${one.address}/cancellation`)).body).toMatchObject({
      refund_cents: price,
      waiting_cents: 37_500,
    });
    await endByBoth(one);
    expect(await one.parts()).toEqual([
      ["returning", 112_500],
      ["returning", 37_500],
    ]);
    expect((await one.pageOf(one.visitor)).money.parts[1]?.next).toBe("after_dispute");
    const ledger = await one.movements();
    for (const [, , heldAfter] of ledger) expect(heldAfter).toBeGreaterThanOrEqual(0);
    expect(ledger).toContainEqual(["refund_waiting", -37_500, expect.any(Number)]);
    expect(ledger.at(-1)?.[2]).toBe(0);
    await app.settle();
    const text = await one.textOf("booking_canceled", "promoter");
    expect(text).toContain("We refund $1,125 to the card");
    expect(text).toContain("$375 of the refund waits, because the payment is disputed at the payer's bank.");
    expect(await one.textOf("booking_canceled", "artist")).toContain("is refunded, but $375 of it only when");
    await settle();
    expect(await one.parts()).toEqual([
      ["returning", 37_500],
      ["promoter", 112_500],
    ]);
    await decideDispute(app, dispute, outcome);
    app.clock.advance(hourMs);
    await settle();
    expect(await one.parts()).toEqual(end);
    const failed = (await refunds(app, one.booking.id)).filter(({ status }) => status !== "succeeded");
    expect(failed).toEqual([]);
  });

  test("after a lost dispute refunds the remainder of each payment", async () => {
    const one = await booked();
    await decideDispute(app, await openDispute(app, await one.ref("deposit"), "half"), "lose");
    await endByBoth(one, price - 18_750);
    await settle();
    expect(await one.parts()).toEqual([
      ["bank", 18_750],
      ["promoter", 131_250],
    ]);
    const admin = browser(app, await app.signIn((await person("admin")).user));
    expect((await one.pageOf(admin)).canceled_by).toBe("both");
  });
});
