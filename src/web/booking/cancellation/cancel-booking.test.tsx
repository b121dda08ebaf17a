import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { currentToasts } from "../../lib/toasts.ts";
import type { BookingResponse } from "../status/progress.ts";
import { noPermissions, shownBooking } from "../test-booking.ts";
import { CancelBooking } from "./cancel-booking.tsx";

const calls = vi.hoisted(() => ({ cancellation: vi.fn(), cancel: vi.fn() }));
vi.mock("../../lib/api/browser-api.ts", () => ({ browserApi: { bookings: calls } }));

const { id } = shownBooking;
const figures = {
  refund_cents: 56_250,
  artist_keeps_cents: 93_750,
  waiting_cents: 0,
  commission_cents: 0,
  currency: "usd",
  valid_until: "2027-01-31T06:00:00.000Z",
  steps: [
    { until: "2027-01-31T06:00:00.000Z", refund_cents: 56_250, artist_keeps_cents: 93_750 },
    { until: "2027-02-14T02:30:00.000Z", refund_cents: 0, artist_keeps_cents: 150_000 },
  ],
};
const changed = vi.fn();

beforeEach(() => vi.resetAllMocks());
// The shows of this file are in 2027.
beforeEach(() => void vi.setSystemTime(new Date("2026-11-29T12:00:00Z")));

async function open(more: Partial<BookingResponse> = {}) {
  render(
    <CancelBooking
      booking={{ ...shownBooking, can: { ...noPermissions, cancel: true }, ...more }}
      onChanged={changed}
    />,
  );
  fireEvent.click(screen.getByRole("button", { name: "Cancel Booking" }));
  return within(await screen.findByRole("dialog", { name: "Cancel this booking?" }));
}

test("shows the promoter three exact amounts and the days ahead, and cancels with exactly that refund", async () => {
  calls.cancellation.mockResolvedValue(figures);
  calls.cancel.mockResolvedValue({});
  const dialog = await open({ completion_block: "objection" });
  await dialog.findByText(/what happens with the \$1,500 that you have paid/);
  dialog.getByText("The artist objects to the contract.");
  // The amount appears as a figure, at the line, and in the table row.
  expect(dialog.getAllByText("$562.50")).toHaveLength(3);
  expect(dialog.getByText("the show")).toBeTruthy();
  expect(dialog.getByText("$0", { selector: "dd" })).toBeTruthy();
  expect(dialog.getAllByRole("row")).toHaveLength(3);
  await userEvent.selectOptions(dialog.getByLabelText("Reason"), "The date has moved");
  await userEvent.type(dialog.getByLabelText(/What the artist should know/), "Moved to autumn.");
  fireEvent.click(dialog.getByRole("button", { name: "Cancel Booking, get $562.50" }));
  await waitFor(() => expect(changed).toHaveBeenCalledOnce());
  expect(calls.cancel).toHaveBeenCalledWith({
    id,
    code: "date_changed",
    note: "Moved to autumn.",
    expected_refund_cents: 56_250,
  });
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("does not cancel by Enter in the optional note", async () => {
  calls.cancellation.mockResolvedValue(figures);
  const dialog = await open();
  const note = await dialog.findByLabelText<HTMLTextAreaElement>(/What the artist should know/);
  await userEvent.type(note, "Sorry{Enter}Next year");
  expect(note.value).toBe("Sorry\nNext year");
  expect(calls.cancel).not.toHaveBeenCalled();
});

test("shows changed amounts, retains the input, and cancels nothing", async () => {
  calls.cancellation.mockResolvedValue(figures);
  const now = { ...figures, refund_cents: 0, artist_keeps_cents: 150_000 };
  const body = {
    code: "conflict",
    message: "The amounts have changed. Review them again.",
    data: now,
  };
  calls.cancel.mockRejectedValue(Object.assign(new Error("conflict"), { status: 409, code: "conflict", data: body }));
  const dialog = await open();
  await userEvent.type(await dialog.findByLabelText(/What the artist should know/), "Sorry");
  fireEvent.click(dialog.getByRole("button", { name: "Cancel Booking, get $562.50" }));
  await dialog.findByRole("button", { name: "Cancel Booking" });
  dialog.getByText("Nothing is refunded.");
  expect(dialog.queryByText(/to the card it was paid with/)).toBeNull();
  expect(dialog.getByRole("alert").textContent).toContain("The amounts have changed");
  expect(dialog.getByLabelText<HTMLTextAreaElement>(/What the artist should know/).value).toBe("Sorry");
  expect(changed).not.toHaveBeenCalled();
});

test("retains the input after a payment that has just arrived, and shows the new amounts", async () => {
  const now = { ...figures, refund_cents: 75_000, artist_keeps_cents: 75_000 };
  calls.cancellation.mockResolvedValueOnce(figures).mockResolvedValueOnce(now);
  const body = { code: "conflict", message: "A payment has just arrived. Review the amounts, then try again." };
  calls.cancel.mockRejectedValue(Object.assign(new Error("conflict"), { status: 409, code: "conflict", data: body }));
  const dialog = await open();
  await userEvent.type(await dialog.findByLabelText(/What the artist should know/), "Sorry");
  fireEvent.click(dialog.getByRole("button", { name: "Cancel Booking, get $562.50" }));
  await dialog.findByRole("button", { name: "Cancel Booking, get $750" });
  expect(dialog.getByRole("alert").textContent).toContain("Review the amounts, then try again.");
  expect(dialog.getByLabelText<HTMLTextAreaElement>(/What the artist should know/).value).toBe("Sorry");
  expect(changed).not.toHaveBeenCalled();
});

test("closes and reloads the booking if it is already canceled", async () => {
  calls.cancellation.mockResolvedValue(figures);
  const body = { code: "conflict", message: "This booking is already canceled.", data: { status: "canceled" } };
  calls.cancel.mockRejectedValue(Object.assign(new Error("conflict"), { status: 409, code: "conflict", data: body }));
  const dialog = await open();
  fireEvent.click(await dialog.findByRole("button", { name: "Cancel Booking, get $562.50" }));
  await waitFor(() => expect(changed).toHaveBeenCalledOnce());
  expect(screen.queryByRole("dialog")).toBeNull();
  const toast = { tone: "done", title: "The booking has changed", text: "This booking is already canceled." };
  expect(currentToasts().at(-1)).toMatchObject(toast);
});

test("shows the amounts once if they stay the same until the show", async () => {
  calls.cancellation.mockResolvedValue({ ...figures, steps: figures.steps.slice(-1) });
  const dialog = await open();
  await dialog.findByRole("button", { name: /get \$562.50/ });
  expect(dialog.queryByRole("table")).toBeNull();
});

test("shows an error instead of zero amounts if loading fails, and retries", async () => {
  calls.cancellation.mockRejectedValueOnce(new TypeError("Failed to fetch")).mockResolvedValueOnce(figures);
  const dialog = await open();
  await dialog.findByText(/could not be reached.*Nothing was changed/);
  expect(dialog.queryByText(/\$/)).toBeNull();
  fireEvent.click(dialog.getByRole("button", { name: "Retry" }));
  await dialog.findByRole("button", { name: /get \$562.50/ });
});

test("shows the artist the promoter's refund and the commission", async () => {
  calls.cancellation.mockResolvedValue({ ...figures, artist_keeps_cents: 84_375, commission_cents: 9_375 });
  const dialog = await open({ viewer: "artist" });
  await dialog.findByText("Refund to the payer", { selector: "dt" });
  dialog.getByText("You keep", { selector: "dt" });
  expect(dialog.getByText("$93.75", { selector: "dd" })).toBeTruthy();
  expect(dialog.getByRole("button", { name: "Cancel Booking, refund $562.50" })).toBeTruthy();
  expect(dialog.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    "I cannot perform that night",
    "Another reason",
  ]);
  expect(
    dialog.getByText(
      /^We block this night in your calendar and end its holds, requests and checkouts,.* Other booked shows stay\./,
    ),
  ).toBeTruthy();
  await userEvent.selectOptions(dialog.getByLabelText("Reason"), "Another reason");
  expect(dialog.queryByText(/We block this night/)).toBeNull();
});

test("ends an unpaid request without amounts", async () => {
  calls.cancellation.mockResolvedValue({ ...figures, refund_cents: 0, artist_keeps_cents: 0, steps: [] });
  const dialog = await open();
  await dialog.findByText(/Nothing has been paid, so nothing is refunded/);
  expect(dialog.queryByRole("table")).toBeNull();
  expect(dialog.getByRole("button", { name: "Cancel Booking" })).toBeTruthy();
});

test("states which part of the refund a dispute delays", async () => {
  calls.cancellation.mockResolvedValue({ ...figures, waiting_cents: 37_500 });
  const dispute = { open_cents: 37_500, withheld_cents: 37_500, lost_cents: 0 };
  const dialog = await open({ money: { ...shownBooking.money, dispute } });
  await dialog.findByText(/withholds \$375 of it\. \$187\.50 is refunded now\. \$375 waits until/);
  expect(dialog.queryByText(/5 to 10 days/)).toBeNull();
});

test("preselects for an admin a reason that blames neither party, and states that the terms do not apply", async () => {
  calls.cancellation.mockResolvedValue(figures);
  calls.cancel.mockResolvedValue({});
  const dialog = await open({ viewer: "admin" });
  await dialog.findByText(/the cancellation terms do not apply/);
  expect(dialog.queryByText(/^by the cancellation terms/)).toBeNull();
  fireEvent.click(await dialog.findByRole("button", { name: "Cancel Booking, refund $562.50" }));
  await waitFor(() => expect(calls.cancel).toHaveBeenCalledWith(expect.objectContaining({ code: "plans_changed" })));
  await waitFor(() => expect(currentToasts().at(-1)?.text).toBe("We notify both parties."));
});
