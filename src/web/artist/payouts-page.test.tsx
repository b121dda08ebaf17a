/** The artist's Payouts & Earnings: figures, the three badges with their action, the freeze, and each payout with its reason. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useSearchParams } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { press, renderInMantine } from "../dashboard/test-providers.tsx";
import PayoutsPage from "./payouts-page.tsx";

const server = vi.hoisted(() => ({ open: vi.fn(), refresh: vi.fn(), refetch: vi.fn(), month: vi.fn(), more: vi.fn() }));
let answer: { data?: object; error: Error | null; isFetching: boolean };
vi.mock("../lib/api/own-payments.ts", () => ({
  usePayouts: (month: string) => {
    server.month(month);
    return {
      ...answer,
      refetch: server.refetch,
      more: answer.data && "nextCursor" in answer.data ? server.more : undefined,
    };
  },
  useOpenPaymentAccount: () => ({ mutateAsync: server.open, isPending: false }),
  useRefreshPaymentAccount: () => ({ mutate: server.refresh }),
}));
vi.mock("../dashboard/charts/month-bars.tsx", () => ({ default: () => null }));
beforeEach(() => vi.resetAllMocks());

const known = {
  currency: "usd",
  earnings_cents: 270_000,
  earnings: [{ currency: "usd", amount: 270_000 }],
  pending: [{ currency: "usd", amount: 135_000 }],
  pending_cents: 135_000,
  completed_count: 4,
  months: [{ month: "2027-02", earned_cents: 135_000, held_cents: 0 }],
  onboarding_status: "completed",
  frozen_until: null,
  can_connect: true,
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
  status: "pending",
  waits_for: "account",
  reversed_cents: 0,
  due_at: "2027-02-16T05:30:00Z",
  paid_at: null,
  sent: null,
  documents: [],
};

const Page = PayoutsPage as () => React.JSX.Element;
const open = (data: object) => {
  answer = { data: { ...known, ...data }, error: null, isFetching: false };
  renderInMantine(<Page />);
};

/** The page with a way to come back to it as the provider sends people. */
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
])("an account that is %s has its badge and its action", async (onboarding_status, badge, action) => {
  server.open.mockReturnValue(new Promise(() => undefined));
  open({ onboarding_status });
  screen.getByText(badge);
  fireEvent.click(screen.getByRole("button", { name: action }));
  await waitFor(() => expect(server.open).toHaveBeenCalledWith({}));
});

test("without a payment provider there is no button, and the schedule has the words of the specification", () => {
  open({ can_connect: false, onboarding_status: "not_started" });
  expect(screen.queryByRole("button", { name: /Stripe|Setup|Account/ })).toBeNull();
  screen.getByText("Payouts are automatic after events complete, typically within 2-7 business days.");
  screen.getByText("No transactions yet");
});

test("coming back from the provider asks once how the account stands, and clears the address", async () => {
  answer = { data: known, error: null, isFetching: false };
  const { container } = renderInMantine(<Returning />);
  press("come back");
  await waitFor(() => expect(server.refresh).toHaveBeenCalledTimes(1));
  await waitFor(() => expect(container.querySelector("output")?.textContent).toBe(""));
});

test("says until when payouts wait after a change of the bank account", () => {
  open({ frozen_until: "2027-02-19T05:30:00Z" });
  expect(screen.getByRole("status").textContent).toContain("For your safety payouts wait until");
});

test("each payout has its status and its reason", () => {
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
    "waits because the bank account was changed",
    "rejected by the payment provider, we are reviewing it",
  ]);
});

test("the payout of a canceled booking says that it is a cancellation fee", () => {
  open({ items: [item, { ...item, booking_id: item.booking_id.replace(/2$/, "3"), is_cancellation_fee: true }] });
  const [, paid, canceled] = within(screen.getByRole("table", { name: /transactions/ })).getAllByRole("row");
  expect(paid?.textContent).not.toContain("Cancellation fee");
  expect(canceled?.textContent).toContain("Sat 13 Feb 2027Cancellation fee");
});

test("a failed page says so with Retry, and shows no figure", () => {
  answer = { error: new Error("away"), isFetching: false };
  renderInMantine(<Page />);
  press("Retry");
  expect(server.refetch).toHaveBeenCalled();
  expect(screen.queryByText("$0.00")).toBeNull();
});

test("a row says gross, commission and net, each with two decimals, and what is taken off with its sign", () => {
  open({ items: [item] });
  const row = within(screen.getByRole("table", { name: /transactions/ })).getAllByRole("row")[1];
  const amounts = within(row ?? document.body)
    .getAllByRole("cell")
    .map((cell) => cell.textContent);
  expect(amounts.slice(3, 6)).toEqual(["$1,500.00", "−\u00a0$150.00", "$1,350.00"]);
});

test("filters by month, loads more and exports one year or everything", () => {
  open({ items: [item], nextCursor: "next" });
  fireEvent.change(screen.getByLabelText("Month of the event"), { target: { value: "2027-02" } });
  expect(server.month).toHaveBeenLastCalledWith({ month: "2027-02", sort: undefined });
  press("Load more");
  expect(server.more).toHaveBeenCalled();
  screen.getByRole("button", { name: "Yearly statement" });
  screen.getByRole("button", { name: "Export all" });
});
