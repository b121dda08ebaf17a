import { expect, test } from "vitest";
import { positionFrom } from "#ledger/rules.ts";
import { type PaymentKind, paymentKinds, splitCommission } from "#payments/rules.ts";
import { at, input, ledger, on } from "#test/factories/money-parts.ts";
import type { BookingStatus } from "../../rules.ts";
import { type MoneyPartInput, moneyPartsOf } from "./money-parts.rules.ts";

const paid = (...kinds: PaymentKind[]) => {
  const { sums, post } = ledger();
  for (const kind of kinds) post(kind, "charge", "psp_clearing", "held", kind === "deposit" ? 37_500 : 112_500);
  return { sums, post };
};
const shown = (more: Partial<MoneyPartInput>, day = "2027-01-10") =>
  moneyPartsOf(input(more), at(day)).map(({ held_by, part, cents, next, until }) => [
    held_by,
    part,
    cents,
    next,
    until?.toISOString().slice(0, 10) ?? null,
  ]);

test("moneyPartsOf returns the whole price as owed before the deposit, until the start of the show", () => {
  expect(shown({ status: "initiated", signedAt: null })).toEqual([
    ["promoter_owes", "deposit", 37_500, "pay_deposit", "2027-02-13"],
    ["promoter_owes", "balance", 112_500, "pay_balance_once_signed", "2027-01-17"],
  ]);
});

test("moneyPartsOf returns a paid deposit as held until the balance and the show, with the balance's next step", () => {
  const position = positionFrom(paid("deposit").sums);
  const held = ["platform", "deposit", 37_500, "balance_then_show", null];
  const owed = (more: object) => shown({ position, balance: { ...input().balance, ...more } })[0];
  expect(shown({ position })[1]).toEqual(held);
  expect(owed({})).toEqual(["promoter_owes", "balance", 112_500, "pay_balance", "2027-01-17"]);
  expect(owed({ overdue: true, decisionAt: at("2027-01-31") })?.slice(3)).toEqual(["balance_overdue", "2027-01-31"]);
  expect(owed({ overdue: true, mayArtistDecide: true })?.slice(3)).toEqual(["artist_decides", "2027-02-13"]);
  expect(shown({ position, block: "objection" })[0]?.slice(3)).toEqual(["objection_decision", null]);
  const unpayable = {
    position,
    balance: { ...input().balance, overdue: true, unpayable: "payments_not_set_up" as const },
  };
  for (const day of ["2027-01-10", "2027-04-01"])
    expect(shown(unpayable, day).map((row) => row.slice(3))).toEqual([
      ["balance_unpayable", null],
      ["balance_then_show", null],
    ]);
  const small = { position, balance: { ...input().balance, unpayable: "too_small" as const } };
  expect(shown(small, "2027-02-15").map((row) => row.slice(3))).toEqual([
    ["balance_unpayable", null],
    ["confirmation", "2027-02-16"],
  ]);
  const open = { position, unpaidEndsAt: null };
  expect(shown(open, "2027-04-01").map((row) => row.slice(3))).toEqual([
    ["balance_stays_open", null],
    ["balance_stays_open", null],
  ]);
  for (const day of ["2027-02-14", "2027-02-15"])
    expect(shown({ position }, day).map((row) => row.slice(3))).toEqual([
      ["balance_or_end", "2027-03-16"],
      ["balance_or_end", "2027-03-16"],
    ]);
});

test("moneyPartsOf returns the artist's share of the held money without rounding losses", () => {
  const position = positionFrom(paid("deposit", "balance").sums);
  const held = moneyPartsOf(input({ position, commission_bps: 1_235 }), at("2027-01-10"));
  expect(held.map(({ next, until }) => [next, until])).toEqual([
    ["show", at("2027-02-16")],
    ["show", at("2027-02-16")],
  ]);
  const artist = held.reduce((sum, { artist_cents }) => sum + (artist_cents ?? 0), 0);
  expect(artist).toBe(splitCommission(150_000, 1_235).artist);
  expect(
    moneyPartsOf(input({ position, seesCommission: false }), at("2027-01-10")).map((one) => one.artist_cents),
  ).toEqual([null, null]);
  expect(shown({ position, block: "no_show" }, "2027-02-15").map((row) => row[3])).toEqual([
    "no_show_decision",
    "no_show_decision",
  ]);
});

test("moneyPartsOf returns the refunded, retained and canceled parts of a canceled booking", () => {
  const { sums, post } = paid("deposit");
  post("deposit", "refund_planned", "held", "refund_in_flight", 10_000);
  post(null, "release", "held", "artist_payable", 24_750);
  post(null, "release", "held", "platform_revenue", 2_750);
  const payout = { status: "pending", waits_for: "account", dueAt: at("2027-01-10") } as const;
  const canceled = { status: "canceled", canceled_at: at("2027-01-09"), position: positionFrom(sums), payout } as const;
  expect(shown(canceled)).toEqual([
    ["nobody", "balance", 112_500, "end", null],
    ["artist_owed", null, 24_750, "payout", null],
    ["commission", null, 2_750, "end", null],
    ["returning", null, 10_000, "at_the_bank", null],
  ]);
  expect(shown({ ...canceled, seesCommission: false })[1]).toEqual(["released", null, 27_500, "end", "2027-01-11"]);
  const retained = (day: string, more: object = {}) =>
    moneyPartsOf(input({ ...canceled, seesCommission: false, ...more }), at(day))[1];
  expect(retained("2027-01-10")).toMatchObject({ since: null, until: at("2027-01-11") });
  for (const day of ["2027-01-11", "2027-01-12"])
    expect(retained(day)).toMatchObject({ since: at("2027-01-11"), until: null });
  expect(retained("2027-01-10", { canceled_at: null })).toMatchObject({ since: at("2027-01-01"), until: null });
  expect(shown({ ...canceled, refundFailed: true }).at(-1)?.[3]).toBe("refund_failed");
  expect(shown({ ...canceled, refundWaiting: 4_000 }).slice(-2)).toEqual([
    ["returning", null, 6_000, "at_the_bank", null],
    ["returning", null, 4_000, "after_dispute", null],
  ]);
  expect(shown({ ...canceled, refundWaiting: 12_000 }).at(-1)).toEqual([
    "returning",
    null,
    10_000,
    "after_dispute",
    null,
  ]);
});

test("moneyPartsOf subtracts a refund after the payout from the artist's part", () => {
  const { sums, post } = paid("deposit", "balance");
  post(null, "release", "held", "artist_payable", 135_000);
  post(null, "release", "held", "platform_revenue", 15_000);
  post("deposit", "payout", "artist_payable", "psp_clearing", 135_000);
  post("deposit", "refund_planned", "artist_receivable", "refund_in_flight", 9_000);
  post("deposit", "refund_planned", "platform_revenue", "refund_in_flight", 1_000);
  expect(shown({ status: "completed", position: positionFrom(sums) })).toEqual([
    ["artist", null, 126_000, "end", null],
    ["commission", null, 14_000, "end", null],
    ["returning", null, 10_000, "at_the_bank", null],
  ]);
});

const whole = (
  post: (ledgerOf: ReturnType<typeof ledger>["post"]) => void,
  more: Partial<MoneyPartInput>,
  day: string,
) => {
  const { sums, post: add } = ledger();
  post(add);
  return moneyPartsOf(input({ position: positionFrom(sums), ...more }), at(day)).map(
    ({ held_by, part, cents, since, until, next, artist_cents }) => ({
      who: part ? `${held_by} ${part}` : held_by,
      cents,
      since: since?.toISOString().slice(0, 10) ?? null,
      until: until?.toISOString().slice(0, 10) ?? null,
      next,
      artist_cents,
    }),
  );
};
const row = (who: string, cents: number, since: string | null, next: string, more: object = {}) => ({
  who,
  cents,
  since,
  until: null,
  next,
  artist_cents: null,
  ...more,
});
const charge = (post: ReturnType<typeof ledger>["post"], kind: PaymentKind, day: string) =>
  post(kind, "charge", "psp_clearing", "held", kind === "deposit" ? 37_500 : 112_500, on(day));

test("moneyPartsOf returns an owed part since the request or the signature, with its due day while it is ahead", () => {
  const owed = (more: Partial<MoneyPartInput>, day: string) => whole(() => undefined, more, day);
  expect(owed({ status: "initiated" }, "2027-01-10")).toEqual([
    row("promoter_owes deposit", 37_500, "2026-11-21", "pay_deposit", { until: "2027-02-13" }),
    row("promoter_owes balance", 112_500, "2026-11-25", "pay_balance_once_signed", { until: "2027-01-17" }),
  ]);
  const past = (status: BookingStatus, more: object = {}) =>
    whole(
      (post) => charge(post, "deposit", "2026-11-22"),
      { status, balance: { ...input().balance, ...more } },
      "2027-01-17",
    )[0];
  for (const [status, next] of [
    ["contract_sent", "pay_balance_once_signed"],
    ["contract_signed", "pay_balance"],
  ] as const) {
    expect(past(status)).toMatchObject({ next, until: null });
    expect(past(status, { dueAt: null })).toMatchObject({ next, until: null });
    expect(past(status, { dueAt: at("2027-01-18") })).toMatchObject({ next, until: "2027-01-18" });
  }
  const begins = whole((post) => charge(post, "deposit", "2026-11-22"), {}, "2027-02-13");
  expect(begins[0]).toMatchObject({ next: "balance_or_end", until: "2027-03-16" });
  expect(owed({ status: "completed" }, "2027-03-01")[0]).toEqual(row("nobody deposit", 37_500, null, "end"));
  expect(owed({ status: "canceled", canceled_at: at("2027-01-05") }, "2027-03-01")[1]).toEqual(
    row("nobody balance", 112_500, "2027-01-05", "end"),
  );
});

test("moneyPartsOf returns each held payment with its day, and after a lost dispute one sum with the later day", () => {
  const both = (
    more: Partial<MoneyPartInput> = {},
    day = "2027-01-10",
    then?: (post: ReturnType<typeof ledger>["post"]) => void,
  ) =>
    whole(
      (post) => {
        charge(post, "deposit", "2026-11-22");
        charge(post, "balance", "2027-01-03");
        then?.(post);
      },
      more,
      day,
    );
  const shares = { until: "2027-02-16" };
  expect(both()).toEqual([
    row("platform deposit", 37_500, "2026-11-22", "show", { ...shares, artist_cents: 33_750 }),
    row("platform balance", 112_500, "2027-01-03", "show", { ...shares, artist_cents: 101_250 }),
  ]);
  expect(both({}, "2027-02-14")[0]).toMatchObject({ next: "confirmation", until: "2027-02-16" });
  const refunded = both({}, "2027-01-10", (post) => {
    post("balance", "refund_planned", "held", "refund_in_flight", 10_000, on("2027-01-04"));
    post("deposit", "refund_planned", "held", "refund_in_flight", 7_500, on("2027-01-06"));
    post("deposit", "refund_settled", "refund_in_flight", "psp_clearing", 7_500, on("2027-01-08"));
  });
  expect(refunded.map(({ who, cents, since }) => [who, cents, since])).toEqual([
    ["platform deposit", 30_000, "2026-11-22"],
    ["platform balance", 102_500, "2027-01-03"],
    ["returning", 10_000, "2027-01-04"],
    ["promoter", 7_500, "2027-01-08"],
  ]);
  const lost = both({}, "2027-01-10", (post) => {
    post("deposit", "dispute_withdrawn", "dispute_in_flight", "psp_clearing", 37_500, on("2027-01-05"));
    post("deposit", "dispute_lost", "held", "dispute_in_flight", 37_500, on("2027-01-09"));
  });
  expect(lost).toEqual([
    row("platform", 112_500, "2027-01-03", "show", { until: "2027-02-16", artist_cents: 101_250 }),
    row("bank", 37_500, null, "dispute"),
  ]);
  const won = both({}, "2027-01-10", (post) => {
    post("deposit", "dispute_withdrawn", "dispute_in_flight", "psp_clearing", 37_500, on("2027-01-05"));
    post("deposit", "dispute_lost", "held", "dispute_in_flight", 37_500, on("2027-01-09"));
    post("deposit", "dispute_reinstated", "psp_clearing", "dispute_in_flight", 37_500, on("2027-01-10"));
    post("deposit", "dispute_regained", "dispute_in_flight", "dispute_loss", 37_500, on("2027-01-10"));
  });
  expect(won.at(-1)).toEqual(row("platform", 37_500, null, "appeal_won"));
  const open = both({ block: "dispute" }, "2027-02-15", (post) =>
    post("balance", "dispute_withdrawn", "dispute_in_flight", "psp_clearing", 60_000, on("2027-01-05")),
  );
  expect(open.map(({ who, cents, since, next }) => [who, cents, since, next])).toEqual([
    ["platform deposit", 37_500, "2026-11-22", "dispute_end"],
    ["platform balance", 52_500, "2027-01-03", "dispute_end"],
    ["bank balance", 60_000, "2027-01-05", "dispute_end"],
  ]);
});

test("moneyPartsOf returns no artist's share for money that is refunded or needs an admin's decision", () => {
  const held = (more: Partial<MoneyPartInput>) =>
    whole((post) => charge(post, "deposit", "2026-11-22"), more, "2027-02-15").at(-1);
  for (const status of ["canceled", "completed", "initiated"] as const)
    expect(held({ status })).toEqual(row("platform deposit", 37_500, "2026-11-22", "goes_back"));
  expect(held({ block: "no_show" })).toMatchObject({ next: "no_show_decision", artist_cents: null });
  expect(held({ block: "objection" })).toMatchObject({ next: "objection_decision", artist_cents: null });
  expect(held({ block: "dispute" })).toMatchObject({ next: "dispute_end", artist_cents: 33_750 });
  expect(held({ block: "balance" })).toMatchObject({ next: "balance_or_end", until: "2027-03-16" });
});

test("moneyPartsOf returns what a payout waits for and until when, and the day of a paid one", () => {
  const released = (sent: number, payout: MoneyPartInput["payout"]) => {
    const { sums, post } = paid("deposit", "balance");
    post(null, "release", "held", "artist_payable", 135_000, on("2027-02-16"));
    post(null, "release", "held", "platform_revenue", 15_000, on("2027-02-16"));
    if (sent > 0) post("deposit", "payout", "artist_payable", "psp_clearing", sent, on("2027-02-18"));
    return moneyPartsOf(input({ status: "completed", position: positionFrom(sums), payout }), at("2027-02-20"));
  };
  const waiting = { status: "pending", waits_for: "date", dueAt: at("2027-02-21") } as const;
  expect(released(0, waiting)[0]).toMatchObject({
    held_by: "artist_owed",
    cents: 135_000,
    since: at("2027-02-16"),
    until: at("2027-02-21"),
    payout: { status: "pending", waits_for: "date" },
  });
  expect(released(0, { ...waiting, waits_for: "account" })[0]).toMatchObject({
    until: null,
    payout: { waits_for: "account" },
  });
  expect(released(0, null)[0]).toMatchObject({ until: null, payout: null });
  expect(released(35_000, null).map(({ held_by, cents, since }) => [held_by, cents, since])).toEqual([
    ["artist_owed", 100_000, at("2027-02-16")],
    ["artist", 35_000, at("2027-02-18")],
    ["commission", 15_000, at("2027-02-16")],
  ]);
});

test("moneyPartsOf returns the later day of two refunds", () => {
  const back = (deposit: string | null, balance: string | null) => {
    const days = { deposit, balance };
    const rows = whole(
      (post) => {
        charge(post, "deposit", "2026-11-22");
        charge(post, "balance", "2027-01-03");
        for (const kind of paymentKinds) {
          const day = days[kind];
          if (!day) continue;
          post(kind, "refund_planned", "held", "refund_in_flight", 5_000, on("2027-01-04"));
          post(kind, "refund_settled", "refund_in_flight", "psp_clearing", 5_000, on(day));
        }
      },
      {},
      "2027-01-20",
    );
    return rows.at(-1);
  };
  expect(back("2027-01-12", "2027-01-09")).toEqual(row("promoter", 10_000, "2027-01-12", "end"));
  expect(back("2027-01-09", "2027-01-12")).toEqual(row("promoter", 10_000, "2027-01-12", "end"));
  expect(back("2027-01-09", null)).toEqual(row("promoter", 5_000, "2027-01-09", "end"));
  expect(back(null, "2027-01-12")).toEqual(row("promoter", 5_000, "2027-01-12", "end"));
});
