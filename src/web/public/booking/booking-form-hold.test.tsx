import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { paths } from "#platform/site-paths.rules.ts";
import { apiError, booking, calls, makeCheck, openForm, usePhone } from "./test-booking-form.tsx";

// The shows of this file are in 2027.
beforeEach(() => void vi.setSystemTime(new Date("2026-11-29T12:00:00Z")));

const ownHold = (open: boolean, stays_on_hold = false) => ({
  ...makeCheck("own_hold", "You already hold Saturday 13 February 2027, 20:30."),
  own_hold: {
    booking_id: booking.id,
    event_date: booking.event_date,
    event_time: booking.event_time,
    venue_name: booking.venue_name,
    time_zone: "America/Chicago",
    open_until: "2027-01-02T20:31:00Z",
    open,
    stays_on_hold,
    message: "",
  },
});

test("states that the visitor's ranked hold of the night stays when the checkout is released or ends", async () => {
  calls.check.mockResolvedValue(ownHold(true, true));
  await openForm("2027-02-13");
  fireEvent.click(await screen.findByRole("button", { name: "Release hold" }));
  const dialog = within(screen.getByRole("dialog", { name: "Release hold" }));
  dialog.getByText(/^The checkout for Electric Dreams is canceled\. .*Your hold of Saturday 13 February stays\./);
  calls.releaseOwnHold.mockResolvedValue({ id: booking.id, released: true });
  calls.check.mockResolvedValue(ownHold(false, true));
  fireEvent.click(dialog.getByRole("button", { name: "Release hold" }));
  await screen.findByText("Nothing was charged. Your hold of the night stays.");
  await screen.findByText(/The Waterworks.*\. Nothing was charged\. Your hold of the night stays\./);
});

test("shows the visitor's own hold on a phone once, in its notice", async () => {
  usePhone();
  calls.check.mockResolvedValue(ownHold(true));
  await openForm("2027-02-13");
  await screen.findByRole("heading", { name: /^You are holding/ });
  expect(screen.queryByText(/You already hold/)).toBeNull();
});

test("releases the visitor's own open checkout after a confirmation, and checks the date again", async () => {
  calls.check.mockResolvedValue(ownHold(true));
  await openForm("2027-02-13");
  await screen.findByRole("heading", { name: /You are holding Saturday 13 February/ });
  expect(screen.queryByRole("button", { name: "Request booking" })).toBeNull();
  calls.releaseOwnHold.mockResolvedValue({ id: booking.id, released: true });
  calls.check.mockResolvedValue(makeCheck("free", "Saturday 13 February 2027 is free."));
  fireEvent.click(screen.getByRole("button", { name: "Release hold" }));
  const dialog = within(screen.getByRole("dialog", { name: "Release hold" }));
  dialog.getByText(/^The checkout for Electric Dreams is canceled and Saturday 13 February is available to others/);
  fireEvent.click(dialog.getByRole("button", { name: "Keep hold" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(calls.releaseOwnHold).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Release hold" }));
  fireEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Release hold" }));
  await screen.findByText("The hold is released");
  expect(calls.releaseOwnHold).toHaveBeenCalledWith({ id: booking.id });
  await screen.findByText("Saturday 13 February 2027 is free.");
  expect(screen.queryByRole("button", { name: "Continue to payment" })).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText("Event date"));
});

test("continues an open checkout, and shows the server's error", async () => {
  calls.check.mockResolvedValue(ownHold(true));
  await openForm("2027-02-13");
  calls.createContractAndCheckout.mockRejectedValueOnce(apiError("conflict", 409, "The deposit is already paid."));
  const continued = await screen.findByRole("button", { name: "Continue to payment" });
  const filled = screen.getAllByRole("button").filter(({ className }) => /\bbtn\b(?!.*\bline\b)/.test(className));
  expect(filled).toEqual([continued]);
  fireEvent.click(continued);
  expect((await screen.findByRole("alert")).textContent).toContain("The deposit is already paid.");
  expect(calls.createContractAndCheckout).toHaveBeenCalledWith({ booking_id: booking.id });
  expect(screen.getByRole("button", { name: "Continue to payment" }).getAttribute("aria-busy")).toBeNull();
  // The deposit was paid in the meantime: no checkout is left to open.
  calls.createContractAndCheckout.mockResolvedValueOnce({ checkout_url: null });
  calls.check.mockClear();
  fireEvent.click(continued);
  await waitFor(() => expect(calls.check).toHaveBeenCalled());
  await waitFor(() => expect(continued.getAttribute("aria-busy")).toBeNull());
});

test("links the dates that the visitor already holds, if they are too many", async () => {
  const many = makeCheck("too_many_holds", "You are holding 2 dates already. Pay for one of them or release it.");
  const open_checkouts = [{ slug: "glass-cathedral", name: "Glass Cathedral", event_date: "2027-03-14" }];
  calls.check.mockResolvedValue({ ...many, date: { ...many.date, open_checkouts } });
  await openForm("2027-02-13");
  const link = await screen.findByRole("link", { name: "Sun 14 Mar, Glass Cathedral: pay or release" });
  expect(link.getAttribute("href")).toBe(paths.book("glass-cathedral", "2027-03-14"));
  screen.getByText("Release one of your dates to continue.");
});

test("offers only to release an expired checkout", async () => {
  calls.check.mockResolvedValue(ownHold(false));
  await openForm("2027-02-13");
  await screen.findByRole("heading", { name: /has ended/ });
  expect(screen.queryByRole("button", { name: "Continue to payment" })).toBeNull();
  expect(screen.getByRole("button", { name: "Release hold" })).toBeDefined();
});
