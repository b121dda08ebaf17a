import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { renderInMantine } from "../../dashboard/test-providers.tsx";
import { Unreconciled } from "./unreconciled.tsx";
import type { UnreconciledItem } from "./use-unreconciled.ts";

const server = vi.hoisted(() => ({
  list: {} as { data?: { items: unknown[] }; error?: unknown },
  match: {} as { data?: unknown },
  apply: vi.fn(),
  sendBack: vi.fn(),
  explain: vi.fn(),
}));
vi.mock("./use-unreconciled.ts", () => ({
  useUnreconciled: () => ({ ...server.list, isFetching: false, refetch: vi.fn() }),
  useMatch: (_id: string, number: string) => (number === "" ? {} : server.match),
  useApplyItem: () => ({ mutateAsync: server.apply }),
  useReturnItem: () => ({ mutateAsync: server.sendBack }),
  useExplainItem: () => ({ mutateAsync: server.explain }),
}));

const item: UnreconciledItem = {
  id: "00000000-0000-4000-8000-0000000000aa",
  kind: "payment",
  what: "the provider received a payment that was not requested here",
  ref: "pi_1",
  amount: 37_500,
  currency: "usd",
  payment_kind: null,
  booking_number: null,
  payer_name: null,
  payer_email: null,
  occurred_at: "2026-11-21T12:00:00Z",
  first_seen_at: "2026-11-21T13:00:00Z",
};
const reason = "Paid by the link of our old shop.";

beforeEach(() => {
  vi.resetAllMocks();
  server.list = { data: { items: [item] } };
  server.match = {};
});
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("renders nothing while all items are reconciled, and shows a failed request", () => {
  server.list = { data: { items: [] } };
  const { unmount } = renderInMantine(<Unreconciled />);
  expect(screen.queryByRole("region", { name: "Unreconciled" })).toBeNull();
  unmount();
  server.list = { error: new TypeError("Failed to fetch") };
  renderInMantine(<Unreconciled />);
  expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
});

test("shows a payment's amount, time and reference, and books it only on a booking that is due exactly that amount", async () => {
  renderInMantine(<Unreconciled />);
  const line = within(screen.getByRole("region", { name: "Unreconciled" })).getByRole("listitem");
  for (const text of ["$375.00", "not requested here", "Since Sat 21 Nov", "pi_1"])
    expect(line.textContent).toContain(text);
  server.match = {
    data: {
      booking: { artist_name: "Electric Dreams", promoter_name: "Hannah Whitt", event_date: "2027-02-13" },
      kind: "deposit",
      reason: "This booking is due a deposit of $400.00, which is a different amount.",
    },
  };
  press("Assign to a booking");
  const dialog = within(await screen.findByRole("dialog"));
  const number = dialog.getByLabelText(/Number of the booking/);
  await userEvent.type(number, "123");
  await userEvent.tab();
  await dialog.findByText("A booking number looks like SD-7KQ4MN.");
  await userEvent.clear(number);
  await userEvent.type(number, "sd-7kq4mn");
  await dialog.findByText(/which is a different amount/);
  expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Assign" }).disabled).toBe(true);
  server.match = { data: { ...(server.match.data as object), reason: null } };
  await userEvent.type(dialog.getByLabelText(/The reason/), reason);
  await dialog.findByText("This pays its deposit, exactly.");
  fireEvent.click(dialog.getByRole("button", { name: "Assign" }));
  await waitFor(() => expect(server.apply).toHaveBeenCalledWith({ id: item.id, number: "SD-7KQ4MN", reason }));
});

test("names the booking and the payer of a payment whose record is missing, and offers that booking", async () => {
  const lost = { payment_kind: "deposit", booking_number: "SD-7KQ4MN", payer_name: "Hannah Whitt" } as const;
  server.list = { data: { items: [{ ...item, ...lost, payer_email: "hannah@example.test" }] } };
  renderInMantine(<Unreconciled />);
  await screen.findByText(/Deposit of SD-7KQ4MN, paid by Hannah Whitt \(hannah@example\.test\)/);
  press("Assign to a booking");
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByLabelText<HTMLInputElement>(/Number of the booking/).value).toBe("SD-7KQ4MN");
});

test("requires a reason to refund or explain, and offers a refund only for a payment", async () => {
  server.list = { data: { items: [item, { ...item, id: "b", kind: "transfer", ref: "tr_1" }] } };
  renderInMantine(<Unreconciled />);
  expect(screen.getAllByRole("button", { name: "Refund" })).toHaveLength(1);
  press("Refund");
  const dialog = within(await screen.findByRole("dialog"));
  fireEvent.click(dialog.getByRole("button", { name: "Refund $375.00" }));
  await dialog.findByText("Enter at least 10 characters.");
  expect(server.sendBack).not.toHaveBeenCalled();
  await userEvent.type(dialog.getByLabelText(/The reason/), reason);
  fireEvent.click(dialog.getByRole("button", { name: "Refund $375.00" }));
  await waitFor(() => expect(server.sendBack).toHaveBeenCalledWith({ id: item.id, reason }));
});
