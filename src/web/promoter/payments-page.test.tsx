import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { ownPaymentSorts } from "#reports/lists/payments.rules.ts";
import { apiError, press, renderInMantine } from "../dashboard/test-providers.tsx";
import PromoterPaymentsPage from "./payments-page.tsx";

const refetch = vi.fn();
let error: Error | null = null;
let data: object | undefined;
vi.mock("../lib/api/own-payments.ts", () => ({
  usePromoterPayments: () => ({ error, data, isFetching: false, isPlaceholderData: false, refetch }),
}));

beforeEach(() => {
  [error, data] = [null, { items: [], total: 0, capped: false, sums: [] }];
  refetch.mockReset();
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
  expect(table.getByText(/^Paid on all/).textContent).toBe(
    "Paid on all pages, less refunds and what the bank returned",
  );
  const orders = table.getAllByRole("columnheader").flatMap((head) => within(head).queryAllByRole("link"));
  const sorts = orders.map((link) => link.getAttribute("href")?.split("?sort=")[1]);
  expect(new Set(sorts)).toEqual(new Set(ownPaymentSorts.filter((sort) => !sort.startsWith("-"))));
});
