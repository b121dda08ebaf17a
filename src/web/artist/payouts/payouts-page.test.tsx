import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useSearchParams } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press, renderInMantine, type } from "../../dashboard/test-providers.tsx";
import PayoutsPage from "./payouts-page.tsx";

const server = vi.hoisted(() => ({
  open: vi.fn(),
  leave: vi.fn(),
  refresh: vi.fn(),
  refetch: vi.fn(),
  month: vi.fn(),
  more: vi.fn(),
  reauthenticate: vi.fn(),
}));
vi.mock("../../lib/api/account.ts", () => ({ reauthenticate: server.reauthenticate }));
vi.mock("../../lib/auth/session.ts", () => ({ authClient: vi.fn() }));
vi.mock("../../lib/api/current-user.ts", () => ({
  useCurrentUser: () => ({ phase: "known", me: { hasPassword: true } }),
}));
vi.mock("../../lib/browser/leave-site.ts", () => ({ goToAddress: server.leave }));
let response: { data?: object; error: Error | null; isFetching: boolean };
vi.mock("../../lib/api/own-payments.ts", () => ({
  usePayouts: (month: string) => {
    server.month(month);
    const { data: payouts, ...state } = response;
    const hasNextPage = payouts !== undefined && "nextCursor" in payouts;
    return { payouts, query: { ...state, hasNextPage, refetch: server.refetch, fetchNextPage: server.more } };
  },
  useOpenPaymentAccount: () => ({ mutateAsync: server.open, isPending: false }),
  useRefreshPaymentAccount: () => ({ mutate: server.refresh }),
}));
vi.mock("../../dashboard/charts/month-bars.tsx", () => ({ default: () => null }));
beforeEach(() => vi.resetAllMocks());

const known = {
  currency: "usd",
  earnings_cents: 270_000,
  earnings: [{ currency: "usd", amount: 270_000 }],
  pending: [{ currency: "usd", amount: 135_000 }],
  pending_cents: 135_000,
  completed_count: 4,
  first_year: null as number | null,
  months: [{ month: "2027-02", earned_cents: 135_000, held_cents: 0 }],
  other_currencies: [] as string[],
  onboarding_status: "completed",
  frozen_until: null,
  bank_return: null,
  ended: null as string | null,
  has_profile: true,
  can_connect: true,
  next: null as object | null,
  items: [],
};
const item = {
  booking_id: "00000000-0000-4000-8000-000000000002",
  number: "SD-7KQ4MN",
  event_date: "2027-02-13",
  promoter_name: "Hannah Whitt",
  gross: 150_000,
  commission: 15_000,
  amount: 135_000,
  currency: "usd",
  is_cancellation_fee: false,
  is_agreed_end: false,
  status: "pending",
  waits_for: "account",
  reversed_cents: 0,
  due_at: "2027-02-16T05:30:00Z",
  paid_at: null,
  sent: null,
  transfers: [] as object[],
  documents: [],
};

const Page = PayoutsPage as () => React.JSX.Element;
const open = (data: object) => {
  response = { data: { ...known, ...data }, error: null, isFetching: false };
  renderInMantine(<Page />);
};

/** Renders the page with a button that simulates the provider's return address. */
function Returning() {
  const [search, setSearch] = useSearchParams();
  return (
    <>
      <button onClick={() => setSearch({ account: "returned" })}>come back</button>
      <output>{search.toString()}</output>
      <Page />
    </>
  );
}

test.each([
  ["not_started", "Not started", "Connect with Stripe"],
  ["pending", "Pending", "Complete Setup"],
  ["completed", "Completed", "Manage Account"],
  ["restricted", "Restricted", "Manage Account"],
])("shows the badge and the action of an account that is %s", async (onboarding_status, badge, action) => {
  server.open.mockReturnValue(new Promise(() => undefined));
  open({ onboarding_status });
  screen.getByText(badge);
  fireEvent.click(screen.getByRole("button", { name: action }));
  await waitFor(() => expect(server.open).toHaveBeenCalledWith({}));
});

test("opens the account again after the browser's Back from the provider", async () => {
  server.open.mockResolvedValue({ url: "#provider" });
  open({ onboarding_status: "pending" });
  const button = screen.getByRole("button", { name: "Complete Setup" });
  fireEvent.click(button);
  await waitFor(() => expect(server.leave).toHaveBeenCalledWith("#provider"));
  expect(button.textContent).toBe("Opening...");
  act(() => void window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
  expect(button.textContent).toBe("Complete Setup");
});

test("confirms the artist's identity before it opens the account, if the server requires it", async () => {
  server.open
    .mockRejectedValueOnce(apiError("reauthentication_needed", "Enter your password again to continue."))
    .mockResolvedValueOnce({ url: "#provider" });
  open({ onboarding_status: "completed" });
  press("Manage Account");
  await screen.findByRole("dialog", { name: "Confirm it's you" });
  type("Your own password", "a quiet lamp backstage");
  press("Continue");
  await waitFor(() => expect(server.leave).toHaveBeenCalledWith("#provider"));
  expect(server.reauthenticate).toHaveBeenCalledWith({ password: "a quiet lamp backstage" });
});

test("shows a new artist first how to connect an account, and no chart or filter without a transaction", () => {
  open({ onboarding_status: "not_started", can_connect: false, has_profile: false, months: [] });
  const account = screen.getByRole("region", { name: "Payment Account Setup" });
  expect(account.compareDocumentPosition(screen.getByText("Total Earnings"))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  screen.getByText("No transactions yet");
  expect(screen.queryByText("Your months")).toBeNull();
  expect(screen.queryByLabelText("Month of the event")).toBeNull();
});

test("states that earnings include fees of canceled shows, which may be ahead", () => {
  open({ other_currencies: ["usd", "gbp"] });
  screen.getByText("Amounts in US dollars and British pounds are not shown.");
  const figure = screen.getByText("Total Earnings").closest("div");
  expect(figure?.parentElement?.textContent).toContain("from played and canceled shows, less commission");
});

test("shows why the last account ended", () => {
  open({ onboarding_status: "not_started", ended: "gone" });
  const text = /Your last account no longer exists at the payment provider\. Until an account is connected/;
  expect(screen.getByText(text)).toBeTruthy();
});

test("shows no button without a payment provider, and the specification's text about the schedule", () => {
  open({ can_connect: false, onboarding_status: "not_started" });
  expect(screen.queryByRole("button", { name: /Stripe|Setup|Account/ })).toBeNull();
  screen.getByText("Payouts are automatic after events complete, typically within 2-7 business days.");
  screen.getByText("No transactions yet");
});

test("fetches the account once after the return from the provider, and clears the address", async () => {
  response = { data: known, error: null, isFetching: false };
  const { container } = renderInMantine(<Returning />);
  press("come back");
  await waitFor(() => expect(server.refresh).toHaveBeenCalledTimes(1));
  await waitFor(() => expect(container.querySelector("output")?.textContent).toBe(""));
});

test("shows until when payouts are frozen after a change of the bank account", () => {
  open({ frozen_until: "2027-02-19T05:30:00Z" });
  expect(screen.getByRole("status").textContent).toContain("For your security, payouts wait until");
});

test("shows what the bank returned and why, until later money arrives", () => {
  open({
    bank_return: {
      amount: 270_000,
      currency: "usd",
      reason: "The bank account has been closed",
      at: "2026-12-20T12:00:00.000Z",
    },
  });
  expect(screen.getByRole("status").textContent).toMatch(
    /^Your bank returned \$2,700\.00 on .*2026\. The reason: “The bank account has been closed”\./,
  );
});

test("shows each payout with its status and its reason", () => {
  const one = (index: number, more: object) => ({
    ...item,
    booking_id: item.booking_id.replace(/2$/, String(index)),
    ...more,
  });
  open({
    items: [
      one(1, {}),
      one(2, { status: "paid", paid_at: "2027-02-16T05:34:00Z", waits_for: null }),
      one(3, { status: "frozen", waits_for: "bank" }),
      one(4, { status: "failed", waits_for: null }),
    ],
  });
  const table = within(screen.getByRole("table", { name: /transactions/ }));
  const reasons = table
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.querySelectorAll("small")[1]?.textContent);
  expect(reasons).toEqual([
    "waiting for your payment account",
    expect.stringMatching(/^sent /),
    "waiting until 16 Feb 2027 because the bank account was changed",
    "not sent, we are reviewing it",
  ]);
});

test("shows what was sent and what was reversed of a payout, to match the bank account", () => {
  const usd = { currency: "usd" };
  const transfers = [
    { ...usd, state: "sent", amount_cents: 135_000, at: "2027-02-16T12:00:00Z" },
    { ...usd, state: "reversed", amount_cents: 33_750, at: "2027-02-18T12:00:00Z" },
    { ...usd, state: "reversal_due", amount_cents: 5_000, at: null },
    { ...usd, state: "reversal_refused", amount_cents: 5_500, at: null },
    { ...usd, state: "owed", amount_cents: 6_000, at: null },
  ];
  const paid = { ...item, status: "paid", paid_at: "2027-02-16T12:00:00Z", waits_for: null, amount: 96_250 };
  open({ items: [{ ...paid, reversed_cents: 33_750, transfers }] });
  const row = within(screen.getByRole("table", { name: /transactions/ })).getAllByRole("row")[1];
  const lines = within(row ?? document.body).getAllByText(/16 Feb|18 Feb|to be|not reversed/);
  expect(lines.map((line) => line.textContent)).toEqual([
    "$1,350.00 sent 16 Feb 2027",
    "$337.50 reversed 18 Feb 2027",
    "$50.00 to be reversed",
    "$55.00 not reversed, we are reviewing it",
    "$60.00 to be paid back",
  ]);
});

test("labels the payout of a canceled booking as a cancellation fee or as an agreed end", () => {
  const other = (last: string) => ({ ...item, booking_id: item.booking_id.replace(/2$/, last) });
  open({ items: [item, { ...other("3"), is_cancellation_fee: true }, { ...other("4"), is_agreed_end: true }] });
  const [, paid, canceled, agreed] = within(screen.getByRole("table", { name: /transactions/ })).getAllByRole("row");
  expect(paid?.textContent).not.toContain("Cancellation fee");
  expect(canceled?.textContent).toContain("Sat 13 Feb 2027Cancellation fee");
  expect(agreed?.textContent).toContain("Sat 13 Feb 2027Agreed end");
});

test("shows the next payout with its date and amount above the list", () => {
  open({ items: [item], next: { ...item, status: "held", waits_for: null } });
  const next = within(screen.getByRole("region", { name: "Next payout" }));
  next.getByText("$1,350.00");
  next.getByText(/^to be released 1[56] Feb 2027$/);
  expect(next.getByRole("link", { name: "SD-7KQ4MN" })).toBeTruthy();
});

test("shows Retry and no figure if loading fails", () => {
  response = { error: new Error("away"), isFetching: false };
  renderInMantine(<Page />);
  press("Retry");
  expect(server.refetch).toHaveBeenCalled();
  expect(screen.queryByText("$0.00")).toBeNull();
});

test("shows gross, commission and net with two decimals, and the deduction with its sign", () => {
  open({ items: [item] });
  const row = within(screen.getByRole("table", { name: /transactions/ })).getAllByRole("row")[1];
  const amounts = within(row ?? document.body)
    .getAllByRole("cell")
    .map((cell) => cell.textContent);
  expect(amounts.slice(3, 6)).toEqual(["$1,500.00", "−\u00a0$150.00", "$1,350.00"]);
});

test.each([
  [null, 1],
  [2, 3],
])("offers the statements since the first earnings, %s years ago, and of this year", (yearsAgo, count) => {
  const thisYear = new Date().getUTCFullYear();
  open({ items: [item], first_year: yearsAgo === null ? null : thisYear - yearsAgo });
  const years = within(screen.getByLabelText("Year of the statement")).getAllByRole("option");
  expect(years.map((one) => one.textContent)).toEqual(
    Array.from({ length: count }, (_, back) => String(thisYear - back)),
  );
  // A payout of December can be paid in January.
  screen.getByText(/^Your earnings released in one year/);
});

test("stores the month in the address", () => {
  response = { data: known, error: null, isFetching: false };
  const { container } = renderInMantine(<Returning />);
  const month = screen.getByLabelText<HTMLInputElement>("Month of the event");
  // The first figure of a typed year.
  fireEvent.change(month, { target: { value: "0002-02" } });
  expect(month.value).toBe("0002-02");
  expect(container.querySelector("output")?.textContent).toBe("");
  fireEvent.change(month, { target: { value: "2027-02" } });
  expect(container.querySelector("output")?.textContent).toBe("month=2027-02");
  fireEvent.change(month, { target: { value: "" } });
  expect(container.querySelector("output")?.textContent).toBe("");
  expect(server.month).toHaveBeenLastCalledWith({ month: "", sort: undefined });
});

test("filters by month, loads more, and offers exports of one year or everything", () => {
  open({ items: [item], nextCursor: "next" });
  fireEvent.change(screen.getByLabelText("Month of the event"), { target: { value: "2027-02" } });
  expect(server.month).toHaveBeenLastCalledWith({ month: "2027-02", sort: undefined });
  press("Load more");
  expect(server.more).toHaveBeenCalled();
  cleanup();
  response.error = new Error("away");
  renderInMantine(<PayoutsPage />);
  screen.getByRole("heading", { name: "Your transactions could not be loaded" });
  press("Retry");
  expect(server.refetch).toHaveBeenCalledOnce();
  screen.getByRole("button", { name: "Download statement" });
  screen.getByRole("button", { name: "Download documents" });
  screen.getByRole("button", { name: "Export all" });
});
