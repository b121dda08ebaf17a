import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createElement } from "react";
import { createRoutesStub } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ArtistProfile } from "#artists/api.ts";
import { closeErrors } from "../../lib/toasts.ts";
import { Toaster } from "../../ui/toaster.tsx";
import { BookingForm } from "./booking-form.tsx";

const calls = vi.hoisted(() => ({
  check: vi.fn(),
  request: vi.fn(),
  createContractAndCheckout: vi.fn(),
  letGo: vi.fn(),
}));
const person = vi.hoisted(() => ({ bookingDefaults: vi.fn(), signedInUser: vi.fn() }));
vi.mock("../../lib/api/browser-api.ts", () => ({ browserApi: { bookings: calls, settings: person } }));
vi.mock("../../lib/auth/session.ts", () => person);

const artist: ArtistProfile = {
  id: "00000000-0000-4000-8000-000000000001",
  slug: "electric-dreams",
  name: "Electric Dreams",
  genre: "electronic",
  location: "Austin, Texas",
  photo_url: null,
  photo_image: null,
  picture_url: "/art/electric-dreams/poster.svg",
  base_rate: 150_000,
  top_rate: null,
  currency: "usd",
  rating: 4.9,
  review_count: 47,
  star_counts: [0, 0, 0, 5, 42],
  bio: "",
  video_url: null,
  years_experience: 8,
  specialties: [],
  equipment: [],
  time_zone: "America/Chicago",
  is_active: true,
  created_at: new Date(0),
  media: [],
  reviews: [],
  taken: [],
  similar: [],
  minimum_notice: 7,
  maximum_booking_days: 365,
  availability_note: "",
  requires_deposit: true,
  declined_kinds: [],
  contact: null,
};
const price = {
  fee_cents: 150_000,
  currency: "usd",
  deposit_percent: 25,
  deposit_cents: 37_500,
  balance_cents: 112_500,
  balance_due: null,
  policy_name: "standard",
};
const answer = (state: string, message: string, nearest: { date: string; reason: string }[] = []) => ({
  price,
  checkout: "deposit",
  date: { state, message, nearest, time_zone: "America/Chicago" },
});
const booking = {
  id: "00000000-0000-4000-8000-000000000002",
  event_date: "2027-02-13",
  event_time: "20:30",
  venue_name: "The Waterworks",
  promoter_email: "hannah@whitt.example",
};
const apiError = (code: string, status: number, message: string) =>
  Object.assign(new Error(message), { status, code, data: { code, message, requestId: "r-1" } });

const filled = {
  "Event date": "2027-02-13",
  "Event time": "20:30",
  "Event location": "The Waterworks, Austin",
  "Event type": "Wedding",
  "Full name": "Hannah Whitt",
  Email: "hannah@whitt.example",
  Phone: "+1 512 555 0148",
};

let sent: unknown;
beforeEach(() => {
  sent = undefined;
  calls.check.mockResolvedValue(answer("free", "Saturday 13 February 2027 is free."));
  calls.request.mockResolvedValue(booking);
  calls.createContractAndCheckout.mockResolvedValue({ checkout_url: null });
});
afterEach(() => {
  window.sessionStorage.clear();
  vi.unstubAllGlobals();
  act(closeErrors);
  for (const call of Object.values(calls)) call.mockReset();
});

async function openForm(date = "") {
  const Page = createRoutesStub([
    {
      path: "/",
      Component: () => (
        <>
          <BookingForm artist={artist} date={date} onSent={(stored) => (sent = stored)} />
          <Toaster />
        </>
      ),
    },
  ]);
  render(<Page />);
  await screen.findByLabelText("Full name");
}

const fill = (values: Record<string, string>) => {
  for (const [label, value] of Object.entries(values))
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
};
const press = () => {
  const form = document.querySelector("form");
  if (form) fireEvent.submit(form);
};

test("a form without answers is not sent; each missing one has its message, and the first has the focus", async () => {
  await openForm();
  press();
  expect(calls.request).not.toHaveBeenCalled();
  for (const label of Object.keys(filled))
    expect(screen.getByLabelText(label).getAttribute("aria-invalid"), label).toBe("true");
  expect(document.activeElement).toBe(screen.getByLabelText("Event date"));
});

test("without a checkout the form ends with the stored booking", async () => {
  await openForm();
  fill(filled);
  press();
  expect(await screen.findAllByRole("button", { name: "Submitting..." })).not.toHaveLength(0);
  await vi.waitFor(() => expect(sent).toEqual(booking));
  expect(calls.request.mock.lastCall?.[0]).toMatchObject({
    artistId: "electric-dreams",
    clientName: "Hannah Whitt",
    eventDate: "2027-02-13",
  });
  expect(calls.createContractAndCheckout).toHaveBeenCalledWith({ booking_id: booking.id });
});

test("an error is shown as the server wrote it, the form keeps everything and can be sent again as the same request", async () => {
  await openForm();
  fill(filled);
  calls.createContractAndCheckout.mockRejectedValueOnce(apiError("conflict", 409, "Saturday 13 February is taken."));
  press();
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Error");
  expect(alert.textContent).toContain("Saturday 13 February is taken.");
  expect(screen.getByLabelText("Full name")).toHaveProperty("value", "Hannah Whitt");
  expect(screen.getAllByRole("button", { name: "Request booking" })).not.toHaveLength(0);
  press();
  await vi.waitFor(() => expect(sent).toEqual(booking));
  expect(calls.request).toHaveBeenCalledTimes(1);
});

test("a request whose answer was lost is repeated under the same key; other answers are another request", async () => {
  await openForm();
  fill(filled);
  calls.request.mockRejectedValueOnce(new TypeError("network")).mockRejectedValueOnce(new TypeError("network"));
  press();
  await screen.findByRole("alert");
  press();
  await vi.waitFor(() => expect(calls.request).toHaveBeenCalledTimes(2));
  await screen.findByRole("alert");
  fill({ "Full name": "Hannah W. Whitt" });
  press();
  await vi.waitFor(() => expect(sent).toEqual(booking));
  const keys = calls.request.mock.calls.map(([body]: { formKey: string }[]) => body?.formKey);
  expect(keys[0]).toMatch(/^[\da-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

const consent =
  "Charge the balance of $1,125 automatically to the card that pays the deposit, once we have both signed.";
const consentBox = () => screen.findByRole("checkbox", { name: consent });

test("the automatic charge is a box that nobody has ticked, and what is sent is the text that was read", async () => {
  calls.check.mockResolvedValue({ ...answer("free", "Free."), balance_consent: consent });
  await openForm("2027-02-13");
  const box = await consentBox();
  expect(box).toHaveProperty("checked", false);
  // The form has its ten named fields and no other.
  expect(box.getAttribute("name")).toBeNull();
  fill(filled);
  press();
  await vi.waitFor(() => expect(calls.request).toHaveBeenCalledTimes(1));
  expect(calls.request.mock.lastCall?.[0]).not.toHaveProperty("balanceConsent");
});

test("a ticked box sends its text; another text is another question, and its box is empty", async () => {
  calls.check.mockResolvedValue({ ...answer("free", "Free."), balance_consent: consent });
  await openForm("2027-02-13");
  fill(filled);
  fireEvent.click(await consentBox());
  press();
  await vi.waitFor(() => expect(calls.request).toHaveBeenCalledTimes(1));
  expect(calls.request.mock.lastCall?.[0]).toMatchObject({ balanceConsent: consent });
  calls.check.mockResolvedValue({ ...answer("free", "Free."), balance_consent: "Charge another sum." });
  fill({ "Event date": "2027-02-14" });
  expect(await screen.findByRole("checkbox", { name: "Charge another sum." })).toHaveProperty("checked", false);
});

test("without a balance to charge there is no such box", async () => {
  calls.check.mockResolvedValue({ ...answer("free", "Saturday is free."), balance_consent: null });
  await openForm("2027-02-13");
  await screen.findByText("Saturday is free.");
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("a taken date closes the form and offers free ones; choosing one asks again", async () => {
  calls.check.mockResolvedValue(
    answer("taken", "Saturday 20 February 2027 is taken. Electric Dreams is booked at that time.", [
      { date: "2027-02-21", reason: "the day after" },
    ]),
  );
  await openForm("2027-02-20");
  await screen.findByText("Saturday 20 February 2027 is taken.");
  for (const button of screen.getAllByRole("button", { name: "Request booking" }))
    expect(button).toHaveProperty("disabled", true);
  calls.check.mockResolvedValue(answer("free", "Sunday 21 February 2027 is free."));
  fireEvent.click(screen.getByRole("button", { name: /Sun 21 Feb/ }));
  await screen.findByText("Sunday 21 February 2027 is free.");
  expect(screen.getByLabelText("Event date")).toHaveProperty("value", "2027-02-21");
  for (const button of screen.getAllByRole("button", { name: "Request booking" }))
    expect(button).toHaveProperty("disabled", false);
});

test("a taken date is marked at its field, names no deposit, and leads to the whole calendar", async () => {
  calls.check.mockResolvedValue(answer("taken", "Saturday 20 February 2027 is taken."));
  await openForm("2027-02-20");
  await screen.findByText("Saturday 20 February 2027 is taken.");
  expect(screen.getByLabelText("Event date").getAttribute("aria-invalid")).toBe("true");
  expect(screen.queryByText(/Deposit now/)).toBeNull();
  expect(screen.getByRole("link", { name: "See the whole calendar" }).getAttribute("href")).toBe(
    "/artist/electric-dreams#availability",
  );
});

test("on a phone the answer is shown at the date field, and one button sends the form", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  calls.check.mockResolvedValue(answer("free", "Saturday 13 February 2027 is free."));
  await openForm("2027-02-13");
  const message = await screen.findByText("Saturday 13 February 2027 is free.");
  expect(message.closest("fieldset")?.contains(screen.getByLabelText("Event date"))).toBe(true);
  expect(screen.getAllByRole("button", { name: "Request booking" })).toHaveLength(1);
});

test("what was typed is there again after a reload or the way back from the checkout, until the request is sent", async () => {
  await openForm();
  fill({ ...filled, "Special requests (optional)": "A quiet corner" });
  cleanup();
  await openForm();
  await vi.waitFor(() => expect(screen.getByLabelText("Full name")).toHaveProperty("value", "Hannah Whitt"));
  expect(screen.getByLabelText("Event type")).toHaveProperty("value", "Wedding");
  expect(screen.getByLabelText("Special requests (optional)")).toHaveProperty("value", "A quiet corner");
  press();
  await vi.waitFor(() => expect(sent).toEqual(booking));
  cleanup();
  await openForm();
  expect(screen.getByLabelText("Full name")).toHaveProperty("value", "");
});

test("a date in the address wins over the one that was kept", async () => {
  await openForm();
  fill(filled);
  cleanup();
  await openForm("2027-03-06");
  await vi.waitFor(() => expect(screen.getByLabelText("Full name")).toHaveProperty("value", "Hannah Whitt"));
  expect(screen.getByLabelText("Event date")).toHaveProperty("value", "2027-03-06");
});

test("a date that could not be checked does not close the form", async () => {
  calls.check.mockRejectedValue(apiError("unavailable", 503, "This took too long and was stopped."));
  await openForm("2027-02-13");
  await screen.findByText(/could not be checked just now: This took too long/);
  for (const button of screen.getAllByRole("button", { name: "Request booking" }))
    expect(button).toHaveProperty("disabled", false);
});

test("without a date the balance is said by its rule, with one by its day", async () => {
  calls.check.mockResolvedValue(answer("incomplete", "Choose a date to see whether it is free."));
  await openForm();
  await vi.waitFor(() => expect(calls.check).toHaveBeenCalled());
  expect(screen.getByText("Balance, 28 days before")).toBeTruthy();
  const free = answer("free", "Saturday 13 February 2027 is free.");
  calls.check.mockResolvedValue({ ...free, price: { ...price, balance_due: "2027-01-16" } });
  fill({ "Event date": "2027-02-13" });
  await screen.findByText("Balance, due 16 January");
});

test("a hold ends by the clock of the event's place, and its zone is named", async () => {
  const held = answer("held", "Saturday 13 February is on hold; free again after 02:20 (America/Chicago).");
  calls.check.mockResolvedValue({ ...held, date: { ...held.date, held_until: "2026-11-21T08:20:00.000Z" } });
  await openForm("2027-02-13");
  expect(await screen.findByText(/free again after 02:20 \(America\/Chicago\)/)).toBeTruthy();
});

test("a time that no clock shows is marked in its field, and the next one can be chosen", async () => {
  const missing = answer("invalid_time", "02:30 does not exist on Sunday 14 March. The next valid time is 03:00.");
  const next = { date: "2027-03-14", time: "03:00" };
  calls.check.mockResolvedValue({ ...missing, date: { ...missing.date, next_valid: next } });
  await openForm("2027-03-14");
  fill({ "Event time": "02:30" });
  await screen.findByText("02:30 does not exist on Sunday 14 March.");
  expect(screen.getByLabelText("Event time").getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText("Opens as soon as a time that exists is chosen.")).toBeTruthy();
  calls.check.mockResolvedValue(answer("free", "Sunday 14 March is free."));
  fireEvent.click(screen.getByRole("button", { name: /03:00/ }));
  await screen.findByText("Sunday 14 March is free.");
  expect(screen.getByLabelText("Event time")).toHaveProperty("value", "03:00");
  expect(screen.getByLabelText("Event time").getAttribute("aria-invalid")).toBeNull();
});

test("without a price the panel promises only what happens: the artist sees the request and answers by email", async () => {
  calls.check.mockResolvedValue({
    ...answer("free", "Saturday 13 February is free."),
    checkout: "on_request",
    price: { ...price, fee_cents: 0, deposit_cents: 0, balance_cents: 0 },
  });
  await openForm("2027-02-13");
  await screen.findByText("Electric Dreams answers by email, to the address you give");
  expect(screen.queryByText(/names a price|accept/)).toBeNull();
  expect(screen.getByText("$0")).toBeTruthy();
});

const ownHold = (open: boolean) => ({
  ...answer("own_hold", "You hold Saturday 13 February 2027, 20:30, yourself."),
  own_hold: {
    booking_id: booking.id,
    event_date: booking.event_date,
    event_time: booking.event_time,
    venue_name: booking.venue_name,
    time_zone: "America/Chicago",
    open_until: "2027-01-02T20:31:00Z",
    open,
    message: "",
  },
});

test("the visitor's own open checkout can be ended; then the form checks again", async () => {
  calls.check.mockResolvedValue(ownHold(true));
  await openForm("2027-02-13");
  await screen.findByRole("heading", { name: /You are holding Saturday 13 February/ });
  for (const button of screen.getAllByRole("button", { name: "Request booking" }))
    expect(button).toHaveProperty("disabled", true);
  calls.letGo.mockResolvedValue({ id: booking.id, released: true });
  calls.check.mockResolvedValue(answer("free", "Saturday 13 February 2027 is free."));
  fireEvent.click(screen.getByRole("button", { name: "Let it go" }));
  await screen.findByText("The date is let go");
  expect(calls.letGo).toHaveBeenCalledWith({ id: booking.id });
  await screen.findByText("Saturday 13 February 2027 is free.");
  expect(screen.queryByRole("button", { name: "Continue to payment" })).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText("Event date"));
});

test("it is continued where it was left, and an error is shown as the server wrote it", async () => {
  calls.check.mockResolvedValue(ownHold(true));
  await openForm("2027-02-13");
  calls.createContractAndCheckout.mockRejectedValueOnce(apiError("conflict", 409, "The deposit is already paid."));
  fireEvent.click(await screen.findByRole("button", { name: "Continue to payment" }));
  expect((await screen.findByRole("alert")).textContent).toContain("The deposit is already paid.");
  expect(calls.createContractAndCheckout).toHaveBeenCalledWith({ booking_id: booking.id });
  expect(screen.getByRole("button", { name: "Continue to payment" }).getAttribute("aria-busy")).toBeNull();
});

test("one that has ended can only be released", async () => {
  calls.check.mockResolvedValue(ownHold(false));
  await openForm("2027-02-13");
  await screen.findByRole("heading", { name: /has ended/ });
  expect(screen.queryByRole("button", { name: "Continue to payment" })).toBeNull();
  expect(screen.getByRole("button", { name: "Let it go" })).toBeDefined();
});

test("a kind of event that the artist does not play is not offered, and a far venue is said without closing the form", async () => {
  calls.check.mockResolvedValue({ ...answer("free", "Free."), travel: { miles: 1504, radius: 50 } });
  const page = createRoutesStub([
    {
      path: "/",
      Component: () => (
        <BookingForm
          artist={{ ...artist, declined_kinds: ["wedding", "private"] }}
          date="2027-02-13"
          onSent={(stored) => (sent = stored)}
        />
      ),
    },
  ]);
  render(createElement(page));
  await screen.findByText(/The venue is about 1504 miles from where Electric Dreams lives/);
  const offered = Array.from(screen.getByLabelText<HTMLSelectElement>("Event type").options, ({ text }) => text);
  expect(offered).toEqual(expect.arrayContaining(["Corporate event", "Festival"]));
  for (const type of ["Wedding", "Private party", "Birthday"]) expect(offered).not.toContain(type);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Request booking" }).disabled).toBe(false);
});

describe("a signed-in promoter", () => {
  beforeEach(() => {
    document.cookie = "signed_in=1";
    person.signedInUser.mockResolvedValue({
      email: "hannah@whitt.example",
      phone: "15125550148",
      user_metadata: { name: "Hannah Whitt" },
    });
  });
  afterEach(() => {
    document.cookie = "signed_in=; max-age=0";
  });
  const valueOf = (label: string) => (screen.getByLabelText(label) as HTMLInputElement).value;

  test("finds what their settings say filled in, with the usual length", async () => {
    person.bookingDefaults.mockResolvedValue({
      clientName: "Ada Wren, Ellis Street Nights",
      clientPhone: "+1 512 555 0100",
      duration: "5 hours",
    });
    await openForm();
    await vi.waitFor(() => expect(valueOf("Full name")).toBe("Ada Wren, Ellis Street Nights"));
    expect(["Email", "Phone", "Duration (optional)"].map(valueOf)).toEqual([
      "hannah@whitt.example",
      "+1 512 555 0100",
      "5 hours",
    ]);
    expect(screen.getByText("Read as 5 hours.")).toBeDefined();
  });

  test("finds the account's own name and number where the settings say nothing, or could not be read", async () => {
    person.bookingDefaults.mockRejectedValue(apiError("unavailable", 503, "Away."));
    await openForm();
    await vi.waitFor(() => expect(valueOf("Full name")).toBe("Hannah Whitt"));
    expect(["Phone", "Duration (optional)"].map(valueOf)).toEqual(["+15125550148", ""]);
  });
});
