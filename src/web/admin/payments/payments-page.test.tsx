import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press, renderInMantine } from "../../dashboard/test-providers.tsx";
import type { ListedPayment, PaymentDetails } from "../../lib/api/admin/lists.ts";
import AdminPaymentsPage from "./payments-page.tsx";

type Answer = { data: unknown; error: Error | null };
const server = vi.hoisted(() => ({
  refetch: vi.fn(() => Promise.resolve()),
  requests: vi.fn(),
  totalRequests: vi.fn(),
  refetchUnreconciled: vi.fn(() => Promise.resolve()),
  refetchRefused: vi.fn(() => Promise.resolve()),
  refetchCases: vi.fn(() => Promise.resolve()),
  list: { data: undefined, error: null } as Answer,
  totals: { data: undefined, error: null } as Answer,
  details: { data: undefined, error: null } as Answer,
}));
vi.mock("../../lib/api/admin/lists.ts", () => {
  const query = (response: Answer) => ({
    ...response,
    isFetching: false,
    isPlaceholderData: false,
    refetch: server.refetch,
  });
  return {
    usePayments: (input: unknown) => {
      server.requests(input);
      return query(server.list);
    },
    usePaymentTotals: (input: unknown) => {
      server.totalRequests(input);
      return query(server.totals);
    },
    usePayment: () => query(server.details),
  };
});
vi.mock("./money-cases.tsx", () => ({ MoneyCases: () => null }));
vi.mock("../../lib/api/overviews.ts", () => ({ useMoneyCases: () => ({ refetch: server.refetchCases }) }));
vi.mock("./unreconciled.tsx", () => ({ Unreconciled: () => null }));
vi.mock("./refused-refunds.tsx", () => ({ RefusedRefunds: () => null }));
vi.mock("./use-refused-refunds.ts", () => ({ useRefusedRefunds: () => ({ refetch: server.refetchRefused }) }));
vi.mock("./use-unreconciled.ts", () => ({ useUnreconciled: () => ({ refetch: server.refetchUnreconciled }) }));
vi.mock("../../lib/site.ts", () => ({ useSite: () => ({ currency: "usd" }) }));

const payment: ListedPayment = {
  id: "p1",
  kind: "deposit",
  amount: 37_500,
  refunded_cents: 0,
  refunding_cents: 0,
  has_open_dispute: false,
  disputed_cents: 0,
  currency: "usd",
  status: "succeeded",
  declined: false,
  provider: "stripe",
  provider_ref: "cs_test_1",
  payment_date: "2026-11-20T12:00:00.000Z",
  created_at: "2026-11-20T12:00:00.000Z",
  day: "2026-11-20",
  artist: { slug: "electric-dreams", name: "Electric Dreams", genre: "electronic", location: "Austin" },
  booking: { id: "b1", number: "SD-7KQ4MN", promoter_name: "Hannah Whitt", event_date: "2027-02-13" },
};
const details: PaymentDetails = {
  ...payment,
  provider_payment: "pi_123",
  provider_charge: null,
  last_error: null,
  refunds: [],
  documents: [
    {
      id: "d1",
      number: "7KQ4MN-00001",
      kind: "receipt",
      payment_id: "p1",
      payment_kind: "deposit",
      currency: "usd",
      gross: 37_500,
      tax: 5_987,
      tax_label: "VAT",
      occurred_at: "2026-11-20T12:00:00.000Z",
      issued_on: "2026-11-20",
    },
  ],
  postings: [
    {
      id: "g1",
      kind: "charge",
      posted_at: "2026-11-20T12:00:00.000Z",
      entries: [
        { account: "psp_clearing", amount: 37_500, currency: "usd" },
        { account: "held:b1", amount: -37_500, currency: "usd" },
      ],
    },
  ],
};

beforeEach(() => {
  server.list = { data: { items: [payment], total: 1, capped: false }, error: null };
  server.totals = {
    data: {
      revenue: [
        { currency: "eur", captured: 1_000, refunded: 0, lost: 0, withheld: 0, amount: 1_000 },
        { currency: "usd", captured: 60_000, refunded: 12_345, lost: 7_500, withheld: 2_500, amount: 37_655 },
      ],
      platform: [{ currency: "usd", commission: 5_000, fees: 1_740, losses: 300, held: 22_655, owed: 10_000 }],
      transactions: 1_204,
      by_status: [
        { status: "failed", count: 4, declined: 1 },
        { status: "requires_payment_method", count: 3, declined: 1 },
        { status: "succeeded", count: 1_200, declined: 0 },
      ],
    },
    error: null,
  };
  server.details = { data: details, error: null };
});

test("shows the totals of the chosen days", async () => {
  renderInMantine(<AdminPaymentsPage />, undefined, "/?from=2027-01-01");
  fireEvent.input(screen.getByLabelText("To day"), { target: { value: "2027-01-31" } });
  const period = { from: "2027-01-01", to: "2027-01-31" };
  await waitFor(() => expect(server.totalRequests).toHaveBeenLastCalledWith(period));
  await screen.findByText("from 1 Jan 2027 to 31 Jan 2027: 1,200 succeeded, 3 not paid, 3 pending, 1 failed");
  expect(await screen.findByText("At the end of the period: until their shows are over")).toBeTruthy();
});

test("shows totals with two decimals, and lists currencies side by side", () => {
  renderInMantine(<AdminPaymentsPage />);
  expect(screen.getByText("€10.00 + $376.55")).toBeTruthy();
  const parts =
    "captured €10.00 + $600.00, refunded $123.45, lost in disputes $75.00, withheld in open disputes $25.00";
  expect(screen.getByText(parts)).toBeTruthy();
  expect(screen.getByText("$50.00")).toBeTruthy();
  expect(screen.getByText("payment fees $17.40, dispute losses $3.00")).toBeTruthy();
  expect(screen.getByText("Held for Bookings").parentElement?.textContent).toContain("$226.55");
  expect(screen.getByText("Owed to Artists").parentElement?.textContent).toContain("$100.00");
  expect(screen.getByText("1,204")).toBeTruthy();
  expect(screen.getByText("1,200 succeeded, 3 not paid, 3 pending, 1 failed")).toBeTruthy();
  expect(screen.getByText("Monitor and manage platform payments")).toBeTruthy();
  press("Refresh");
  expect(server.refetch).toHaveBeenCalledTimes(2);
});

test("shows what appeals won back in a period apart from what was lost", () => {
  const revenue = { captured: 1_000, refunded: 0, withheld: 0, amount: 1_000 };
  server.totals.data = {
    ...server.totals.data!,
    revenue: [
      { ...revenue, currency: "eur", lost: 21_970 },
      { ...revenue, currency: "usd", lost: -85_568 },
    ],
    platform: [{ currency: "usd", commission: 5_000, fees: 1_740, losses: -300, held: 22_655, owed: 10_000 }],
  };
  renderInMantine(<AdminPaymentsPage />);
  expect(screen.getByText(/lost in disputes €219\.70, won back by appeals \$855\.68$/)).toBeTruthy();
  expect(screen.getByText("payment fees $17.40, dispute losses won back by appeals $3.00")).toBeTruthy();
});

test("shows artist, promoter, event, status, amount and the provider's reference in a row and on a card", () => {
  const provider_ref = "cs_test_a1B2c3D4e5F6g7H8i9J0";
  server.list = { data: { items: [{ ...payment, provider_ref }], total: 1, capped: false }, error: null };
  renderInMantine(<AdminPaymentsPage />);
  const row = within(screen.getByRole("region", { name: "Payments" })).getAllByRole("row")[1];
  const text = row?.textContent ?? "";
  for (const part of [
    "Electric Dreams",
    "Hannah Whitt",
    "Sat 13 Feb 2027",
    "Succeeded",
    `stripe ${provider_ref}`,
    "$375.00",
  ])
    expect(text).toContain(part);
  expect(within(row as HTMLElement).getByTitle(`stripe ${provider_ref}`)).toBeTruthy();
  expect(screen.getByRole("list").textContent).toContain(`stripe ${provider_ref}`);
});

async function openMenu(row: number) {
  const region = within(screen.getByRole("region", { name: "Payments" }));
  fireEvent.click(region.getAllByRole("button", { name: /^Actions:/ })[row] as HTMLElement);
  return within(await screen.findByRole("menu"));
}

test("offers a receipt only for a successful payment, and shows an unknown status as it is", async () => {
  const items = [payment, { ...payment, id: "p2", status: "on_the_way" }];
  server.list = { data: { items, total: 2, capped: false }, error: null };
  renderInMantine(<AdminPaymentsPage />);
  const region = screen.getByRole("region", { name: "Payments" });
  expect(within(region).getByText("on_the_way")).toBeTruthy();
  for (const form of [region, screen.getByRole("list")])
    expect(within(form).getAllByRole("button", { name: /^Receipt and details/ })).toHaveLength(1);
  const menu = await openMenu(1);
  expect(menu.getAllByRole("menuitem").map((one) => one.textContent)).toEqual(["View booking"]);
});

test("shows the intent, the documents with their tax, the refunds and the ledger on the receipt", async () => {
  renderInMantine(<AdminPaymentsPage />);
  const table = within(screen.getByRole("table"));
  fireEvent.click(table.getByRole("button", { name: "Receipt and details: SD-7KQ4MN, Deposit" }));
  const dialog = await screen.findByRole("dialog");
  expect(within(dialog).getByText("pi_123")).toBeTruthy();
  expect(within(dialog).getByRole("button", { name: /Open Receipt 7KQ4MN-00001/ })).toBeTruthy();
  expect(within(dialog).getByText(/\$59\.87 VAT included/)).toBeTruthy();
  expect(within(dialog).getByText("Nothing was refunded.")).toBeTruthy();
  expect(within(dialog).getByText("Payment captured")).toBeTruthy();
  expect(within(dialog).getByText("Held for the booking")).toBeTruthy();
});

test("shows the specification's text if there are no payments", () => {
  server.list = { data: { items: [], total: 0, capped: false }, error: null };
  renderInMantine(<AdminPaymentsPage />);
  expect(screen.getByText("No payments found")).toBeTruthy();
  expect(screen.getByText("Payment transactions will appear here")).toBeTruthy();
});

test("shows a failed request as an error, not as an empty list or a zero", () => {
  const error = apiError("internal", "Something went wrong.", 500);
  server.list = { data: undefined, error };
  server.totals = { data: undefined, error };
  renderInMantine(<AdminPaymentsPage />);
  expect(screen.getByText("Payments could not be loaded")).toBeTruthy();
  expect(screen.queryByText(/\$0/)).toBeNull();
  expect(screen.getAllByText("not loaded")).toHaveLength(5);
  press("Retry");
  expect(server.refetch).toHaveBeenCalled();
});

test("reports totals that could not be loaded above a list that was", () => {
  server.totals = { data: undefined, error: apiError("internal", "Something went wrong.", 500) };
  renderInMantine(<AdminPaymentsPage />);
  expect(screen.getByRole("alert").textContent).toContain("The totals could not be loaded.");
  expect(screen.getAllByText("not loaded")).toHaveLength(5);
});

test("reloads unreconciled items and rejected refunds on Refresh too", async () => {
  server.list.data = { items: [], total: 0, page: 1, pages: 1 };
  renderInMantine(<AdminPaymentsPage />);
  press("Refresh");
  await waitFor(() => expect(server.refetchUnreconciled).toHaveBeenCalledOnce());
  expect(server.refetchRefused).toHaveBeenCalledOnce();
  expect(server.refetchCases).toHaveBeenCalledOnce();
});

test("narrows the list by a saved filter and marks its tab as current", async () => {
  renderInMantine(<AdminPaymentsPage />);
  const tabs = within(screen.getByRole("navigation", { name: "Saved filters" }));
  expect(tabs.getAllByRole("link").map((tab) => tab.textContent)).toEqual([
    "All",
    "Held until the show",
    "With refunds",
    "Disputed",
    "Declined",
  ]);
  fireEvent.click(tabs.getByRole("link", { name: "Disputed" }));
  await waitFor(() => expect(server.requests).toHaveBeenLastCalledWith(expect.objectContaining({ show: "disputed" })));
  expect(tabs.getByRole("link", { current: "page" }).textContent).toBe("Disputed");
});

test("narrows the list by a first and a last day, and shows an empty result", async () => {
  server.list = { data: { items: [], total: 0, capped: false }, error: null };
  renderInMantine(<AdminPaymentsPage />, undefined, "/?from=2026-11-01");
  fireEvent.input(screen.getByLabelText("To day"), { target: { value: "2026-11-30" } });
  await waitFor(() =>
    expect(server.requests).toHaveBeenLastCalledWith(expect.objectContaining({ from: "2026-11-01", to: "2026-11-30" })),
  );
  expect(screen.getByText("Try adjusting your search or filters")).toBeTruthy();
});
