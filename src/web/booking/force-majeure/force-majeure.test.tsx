import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press } from "../../dashboard/test-providers.tsx";
import { currentToasts } from "../../lib/toasts.ts";
import type { BookingResponse } from "../status/progress.ts";
import { shownBooking } from "../test-booking.ts";
import { OpenProposal } from "./open-proposal.tsx";
import { ProposeForceMajeure } from "./propose-force-majeure.tsx";

const calls = vi.hoisted(() => ({ propose: vi.fn(), answer: vi.fn(), withdraw: vi.fn() }));
vi.mock("../../lib/api/browser-api.ts", () => ({ browserApi: { bookings: { forceMajeure: calls } } }));
const changed = vi.fn();

beforeEach(() => vi.resetAllMocks());

const { id } = shownBooking;
const agreement = { can_propose: true, paid_cents: 150_000, commission_bps: null, proposal: null };
const proposal = {
  id: "00000000-0000-4000-8000-0000000000aa",
  by: "artist" as const,
  reason: "The hall is under water.",
  refund_cents: 100_001,
  artist_keeps_cents: 49_999,
  commission_cents: null,
  expires_at: "2026-11-24T20:00:00Z",
  outdated: false,
  can_answer: true,
  can_withdraw: false,
};
const paid: BookingResponse = { ...shownBooking, status: "contract_signed" };
const figures = () =>
  screen.getAllByRole("definition").map((one) => `${one.previousSibling?.textContent} ${one.textContent}`);

test("shows the artist each side's share and the commission, and proposes a split with exactly that amount", async () => {
  calls.propose.mockResolvedValue({});
  const booking = { ...paid, viewer: "artist", force_majeure: { ...agreement, commission_bps: 1_000 } } as const;
  render(<ProposeForceMajeure booking={booking} onChanged={changed} />);
  press("Force Majeure");
  expect(figures()).toEqual(["Refunded $1,500", "You keep $0", "Commission $0"]);
  const dialog = within(await screen.findByRole("dialog", { name: "Force majeure: end by agreement?" }));
  await userEvent.click(dialog.getByRole("radio", { name: /Refund a part/ }));
  await userEvent.type(dialog.getByLabelText("Amount to refund"), "1000.01");
  expect(figures()).toEqual(["Refunded $1,000.01", "You keep $449.99", "Commission $50"]);
  fireEvent.click(dialog.getByRole("button", { name: "Propose refund, $1,000.01" }));
  await dialog.findByText("Enter at least 10 characters.");
  expect(calls.propose).not.toHaveBeenCalled();
  await userEvent.type(dialog.getByLabelText(/What happened/), proposal.reason);
  fireEvent.click(dialog.getByRole("button", { name: "Propose refund, $1,000.01" }));
  await waitFor(() => expect(changed).toHaveBeenCalledOnce());
  expect(calls.propose).toHaveBeenCalledWith({
    id,
    reason: proposal.reason,
    refund_cents: 100_001,
    expected_paid_cents: 150_000,
  });
});

test("rejects more than was paid before sending, and hides the commission from the promoter", async () => {
  render(<ProposeForceMajeure booking={{ ...paid, force_majeure: agreement }} onChanged={changed} />);
  press("Force Majeure");
  expect(figures()).toEqual(["Refunded $1,500", "Not refunded $0"]);
  screen.getByRole("button", { name: "Propose full refund, $1,500" });
  await userEvent.click(screen.getByRole("radio", { name: /Refund a part/ }));
  await userEvent.type(screen.getByLabelText("Amount to refund"), "1500.01");
  press("Propose");
  await screen.findByText("Enter an amount from 0 to $1,500.");
  expect(calls.propose).not.toHaveBeenCalled();
});

test("leaves the open form with its text when the booking can no longer end by agreement", async () => {
  const { rerender } = render(
    <ProposeForceMajeure booking={{ ...paid, force_majeure: agreement }} onChanged={changed} />,
  );
  press("Force Majeure");
  await userEvent.type(screen.getByLabelText(/What happened/), proposal.reason);
  rerender(<ProposeForceMajeure booking={{ ...paid, force_majeure: null }} onChanged={changed} />);
  expect(screen.getByLabelText<HTMLTextAreaElement>(/What happened/).value).toBe(proposal.reason);
});

test("warns a promoter who proposes less than a cancellation returns, and sends it after a second press", async () => {
  calls.propose.mockResolvedValue({});
  const money = { ...paid.money, if_canceled: { refund_cents: 100_000, until: null } };
  const booking = { ...paid, money, force_majeure: agreement };
  render(<ProposeForceMajeure booking={booking} onChanged={changed} />);
  press("Force Majeure");
  screen.getByText("If you cancel now, $1,000 is refunded.");
  expect(screen.queryByRole("alert")).toBeNull();
  await userEvent.type(screen.getByLabelText(/What happened/), proposal.reason);
  await userEvent.click(screen.getByRole("radio", { name: /Refund a part/ }));
  await userEvent.type(screen.getByLabelText("Amount to refund"), "900");
  expect(screen.getByRole("alert").textContent).toContain("That is $100 less than if you cancel now.");
  press("Propose refund, $900");
  expect(calls.propose).not.toHaveBeenCalled();
  fireEvent.click(await screen.findByRole("button", { name: "Propose $900 anyway" }));
  await waitFor(() => expect(calls.propose).toHaveBeenCalledWith(expect.objectContaining({ refund_cents: 90_000 })));
});

test("accepts a proposal in two steps with exactly the displayed amount, or refuses it", async () => {
  calls.answer.mockResolvedValue({});
  const booking = { ...paid, force_majeure: { ...agreement, can_propose: false, proposal } };
  render(<OpenProposal booking={booking} onChanged={changed} />);
  const section = within(screen.getByRole("region", { name: "Proposed end by agreement" }));
  section.getByText("$1,000.01 is refunded to the card it was paid with. $499.99 is not refunded.");
  fireEvent.click(section.getByRole("button", { name: "Accept" }));
  expect(calls.answer).not.toHaveBeenCalled();
  const confirm = section.getByRole("button", { name: "Accept and refund $1,000.01" });
  expect(document.activeElement).toBe(confirm);
  fireEvent.click(confirm);
  const sent = { id, proposal_id: proposal.id, expected_refund_cents: 100_001 };
  await waitFor(() => expect(calls.answer).toHaveBeenCalledWith({ ...sent, accept: true }));
  await waitFor(() => expect(changed).toHaveBeenCalledOnce());
  fireEvent.click(section.getByRole("button", { name: "Refuse" }));
  await waitFor(() => expect(calls.answer).toHaveBeenCalledWith({ ...sent, accept: false }));
  await waitFor(() => expect(currentToasts().some(({ title }) => title === "Proposal refused")).toBe(true));
});

test("offers only to refuse a proposal that a payment outdated, and its author only to withdraw it", async () => {
  const shown = (more: object): BookingResponse => ({
    ...paid,
    force_majeure: { ...agreement, proposal: { ...proposal, ...more } },
  });
  const { rerender } = render(<OpenProposal booking={shown({ outdated: true })} onChanged={changed} />);
  const names = () => screen.getAllByRole("button").map(({ textContent }) => textContent);
  expect(names()).toEqual(["Refuse"]);
  calls.withdraw.mockRejectedValue(apiError("conflict", "It is no longer open.", 409));
  rerender(<OpenProposal booking={shown({ can_answer: false, can_withdraw: true })} onChanged={changed} />);
  expect(names()).toEqual(["Withdraw"]);
  press("Withdraw");
  expect((await screen.findByRole("alert")).textContent).toContain("It is no longer open.");
});

test("divides nothing if nothing is paid, in the proposal and in the answer", async () => {
  calls.propose.mockResolvedValue({});
  const unpaid = { ...agreement, paid_cents: 0 };
  const { unmount } = render(<ProposeForceMajeure booking={{ ...paid, force_majeure: unpaid }} onChanged={changed} />);
  press("Force Majeure");
  screen.getByText("Nothing is paid yet, so the booking ends without a payment.");
  expect(screen.queryByRole("radio")).toBeNull();
  await userEvent.type(screen.getByLabelText(/What happened/), proposal.reason);
  press("Propose");
  await waitFor(() => expect(calls.propose).toHaveBeenCalledOnce());
  expect(calls.propose).toHaveBeenCalledWith(expect.objectContaining({ refund_cents: null, expected_paid_cents: 0 }));
  unmount();
  const nothing = { ...proposal, refund_cents: 0, artist_keeps_cents: 0 };
  render(<OpenProposal booking={{ ...paid, force_majeure: { ...unpaid, proposal: nothing } }} onChanged={changed} />);
  screen.getByText("Nothing is paid yet, so there is nothing to divide.");
  press("Accept");
  screen.getByRole("button", { name: "Accept and end the booking" });
});

test("shows why an answer was refused after the proposal is gone, and arms no later proposal", async () => {
  calls.answer.mockRejectedValue(apiError("conflict", "This proposal is no longer open.", 409));
  const withProposal = (shown: typeof proposal | null): BookingResponse => ({
    ...paid,
    force_majeure: { ...agreement, proposal: shown },
  });
  const { rerender } = render(<OpenProposal booking={withProposal(proposal)} onChanged={changed} />);
  press("Accept");
  press("Accept and refund $1,000.01");
  await waitFor(() => expect(changed).toHaveBeenCalledOnce());
  rerender(<OpenProposal booking={withProposal(null)} onChanged={changed} />);
  expect(screen.getByRole("alert").textContent).toContain("no longer open");
  const later = { ...proposal, id: "00000000-0000-4000-8000-0000000000bb" };
  rerender(<OpenProposal booking={withProposal(later)} onChanged={changed} />);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.queryByRole("button", { name: /^Accept and/ })).toBeNull();
});
