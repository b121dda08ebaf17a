import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { press } from "../../dashboard/test-providers.tsx";
import { id, mine, open, server } from "../test-booking-page.tsx";
import { noPermissions } from "../test-booking.ts";

const failedPayout = {
  status: "failed" as const,
  waits_for: null,
  amount_cents: 135_000,
  reversed_cents: 0,
  due_at: "2027-02-16T05:30:00Z",
  paid_at: null,
  sent: null,
  error: "The account cannot be paid.",
  can_retry: true,
  owed_cents: 0,
  outside_cents: 135_000,
};

describe("Money", () => {
  const part = { part: null, since: null, until: null, next: "end" as const, artist_cents: null, payout: null };
  const money = { ...mine.money, held_cents: 37_500, outstanding_cents: 112_500, paid_cents: 37_500 };
  const movement = {
    at: "2026-11-21T20:00:00Z",
    kind: "deposit" as const,
    amount_cents: 37_500,
    held_after_cents: 37_500,
  };

  test("names each amount once: the parts and the price", () => {
    open({ status: "deposit_paid", can: noPermissions, money: { ...money, movements: [movement] } });
    const section = screen.getByRole("heading", { name: "Money" }).closest("section")?.textContent ?? "";
    for (const amount of ["$375", "$1,125", "$1,500"]) expect(section.split(amount)).toHaveLength(2);
    expect(screen.getByText("Price").nextSibling?.textContent).toBe("$1,500");
    for (const word of ["Commission", "Net", "Show the ledger"]) expect(screen.queryByText(word)).toBeNull();
  });

  test("shows cents only where an amount of the column has some", () => {
    const parts = [{ ...part, held_by: "promoter_owes" as const, part: "deposit" as const, cents: 37_550 }];
    open({ status: "initiated", can: noPermissions, money: { ...money, parts } });
    const list = screen.getByRole("list", { name: "Where the money is" });
    expect(list.textContent).toContain("$375.50");
    expect(screen.getByText("Price").nextSibling?.textContent).toBe("$1,500.00");
  });

  test("shows the artist their share of an open price, and an admin the ledger", () => {
    const shown = { ...money, commission_cents: 15_000, net_cents: 135_000, artist_cents: 0, movements: [movement] };
    open({ viewer: "artist", status: "deposit_paid", can: noPermissions, money: shown });
    expect(screen.getByText("Net").nextSibling?.textContent).toBe("$1,350");
    expect(screen.queryByText("Payment service")).toBeNull();
    cleanup();
    const provider_fees = [
      { amount_cents: 1_035, currency: "eur" },
      { amount_cents: 1_500, currency: "usd" },
    ];
    open({ viewer: "admin", status: "deposit_paid", can: noPermissions, money: { ...shown, provider_fees } });
    const fees = screen.getByText("Payment service").nextSibling?.textContent;
    expect(fees).toBe("−\u00a0€10.35 and −\u00a0$15.00, paid by us");
    const ledger = within(screen.getByRole("region", { name: "What is held, step by step", hidden: true }));
    expect(ledger.getAllByRole("row", { hidden: true }).map((row) => row.textContent)).toEqual([
      "WhenWhatAmountHeld after",
      expect.stringMatching(/Deposit\+\u00a0\$375\.00\$375\.00$/),
    ]);
  });

  test("deducts refunds, lost disputes and commission from an open price", () => {
    const shown = {
      ...money,
      refunded_cents: 15_000,
      returning_cents: 5_000,
      commission_cents: 11_125,
      net_cents: 100_125,
    };
    const parts = [{ ...part, held_by: "platform" as const, cents: 111_250 }];
    open({ viewer: "artist", status: "contract_signed", can: noPermissions, money: { ...shown, parts } });
    const column = ["Price", "Refunds", "Lost in a dispute", "Commission", "Net"].map(
      (label) => screen.getByText(label).nextSibling?.textContent,
    );
    expect(column).toEqual(["$1,500.00", "−\u00a0$200.00", "−\u00a0$187.50", "−\u00a0$111.25", "$1,001.25"]);
    cleanup();
    open({ viewer: "artist", status: "canceled", can: noPermissions, money: { ...shown, parts } });
    expect(screen.queryByText("Net")).toBeNull();
  });

  test("names the released part of a canceled booking a cancellation fee in an admin's ledger", () => {
    const release = { ...movement, kind: "release" as const, amount_cents: -37_500, held_after_cents: 0 };
    const reopened = { ...movement, kind: "refund_undone" as const };
    const movements = [release, reopened];
    open({ viewer: "admin", status: "canceled", can: noPermissions, money: { ...money, movements } });
    const ledger = within(screen.getByRole("region", { name: "What is held, step by step", hidden: true }));
    expect(ledger.getByText("Cancellation fee, owed to the artist")).toBeTruthy();
    expect(ledger.queryByText("Released after the show")).toBeNull();
    expect(ledger.getByText("Refund due again")).toBeTruthy();
  });

  test("shows why a payout failed, and sends it again for an admin", async () => {
    server.retryPayout.mockResolvedValue({ booking_id: id, retried: 1 });
    open({ viewer: "admin", status: "completed", can: noPermissions, money: { ...money, payout: failedPayout } });
    const list = within(screen.getByRole("list", { name: "Payout" }));
    list.getByText("Payout");
    list.getByText("Failed");
    list.getByText("The account cannot be paid.");
    press("Send again");
    await waitFor(() => expect(server.retryPayout).toHaveBeenCalledWith({ booking_id: id }));
  });

  test.each([
    [135_000, "Paid outside the provider", /^Record it here first, then pay \$1,350\.00 to the artist at once/],
    [-33_750, "Paid back outside the provider", /once the artist has paid back \$337\.50/],
  ])("records %i cents of a failed payout with how they were paid", async (outside_cents, name, text) => {
    const payout = { ...failedPayout, can_retry: false, outside_cents };
    open({ viewer: "admin", status: "completed", can: noPermissions, money: { ...money, payout } });
    press(name);
    const dialog = within(await screen.findByRole("dialog", { name }));
    dialog.getByText(text);
    dialog.getByText(/We notify the artist how it (is|was) paid\./);
    fireEvent.change(dialog.getByLabelText(/How it (is|was) paid/), { target: { value: "Bank transfer of today." } });
    fireEvent.click(dialog.getByRole("button", { name: "Record" }));
    const sent = { booking_id: id, how: "Bank transfer of today.", expected_cents: outside_cents };
    await waitFor(() => expect(server.settlePayout).toHaveBeenCalledWith(sent));
  });

  test("shows the artist what of a payout must be paid back", () => {
    const payout = {
      ...failedPayout,
      status: "paid" as const,
      amount_cents: 33_750,
      paid_at: "2027-02-16T05:30:00Z",
      error: null,
      can_retry: false,
      owed_cents: 33_750,
      outside_cents: 0,
    };
    open({ viewer: "artist", status: "completed", can: noPermissions, money: { ...money, payout } });
    const list = within(screen.getByRole("list", { name: "Payout" }));
    list.getByText(/^\$337\.50 must be paid back after a refund .* paid outside the payment provider$/);
    expect(list.queryByRole("button")).toBeNull();
  });

  test("shows the exact refund and the retained amount of a canceled booking", () => {
    const canceled = {
      ...money,
      outstanding_cents: 0,
      held_cents: 10_000,
      refunded_cents: 20_000,
      returning_cents: 7_500,
      parts: [
        { ...part, held_by: "promoter" as const, cents: 20_000 },
        { ...part, held_by: "returning" as const, cents: 7_500 },
        { ...part, held_by: "released" as const, cents: 10_000 },
      ],
    };
    const timeline = [{ at: mine.created_at, kind: "deposit_paid" as const, text: "", by: null, detail: null }];
    open({ status: "canceled", can: noPermissions, money: canceled, timeline });
    expect(screen.getByRole("region", { name: "Now" }).textContent).toContain(
      "This booking is canceled. The payment is divided by the cancellation terms.",
    );
    const list = within(screen.getByRole("list", { name: "Where the money is" }));
    expect(list.getAllByRole("listitem").map((one) => one.textContent?.trim())).toEqual([
      "Refunded $200",
      "Being refunded $75",
      "Released to the artist $100",
    ]);
  });
});
