import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { noPermissions } from "../test-booking.ts";
import { press } from "../../dashboard/test-providers.tsx";
import { id, mine, open, server } from "../test-booking-page.tsx";

describe("money", () => {
  const part = { part: null, since: null, until: null, next: "end" as const, artist_cents: null, payout: null };
  const money = { ...mine.money, held_cents: 37_500, outstanding_cents: 112_500, paid_cents: 37_500 };
  const movement = {
    at: "2026-11-21T20:00:00Z",
    kind: "deposit" as const,
    amount_cents: 37_500,
    held_after_cents: 37_500,
  };

  test("is told by who holds it, with what is planned", () => {
    open({ status: "deposit_paid", can: noPermissions, money: { ...money, movements: [movement] } });
    const section = within(screen.getByRole("region", { name: "What is held, step by step" }));
    expect(section.getAllByRole("row").map((row) => row.textContent)).toEqual([
      "WhenWhatAmountHeld after",
      expect.stringMatching(/Deposit\+\u00a0\$375\.00\$375\.00$/),
      expect.stringMatching(/^Sat 16 JanBalance \(planned\)\+\u00a0\$1,125\.00\$1,500\.00$/),
      expect.stringMatching(/^Sat 13 FebReleased after the show \(planned\)−\u00a0\$1,500\.00\$0\.00$/),
    ]);
    expect(screen.queryByText("Commission")).toBeNull();
  });

  test("a balance without a day of its own is due now once both have signed, and before that once they have", () => {
    for (const [status, when] of [
      ["contract_sent", "once signed"],
      ["contract_signed", "now"],
    ] as const) {
      open({ status, can: noPermissions, money: { ...money, balance_due: null } });
      expect(screen.getByText("Balance (planned)").previousSibling?.textContent).toBe(when);
      cleanup();
    }
  });

  test("shows the artist gross, commission and net", () => {
    open({
      viewer: "artist",
      status: "deposit_paid",
      can: noPermissions,
      money: { ...money, commission_cents: 15_000, artist_cents: 0 },
    });
    expect(screen.getByText("Net").nextSibling?.textContent).toBe("$1,350.00");
    expect(screen.queryByText("Payment service")).toBeNull();
  });

  test("says how the payout stands, and lets an admin send a refused one again", async () => {
    const payout = {
      status: "failed" as const,
      waits_for: null,
      amount_cents: 135_000,
      reversed_cents: 0,
      due_at: "2027-02-16T05:30:00Z",
      paid_at: null,
      sent: null,
      error: "The account cannot be paid.",
      can_retry: true,
    };
    server.retryPayout.mockResolvedValue({ booking_id: id, retried: 1 });
    open({ viewer: "admin", status: "completed", can: noPermissions, money: { ...money, payout } });
    const list = within(screen.getByRole("list", { name: "Payout" }));
    list.getByText("Payout, $1,350.00");
    list.getByText("Failed");
    list.getByText("The account cannot be paid.");
    press("Send again");
    await waitFor(() => expect(server.retryPayout).toHaveBeenCalledWith({ booking_id: id }));
    cleanup();
    const waiting = {
      ...payout,
      status: "pending" as const,
      waits_for: "account" as const,
      error: null,
      can_retry: false,
    };
    open({ viewer: "artist", status: "completed", can: noPermissions, money: { ...money, payout: waiting } });
    screen.getByText("waiting for your payment account");
    expect(screen.queryByRole("button", { name: "Send again" })).toBeNull();
  });

  test("of a canceled booking says to the cent what went back and what stays", () => {
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
    open({ status: "canceled", can: noPermissions, money: canceled });
    const now = screen.getByRole("region", { name: "Now" }).textContent;
    for (const text of ["$200 of $375 was refunded", "$75 is being refunded", "$100 of $375 is not refunded"])
      expect(now).toContain(text);
    expect(now).toContain("is not refunded, by the cancellation terms.");
  });
});
