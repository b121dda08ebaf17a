import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { makeCheck, apiError, calls, fill, filled, openForm, press, usePhone } from "./test-booking-form.tsx";

// The shows of this file are in 2027.
beforeEach(() => void vi.setSystemTime(new Date("2026-11-29T12:00:00Z")));

test("shows the result at the date field on a phone, with one submit button", async () => {
  usePhone();
  calls.check.mockResolvedValue(makeCheck("free", "Saturday 13 February 2027 is free."));
  await openForm("2027-02-13");
  const message = await screen.findByText("Saturday 13 February 2027 is free.");
  expect(message.closest("fieldset")?.contains(screen.getByLabelText("Event date"))).toBe(true);
  expect(screen.getAllByRole("button", { name: "Request booking" })).toHaveLength(1);
});

test("shows at the date field on a phone that the check failed, and no deposit for a date that cannot be booked", async () => {
  usePhone();
  calls.check.mockRejectedValue(apiError("unavailable", 503, "This took too long and was stopped."));
  await openForm("2027-02-20");
  const failed = await screen.findByText(/could not be checked just now: This took too long/);
  expect(failed.closest("fieldset")?.contains(screen.getByLabelText("Event date"))).toBe(true);
  expect(screen.queryByText(/^We are checking/)).toBeNull();
  expect(screen.queryByText("choose a date")).toBeNull();
  calls.check.mockResolvedValue(makeCheck("taken", "Sunday 21 February 2027 is taken."));
  fill({ "Event date": "2027-02-21" });
  await screen.findByText("21 February is taken");
  expect(screen.queryByText("$375 deposit")).toBeNull();
});

test("does not call a date free on a phone while a later check of the same request fails", async () => {
  usePhone();
  calls.check.mockResolvedValue(makeCheck("free", "Free."));
  await openForm("2027-02-13");
  fill(filled);
  await waitFor(() => expect(calls.check.mock.lastCall?.[0]).toMatchObject({ clientEmail: filled.Email }));
  await screen.findByText("13 February is free");
  calls.request.mockRejectedValueOnce(new TypeError("network"));
  calls.check.mockRejectedValue(new TypeError("network"));
  press();
  await screen.findByText(/could not be checked just now/);
  screen.getByText("13 February");
  screen.getByText("$375 deposit");
  expect(screen.queryByText("13 February is free")).toBeNull();
});

test("does not call a date free on a phone before it is checked", async () => {
  usePhone();
  calls.check.mockResolvedValue(makeCheck("free", "Free."));
  await openForm("2027-02-13");
  await screen.findByText("13 February is free");
  calls.check.mockReturnValue(Promise.withResolvers().promise);
  fill({ "Event date": "2027-02-14" });
  screen.getByText("$375 deposit");
  expect(screen.getByText("14 February")).toBeTruthy();
});
