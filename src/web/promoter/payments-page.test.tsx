import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ownPaymentSorts } from "#reports/lists/payments.rules.ts";
import { apiError, press, renderInMantine } from "../dashboard/test-providers.tsx";
import PromoterPaymentsPage from "./payments-page.tsx";

const refetch = vi.fn();
let toAct: { bookings: object[] | undefined; query: object };
vi.mock("../lib/api/booking-lists.ts", () => ({ usePromoterBookings: () => toAct }));
let error: Error | null = null;
let data: object | undefined;
vi.mock("../lib/api/own-payments.ts", () => ({
  usePromoterPayments: () => ({ error, data, isFetching: false, isPlaceholderData: false, refetch }),
}));

beforeEach(() => {
  [error, data] = [null, { items: [], total: 0, capped: false, sums: [] }];
  toAct = { bookings: [], query: { error: null, isFetching: false, hasNextPage: false } };
  refetch.mockReset();
  localStorage.clear();
});

test("shows the specification's text without payments, and nothing to search or export", () => {
  renderInMantine(<PromoterPaymentsPage />);
  expect(screen.getByRole("heading", { name: "No payments yet" })).toBeTruthy();
  screen.getByRole("link", { name: "Browse Artists" });
  expect([screen.queryByRole("search"), screen.queryByRole("button", { name: "Export" })]).toEqual([null, null]);
});

test("shows a failure with Retry instead of an empty list", () => {
  [error, data] = [apiError("unavailable", "The database cannot be reached.", 503), undefined];
  renderInMantine(<PromoterPaymentsPage />);
  expect(screen.queryByText("No payments yet")).toBeNull();
  press("Retry");
  expect(refetch).toHaveBeenCalledOnce();
});

test("states that an internal error is ours and changed nothing", () => {
  [error, data] = [apiError("internal", "Something went wrong. Please try again. Reference r-1.", 500), undefined];
  renderInMantine(<PromoterPaymentsPage />);
  expect(screen.getByText("The error is ours. Your data is unchanged. Please try again.")).toBeTruthy();
});

test("shows the status and what was returned of each payment, and offers every sort order", () => {
  const payment = {
    id: "1",
    kind: "deposit",
    amount: 37_500,
    refunded_cents: 0,
    refunding_cents: 0,
    disputed_cents: 0,
    currency: "usd",
    status: "succeeded",
    declined: false,
    payment_date: "2026-11-20T12:00:00Z",
    created_at: "2026-11-20T12:00:00Z",
    booking: { id: "b1", number: "SD-7KQ4MN", event_date: "2027-02-13", venue_name: "Armory Hall" },
    artist: { slug: "electric-dreams", name: "Electric Dreams", genre: "DJ", location: "Austin, Texas" },
    documents: [],
  };
  const items = [
    payment,
    { ...payment, id: "2", refunded_cents: 10_000 },
    { ...payment, id: "8", refunding_cents: 37_500 },
    { ...payment, id: "3", disputed_cents: 37_500 },
    { ...payment, id: "7", refunded_cents: 10_000, disputed_cents: 20_000 },
    { ...payment, id: "4", status: "requires_payment_method", payment_date: null },
    { ...payment, id: "5", status: "failed", declined: true, payment_date: null },
    { ...payment, id: "6", status: "failed", payment_date: null },
  ];
  data = { items, total: 63, capped: false, sums: [{ currency: "usd", amount: 72_500 }] };
  renderInMantine(<PromoterPaymentsPage />);
  const table = within(screen.getByRole("table", { name: /Your payments/ }));
  const cells = table.getAllByRole("cell", { name: /^\$375/ });
  expect(cells.map((cell) => cell.previousElementSibling?.textContent)).toEqual([
    "Succeeded",
    "Succeeded$100.00 refunded",
    "Succeeded$375.00 being refunded",
    "Succeeded$375.00 returned by the bank",
    "Succeeded$100.00 refunded, $200.00 returned by the bank",
    "Pending Payment",
    "Failed",
    "Not paid",
  ]);
  expect(table.getByText(/^Paid on all/).textContent).toBe("Paid on all pages, less refunds and bank returns");
  const orders = table.getAllByRole("columnheader").flatMap((head) => within(head).queryAllByRole("link"));
  const sorts = orders.map((link) => link.getAttribute("href")?.split("?sort=")[1]);
  expect(new Set(sorts)).toEqual(new Set(ownPaymentSorts.filter((sort) => !sort.startsWith("-"))));
});

describe("Next payment", () => {
  const section = () => screen.getByRole("region", { name: "Next payment" });
  const booking = {
    id: "b1",
    number: "SD-7KQ4MN",
    event_date: "2027-02-13",
    time_zone: "America/Chicago",
    currency: "usd",
    deposit_cents: 37_500,
    balance_cents: 112_500,
    artist: { name: "Electric Dreams" },
    can: { pay: "balance" },
    act_due: { kind: "balance_due", at: "2027-01-17T06:00:00Z" },
  };

  beforeEach(() => {
    vi.useFakeTimers({ now: new Date("2026-12-29T12:00:00Z"), toFake: ["Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("shows the payment with the nearest deadline, its last day at the venue, and the sum of the others", () => {
    toAct.bookings = [
      { ...booking, id: "b0", can: { pay: null, sign: true }, act_due: { kind: "signatures_due", at: "2026-12-30" } },
      { ...booking, id: "b2", can: { pay: "deposit" }, act_due: { kind: "show_starts", at: "2027-02-13T02:00:00Z" } },
      booking,
    ];
    renderInMantine(<PromoterPaymentsPage />);
    expect(section().textContent).toMatch(
      /\$1,125\.00Balance due in 18 days, Sat 16 JanBalance, Electric Dreams, Sat 13 Feb/,
    );
    expect(
      within(section())
        .getByRole("link", { name: /^Pay Balance/ })
        .getAttribute("href"),
    ).toBe("/pay/b1/balance");
    expect(section().textContent).toContain("1 more to pay: $375.00");
  });

  test("states no sum of the others if the list is longer than one page", () => {
    toAct.query = { error: null, isFetching: false, hasNextPage: true };
    toAct.bookings = [booking, { ...booking, id: "b2" }];
    renderInMantine(<PromoterPaymentsPage />);
    expect(section().textContent).toMatch(/More than 1 more to pay\$1,125/);
  });

  test.each([
    [[], null, "Nothing to pay now."],
    [undefined, null, "Loading"],
    [undefined, new Error("500"), "This could not be loaded. Trying again…"],
  ])("states that nothing is due only once the bookings are known", (bookings, failure, text) => {
    toAct = { bookings, query: { error: failure, isFetching: false, hasNextPage: false } };
    renderInMantine(<PromoterPaymentsPage />);
    expect(section().textContent).toContain(text);
  });

  test("reserves no space after a visit without a payment, until there is one", () => {
    renderInMantine(<PromoterPaymentsPage />);
    expect(section()).toBeTruthy();
    cleanup();
    toAct.bookings = undefined;
    renderInMantine(<PromoterPaymentsPage />);
    expect(screen.queryByRole("region", { name: "Next payment" })).toBeNull();
    cleanup();
    toAct.bookings = [booking];
    renderInMantine(<PromoterPaymentsPage />);
    expect(section().textContent).toContain("$1,125.00");
  });
});
