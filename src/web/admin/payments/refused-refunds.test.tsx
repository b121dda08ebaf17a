import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { renderInMantine } from "../../dashboard/test-providers.tsx";
import { RefusedRefunds } from "./refused-refunds.tsx";
import type { RefusedRefund } from "./use-refused-refunds.ts";

const server = vi.hoisted(() => ({
  list: {} as { data?: { items: RefusedRefund[] }; error?: unknown },
  retry: vi.fn(),
  settle: vi.fn(),
}));
vi.mock("./use-refused-refunds.ts", () => ({
  useRefusedRefunds: () => ({ ...server.list, isFetching: false, refetch: vi.fn() }),
  useRetryRefund: () => ({ mutateAsync: server.retry, isPending: false }),
  useRecordRefundPaidOutside: () => ({ mutateAsync: server.settle }),
}));

const refund: RefusedRefund = {
  id: "00000000-0000-4000-8000-0000000000aa",
  amount: 28_125,
  currency: "usd",
  error: "the card is gone",
  provider_payment: "pi_1",
  refused_at: "2026-11-21T12:00:00Z",
  can_retry: true,
  can_settle: true,
  booking_id: "00000000-0000-4000-8000-0000000000bb",
  booking_number: "SD-7KQ4MN",
  payer_name: "Hannah Whitt",
  payer_email: "hannah@example.test",
};

beforeEach(() => {
  vi.resetAllMocks();
  server.list = { data: { items: [refund] } };
});

test("renders nothing while no refund failed, and shows a failed request", async () => {
  server.list = { data: { items: [] } };
  const { unmount } = renderInMantine(<RefusedRefunds />);
  expect(screen.queryByRole("region", { name: "Failed refunds" })).toBeNull();
  unmount();
  server.list = { error: new TypeError("Failed to fetch") };
  renderInMantine(<RefusedRefunds />);
  await screen.findByRole("button", { name: "Retry" });
});

test("says to send a refund again that the provider may have made, and offers no other payment", async () => {
  server.list = { data: { items: [{ ...refund, can_settle: false }] } };
  renderInMantine(<RefusedRefunds />);
  const section = await screen.findByRole("region", { name: "Failed refunds" });
  expect(section.textContent).toContain("The payers are still owed the money, unless the provider has sent it.");
  const line = within(section).getByRole("listitem");
  expect(line.textContent).toContain("The provider may have made it. Send it again");
  expect(within(line).getAllByRole("button")).toEqual([screen.getByRole("button", { name: "Send again" })]);
});

test("shows amount, payer, booking and reason, and does not offer to resend a refund that the bank returned", async () => {
  server.list = { data: { items: [refund, { ...refund, id: "b", can_retry: false, booking_id: null }] } };
  renderInMantine(<RefusedRefunds />);
  const lines = within(await screen.findByRole("region", { name: "Failed refunds" })).getAllByRole("listitem");
  for (const text of ["$281.25", "Hannah Whitt (hannah@example.test)", "SD-7KQ4MN", "the card is gone"])
    expect(lines[0]?.textContent).toContain(text);
  expect(lines[1]?.textContent).toContain("belongs to no booking");
  expect(lines.map(({ textContent }) => /failed|returned by the bank/.exec(textContent)?.[0])).toEqual([
    "failed",
    "returned by the bank",
  ]);
  const again = screen.getAllByRole("button", { name: "Send again" });
  expect(again).toHaveLength(1);
  fireEvent.click(again[0] as HTMLElement);
  await waitFor(() => expect(server.retry).toHaveBeenCalledWith({ id: refund.id }));
});

test("records a refund as paid outside the provider with a text of at least ten characters", async () => {
  renderInMantine(<RefusedRefunds />);
  fireEvent.click(await screen.findByRole("button", { name: "Paid outside the provider" }));
  const dialog = within(await screen.findByRole("dialog"));
  dialog.getByText(/^Record it here first, then pay \$281\.25 at once.*We notify the promoter how/);
  fireEvent.click(dialog.getByRole("button", { name: "Record" }));
  await dialog.findByText("Enter at least 10 characters.");
  await userEvent.type(dialog.getByLabelText(/How it is paid/), "Bank transfer of today.");
  fireEvent.click(dialog.getByRole("button", { name: "Record" }));
  const sent = { id: refund.id, how: "Bank transfer of today." };
  await waitFor(() => expect(server.settle).toHaveBeenCalledWith(sent));
});
