import { act, cleanup, fireEvent, renderHook, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { paths } from "#platform/site-paths.rules.ts";
import { addDays, describeDay, formatWeekdayDate, formatMonthOf, localToday } from "../../lib/format/dates.ts";
import { makeCheck, apiError, booking, calls, fill, openForm, press, price } from "./test-booking-form.tsx";

// The shows of this file are in 2027.
beforeEach(() => void vi.setSystemTime(new Date("2026-11-29T12:00:00Z")));

test("disables the form for a booked date, offers free ones, and checks a chosen one", async () => {
  calls.check.mockResolvedValue(
    makeCheck("taken", "Saturday 20 February 2027 is taken. Electric Dreams is booked at that time.", [
      { date: "2027-02-21", reason: "the day after" },
    ]),
  );
  await openForm("2027-02-20");
  await screen.findByText("Saturday 20 February 2027 is taken.");
  for (const button of screen.getAllByRole("button", { name: "Request booking" }))
    expect(button).toHaveProperty("disabled", true);
  calls.check.mockResolvedValue(makeCheck("free", "Sunday 21 February 2027 is free."));
  const nearest = screen.getByRole("button", { name: /Sun 21 Feb/ });
  nearest.focus();
  fireEvent.click(nearest);
  expect(document.activeElement).toBe(screen.getByLabelText("Event date"));
  screen.getByLabelText("Event date").blur();
  await screen.findByText("Sunday 21 February 2027 is free.");
  expect(screen.getByLabelText("Event date")).toHaveProperty("value", "Sun 21 Feb 2027");
  for (const button of screen.getAllByRole("button", { name: "Request booking" }))
    expect(button).toHaveProperty("disabled", false);
});

test.each([
  ["taken", "Saturday 20 February 2027 is taken.", "Nearest free dates"],
  ["closed", "Electric Dreams does not play on Saturday 20 February 2027.", "Nearest free dates"],
  ["too_soon", "Saturday 20 February 2027 has passed.", "First possible dates"],
] as const)("shows for a date from the address that is %s, without input, what else is possible", async (...given) => {
  const [state, message, title] = given;
  const check = Promise.withResolvers();
  calls.check.mockReturnValue(check.promise);
  await openForm("2027-02-20");
  await waitFor(() => expect(calls.check).toHaveBeenCalled());
  screen.getByText("We are checking whether Electric Dreams is available on Saturday 20 February.");
  expect(screen.queryByText(/^Choose a date to see/)).toBeNull();
  check.resolve(makeCheck(state, message, [{ date: "2027-02-21", reason: "the day after" }]));
  await screen.findByText(message);
  within(screen.getByRole("group", { name: title })).getByRole("button", { name: /Sun 21 Feb/ });
  expect(screen.getByLabelText("Event date").getAttribute("aria-invalid")).toBe("true");
  screen.getByRole("link", { name: "See the whole calendar" });
});

test("names the year of a last possible date that could be read as a past one", async () => {
  const last = addDays(localToday(), 364);
  const check = makeCheck("too_far", "The date is more than 365 days ahead.", [{ date: last, reason: "the last" }]);
  calls.check.mockResolvedValue(check);
  await openForm(addDays(last, 3), { hold_days: 7 });
  const choices = await screen.findByRole("group", { name: "Last possible dates" });
  within(choices).getByRole("button", { name: new RegExp(last.slice(0, 4)) });
});

test("shows a result that arrives while a button is pressed after its click, because it moves the button", async () => {
  const check = Promise.withResolvers();
  calls.check.mockReturnValue(check.promise);
  await openForm("2027-02-20");
  await waitFor(() => expect(calls.check).toHaveBeenCalled());
  const [button] = screen.getAllByRole("button", { name: "Request booking" });
  if (!button) throw new Error("the button is missing");
  fireEvent.pointerDown(button);
  await act(async () => check.resolve(makeCheck("free", "Saturday 20 February 2027 is free.")));
  expect(screen.queryByText("Saturday 20 February 2027 is free.")).toBeNull();
  fireEvent.pointerUp(button);
  await screen.findByText("Saturday 20 February 2027 is free.");
});

test("requests a time if the date of today is already partly over", async () => {
  calls.check.mockResolvedValue(makeCheck("incomplete", "Choose a time to see whether it is free."));
  await openForm("2027-02-20");
  expect(await screen.findByText("Choose a time to see whether it is free.")).toBeTruthy();
});

test("marks a booked date at its field, shows no deposit, and links to the whole calendar", async () => {
  calls.check.mockResolvedValue(makeCheck("taken", "Saturday 20 February 2027 is taken."));
  await openForm("2027-02-20");
  await screen.findByText("Saturday 20 February 2027 is taken.");
  expect(screen.getByLabelText("Event date").getAttribute("aria-invalid")).toBe("true");
  expect(screen.queryByText(/Deposit now/)).toBeNull();
  expect(screen.getByRole("link", { name: "See the whole calendar" }).getAttribute("href")).toBe(
    "/artist/electric-dreams?date=2027-02-20#availability",
  );
});

test("starts with the date and the town of a search, and prefers a venue that was already typed", async () => {
  await openForm("2027-02-13", {}, "Austin, Texas");
  const location = screen.getByLabelText<HTMLInputElement>("Event location");
  await waitFor(() => expect(location.value).toBe("Austin, Texas"));
  await waitFor(() =>
    expect(calls.check).toHaveBeenLastCalledWith(
      expect.objectContaining({ eventDate: "2027-02-13", eventLocation: "Austin, Texas" }),
    ),
  );
  fill({ "Event location": "The Waterworks, Austin" });
  cleanup();
  await openForm("2027-02-13", {}, "Austin, Texas");
  await waitFor(() =>
    expect(screen.getByLabelText("Event location")).toHaveProperty("value", "The Waterworks, Austin"),
  );
});

test("selects a date in the field's calendar, which opens on the first free weekend", async () => {
  const first = addDays(localToday(), 7);
  const taken = Array.from({ length: 40 }, (_, at) => ({ date: addDays(first, at), state: "booked" as const }));
  await openForm("", { taken });
  expect(screen.queryByRole("grid")).toBeNull();
  const field = screen.getByRole("combobox", { name: "Event date" });
  fireEvent.click(field);
  const free = weekendFrom(addDays(first, 40));
  const day = await screen.findByRole("button", { name: `${describeDay(free)}, free` });
  expect(screen.getByRole("heading", { name: formatMonthOf(free), level: 2 })).toBeTruthy();
  fireEvent.click(day);
  expect(field).toHaveProperty("value", formatWeekdayDate(free));
  expect(screen.queryByRole("grid")).toBeNull();
  expect(document.activeElement).toBe(field);
  await waitFor(() => expect(calls.check).toHaveBeenLastCalledWith(expect.objectContaining({ eventDate: free })));
});

const example = /^Enter a date such as \d+ \w{3} \d{4}\.$/;

test("shows a message at the field for text that is not a date, and retains the text", async () => {
  await openForm();
  const field = screen.getByLabelText("Event date");
  fireEvent.input(field, { target: { value: "foo" } });
  fireEvent.blur(field);
  expect(await screen.findByText(example)).toBeTruthy();
  expect(field).toHaveProperty("value", "foo");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  fireEvent.input(field, { target: { value: "13 Feb 2027" } });
  await waitFor(() => expect(screen.queryByText(example)).toBeNull());
});

const weekendFrom = (day: string): string =>
  [5, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay()) ? day : weekendFrom(addDays(day, 1));

test("moves from a typed date into the calendar by arrow down, and back by Escape", async () => {
  const date = addDays(localToday(), 90);
  await openForm();
  fill({ "Event date": date });
  const field = screen.getByRole("combobox", { name: "Event date" });
  fireEvent.keyDown(field, { key: "ArrowDown" });
  const day = await screen.findByRole("button", { name: `${describeDay(date)}, free, chosen` });
  expect(field.getAttribute("aria-expanded")).toBe("true");
  await waitFor(() => expect(document.activeElement).toBe(day));
  fireEvent.keyDown(day, { key: "Escape" });
  expect(screen.queryByRole("grid")).toBeNull();
  expect(document.activeElement).toBe(field);
});

test("reads a date in words, checks it, and writes it in the standard form", async () => {
  await openForm();
  const field = screen.getByLabelText<HTMLInputElement>("Event date");
  field.focus();
  fill({ "Event date": "February 13, 2027" });
  await waitFor(() =>
    expect(calls.check).toHaveBeenLastCalledWith(expect.objectContaining({ eventDate: "2027-02-13" })),
  );
  field.blur();
  await waitFor(() => expect(field.value).toBe("Sat 13 Feb 2027"));
  fill({ "Event date": "some day" });
  press();
  await screen.findByText(example);
});

test("reads a date without a year as the next one where the venue is", async () => {
  vi.setSystemTime(new Date("2026-11-29T03:00:00Z"));
  await openForm();
  const field = screen.getByLabelText<HTMLInputElement>("Event date");
  fireEvent.focus(field);
  fireEvent.input(field, { target: { value: "28 Nov" } });
  field.focus();
  field.blur();
  // In Chicago it is still 28 November.
  await waitFor(() => expect(field.value).toBe("Sat 28 Nov 2026"));
  await waitFor(() =>
    expect(calls.check).toHaveBeenLastCalledWith(expect.objectContaining({ eventDate: "2026-11-28" })),
  );
});

test("shows when a set ends by the clocks of the venue, which change during it", async () => {
  await openForm("2027-03-13");
  fill({ "Event time": "00:30" });
  await screen.findByText("Leave empty for 3 hours, ends 03:30.");
  fill({ "Event date": "2027-03-14" });
  await screen.findByText("Leave empty for 3 hours, ends 04:30.");
  fill({ "Event date": "2027-11-07" });
  expect(await screen.findByText("Leave empty for 3 hours, ends 02:30.")).toBeTruthy();
});

test("does not disable the form if a date could not be checked", async () => {
  calls.check.mockRejectedValue(apiError("unavailable", 503, "This took too long and was stopped."));
  await openForm("2027-02-13");
  await screen.findByText(/could not be checked just now: This took too long/);
  for (const button of screen.getAllByRole("button", { name: "Request booking" }))
    expect(button).toHaveProperty("disabled", false);
});

const losses = () => {
  const list = screen.getByRole("heading", { name: "If you cancel, you lose" }).parentElement?.querySelector("dl");
  return Array.from(list?.children ?? [], ({ textContent }) => textContent);
};

test("shows the rules of the balance and of canceling without a date, and their days with one", async () => {
  calls.check.mockResolvedValue(makeCheck("incomplete", "Choose a date to see whether it is free."));
  await openForm();
  await waitFor(() => expect(calls.check).toHaveBeenCalled());
  expect(screen.getByText("Balance, 28 days before")).toBeTruthy();
  expect(losses()).toEqual([
    "Within 48 hours of paying the deposit, 14 days or more beforenothing",
    "29 days or more beforethe deposit",
    "14 to 28 days beforethe deposit and 50% of the balance",
    "Less than 14 days beforethe whole price",
  ]);
  const free = makeCheck("free", "Saturday 13 February 2027 is free.");
  calls.check.mockResolvedValue({ ...free, price: { ...price, balance_due: "2027-01-16" } });
  fill({ "Event date": "2027-02-13" });
  await screen.findByText("Balance, due 16 January");
  expect(losses()).toEqual([
    "Within 48 hours of paying the deposit$0",
    "Until 15 January$375",
    "Until 30 January$937.50",
    "Later$1,500",
  ]);
  screen.getByText(/^Standard cancellation policy\. You never lose more than you have paid by then\.$/);
  calls.check.mockResolvedValue(makeCheck("taken", "Sunday 14 February 2027 is taken."));
  fill({ "Event date": "2027-02-14" });
  await screen.findByText("Sunday 14 February 2027 is taken.");
  expect(losses()?.[0]).toBe("29 days or more beforethe deposit");
});

test("shows the end of a hold in the event's time zone, and names the zone", async () => {
  const held = makeCheck("held", "Saturday 13 February is on hold; free again after 02:20 (US Central).");
  calls.check.mockResolvedValue({ ...held, date: { ...held.date, held_until: "2026-11-21T08:20:00.000Z" } });
  await openForm("2027-02-13");
  expect(await screen.findByText(/free again after 02:20 \(US Central\)/)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Join the queue" })).toBeNull();
});

test("offers a hold before the date, for a free one, and the queue of one on hold, if the artist accepts holds", async () => {
  const form = paths.promoterArea.newHold("electric-dreams", "2027-02-13");
  calls.check.mockResolvedValue(makeCheck("incomplete", "Choose a date to see whether it is free."));
  await openForm("", { hold_days: 7 });
  const any = await screen.findByRole("link", { name: "Hold a night while you decide" });
  expect(any.getAttribute("href")).toBe(paths.promoterArea.newHold("electric-dreams"));
  calls.check.mockResolvedValue(makeCheck("free", "Saturday 13 February 2027 is free."));
  fill({ "Event date": "2027-02-13" });
  const free = await screen.findByRole("link", { name: "Hold this night while you decide" });
  expect(free.getAttribute("href")).toBe(form);
  calls.check.mockResolvedValue(makeCheck("held", "Saturday 13 February is on hold."));
  fill({ "Event time": "21:00" });
  const queue = await screen.findByRole("link", { name: "Join the queue" });
  expect(queue.getAttribute("href")).toBe(form);
  const late = makeCheck("held", "Saturday 13 February is on hold.");
  calls.check.mockResolvedValue({ ...late, date: { ...late.date, night: "2027-02-12" } });
  fill({ "Event time": "01:00" });
  const before = paths.promoterArea.newHold("electric-dreams", "2027-02-12");
  await waitFor(() => expect(queue.getAttribute("href")).toBe(before));
  calls.check.mockReturnValue(Promise.withResolvers().promise);
  fill({ "Event date": "2027-02-20" });
  expect(queue.getAttribute("href")).toBe(paths.promoterArea.newHold("electric-dreams", "2027-02-20"));
});

test("marks a nonexistent time at its field, and offers the next valid one", async () => {
  const missing = makeCheck("invalid_time", "02:30 does not exist on Sunday 14 March. The next valid time is 03:00.");
  const next = { date: "2027-03-14", time: "03:00" };
  calls.check.mockResolvedValue({ ...missing, date: { ...missing.date, next_valid: next } });
  await openForm("2027-03-14");
  fill({ "Event time": "02:30" });
  await screen.findByText("02:30 does not exist on Sunday 14 March.");
  expect(screen.getByLabelText("Event time").getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText("Choose a valid time to continue.")).toBeTruthy();
  calls.check.mockResolvedValue(makeCheck("free", "Sunday 14 March is free."));
  fireEvent.click(screen.getByRole("button", { name: /03:00/ }));
  await screen.findByText("Sunday 14 March is free.");
  expect(screen.getByLabelText("Event time")).toHaveProperty("value", "03:00");
  expect(screen.getByLabelText("Event time").getAttribute("aria-invalid")).toBeNull();
});

test("links a date that the visitor booked to the booking", async () => {
  const own = makeCheck("own_booking", "You have booked Electric Dreams for Saturday 13 February 2027, 20:30.");
  calls.check.mockResolvedValue({ ...own, date: { ...own.date, booking_id: booking.id } });
  await openForm("2027-02-13");
  const link = await screen.findByRole("link", { name: "Open the booking" });
  expect(link.getAttribute("href")).toBe(`/booking/${booking.id}`);
  expect(screen.getByLabelText("Event date").getAttribute("aria-invalid")).toBeNull();
});

test("reports a check whose script cannot be loaded as failed", async () => {
  vi.resetModules();
  vi.doMock("../../lib/api/browser-api.ts", () => {
    throw new Error("Failed to fetch dynamically imported module");
  });
  onTestFinished(() => void vi.doMock("../../lib/api/browser-api.ts", () => ({ browserApi: { bookings: calls } })));
  const { useDateCheck } = await import("./use-date-check.ts");
  const request = { clientEmail: "", eventDate: "2027-02-13", eventTime: "", duration: "", eventLocation: "" };
  const { result } = renderHook(() => useDateCheck("electric-dreams", { ...request, eventType: "" }));
  await waitFor(() => expect(result.current.failed).toMatch(/could not be reached/));
});
