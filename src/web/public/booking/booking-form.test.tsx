import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  makeCheck,
  apiError,
  booking,
  calls,
  fill,
  filled,
  openForm,
  person,
  press,
  price,
  sentBooking,
  templates,
} from "./test-booking-form.tsx";

test("sends no empty form, shows a message at each required field, and focuses the first", async () => {
  await openForm();
  press();
  expect(calls.request).not.toHaveBeenCalled();
  for (const label of Object.keys(filled))
    expect(screen.getByLabelText(label).getAttribute("aria-invalid"), label).toBe("true");
  expect(document.activeElement).toBe(screen.getByLabelText("Event date"));
});

test("ends with the stored booking if there is no checkout", async () => {
  await openForm();
  fill(filled);
  press();
  expect(await screen.findAllByRole("button", { name: "Submitting..." })).not.toHaveLength(0);
  await waitFor(() => expect(sentBooking()).toEqual(booking));
  expect(calls.request.mock.lastCall?.[0]).toMatchObject({
    artistId: "electric-dreams",
    clientName: "Hannah Whitt",
    eventDate: "2027-02-13",
  });
  expect(calls.createContractAndCheckout).toHaveBeenCalledWith({ booking_id: booking.id });
});

test("offers the usual set lengths beside a free text", async () => {
  await openForm();
  fill({ "Event time": "22:30" });
  fireEvent.click(screen.getByRole("button", { name: "2 hours" }));
  expect(screen.getByLabelText("Duration (optional)")).toHaveProperty("value", "2 hours");
  await screen.findByText("2 hours, ends 00:30.");
  expect(screen.getByRole("button", { pressed: true }).textContent).toBe("2 hours");
  fill({ "Duration (optional)": "2 x 45 minutes" });
  await screen.findByText("1 hour 30 minutes, ends 00:00.");
  expect(screen.queryByRole("button", { pressed: true })).toBeNull();
});

test("states whose time zone counts for a known and an unknown town", async () => {
  const check = makeCheck("free", "Saturday 13 February 2027 is free.");
  calls.check.mockResolvedValue({ ...check, date: { ...check.date, location_unknown: true } });
  await openForm("2027-02-13");
  expect(await screen.findByText(/We do not know this town, so times are in the artist’s time zone \(/)).toBeTruthy();
  cleanup();
  calls.check.mockResolvedValue(check);
  await openForm("2027-02-13");
  expect(await screen.findByText(/^Venue and town. Times are local to the venue \(/)).toBeTruthy();
});

test("previews the full contract from the current input, and retries after a failure", async () => {
  const { previewForm } = templates;
  previewForm.mockRejectedValueOnce(apiError("unavailable", 503, "Please try again in a moment."));
  previewForm.mockResolvedValueOnce({
    title: "Performance agreement",
    sections: [{ heading: "The parties", clauses: ["The promoter is Hannah Whitt."] }],
  });
  await openForm();
  fill(filled);
  fireEvent.click(await screen.findByRole("button", { name: "Read the full contract" }));
  expect((await screen.findByText(/could not be loaded/)).textContent).toContain("Please try again in a moment.");
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  const text = await screen.findByRole("article", { name: "Performance agreement" });
  expect(text.textContent).toContain("1.1 The promoter is Hannah Whitt.");
  expect(screen.getByRole("dialog", { name: "Performance agreement" }).contains(text)).toBe(true);
  const print = vi.spyOn(window, "print").mockReturnValue();
  fireEvent.click(screen.getByRole("button", { name: "Print or save as PDF" }));
  expect(print).toHaveBeenCalledOnce();
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.getByLabelText("Full name")).toHaveProperty("value", "Hannah Whitt");
  expect(previewForm.mock.lastCall?.[0]).toMatchObject({ artistId: "electric-dreams", clientName: "Hannah Whitt" });
});

test("shows the server's error, retains the input, and sends the same request again", async () => {
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
  await waitFor(() => expect(sentBooking()).toEqual(booking));
  expect(calls.request).toHaveBeenCalledTimes(1);
});

test("repeats a request without a response under the same key, and changed input under a new one", async () => {
  await openForm();
  fill(filled);
  calls.request.mockRejectedValueOnce(new TypeError("network")).mockRejectedValueOnce(new TypeError("network"));
  press();
  fireEvent.click(within(await screen.findByRole("alert")).getByRole("button", { name: "Close" }));
  // The message stays at the button after its toast.
  screen.getByText(/^The server could not be reached/);
  press();
  expect(screen.queryByText(/^The server could not be reached/)).toBeNull();
  await waitFor(() => expect(calls.request).toHaveBeenCalledTimes(2));
  await screen.findByRole("alert");
  fill({ "Full name": "Hannah W. Whitt" });
  press();
  await waitFor(() => expect(sentBooking()).toEqual(booking));
  const keys = calls.request.mock.calls.map(([body]: { formKey: string }[]) => body?.formKey);
  expect(keys[0]).toMatch(/^[\da-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test.each([true, false])(
  "sends the request again if its price changed after a failed checkout (%s)",
  async (isChecked) => {
    const check = makeCheck("free", "Free.");
    if (isChecked) calls.check.mockResolvedValue(check);
    else calls.check.mockRejectedValue(new TypeError("network"));
    await openForm();
    fill(filled);
    await screen.findByText(isChecked ? "Free." : /could not be checked/);
    calls.createContractAndCheckout.mockRejectedValueOnce(new TypeError("network"));
    calls.check.mockResolvedValue({ ...check, price: { ...check.price, fee_cents: 90_000 } });
    press();
    await waitFor(() => expect(calls.createContractAndCheckout).toHaveBeenCalled());
    await screen.findAllByText(/\$900/);
    press();
    await waitFor(() => expect(sentBooking()).toEqual(booking));
    const keys = calls.request.mock.calls.map(([body]: { formKey: string }[]) => body?.formKey);
    expect(new Set(keys).size).toBe(2);
  },
);

const consent =
  "Charge the balance of $1,125 automatically to the card that pays the deposit, once we have both signed.";
const consentBox = () => screen.findByRole("checkbox", { name: consent });

test("renders the automatic charge unchecked, and sends no consent without it", async () => {
  calls.check.mockResolvedValue({ ...makeCheck("free", "Free."), balance_consent: consent });
  await openForm("2027-02-13");
  const box = await consentBox();
  expect(box).toHaveProperty("checked", false);
  // The form has only its ten named fields.
  expect(box.getAttribute("name")).toBeNull();
  fill(filled);
  press();
  await waitFor(() => expect(calls.request).toHaveBeenCalledTimes(1));
  expect(calls.request.mock.lastCall?.[0]).not.toHaveProperty("balanceConsent");
});

test("sends the text of a checked consent, and unchecks it for another text", async () => {
  calls.check.mockResolvedValue({ ...makeCheck("free", "Free."), balance_consent: consent });
  await openForm("2027-02-13");
  fill(filled);
  fireEvent.click(await consentBox());
  press();
  await waitFor(() => expect(calls.request).toHaveBeenCalledTimes(1));
  expect(calls.request.mock.lastCall?.[0]).toMatchObject({ balanceConsent: consent });
  calls.check.mockResolvedValue({ ...makeCheck("free", "Free."), balance_consent: "Charge another sum." });
  fill({ "Event date": "2027-02-14" });
  expect(await screen.findByRole("checkbox", { name: "Charge another sum." })).toHaveProperty("checked", false);
});

test("keeps a checked consent while the server is away, and sends the same request again", async () => {
  calls.check.mockResolvedValue({ ...makeCheck("free", "Free."), balance_consent: consent });
  await openForm();
  fill(filled);
  await waitFor(() => expect(calls.check.mock.lastCall?.[0]).toMatchObject({ clientEmail: filled.Email }));
  await screen.findByText("Free.");
  fireEvent.click(await consentBox());
  calls.request.mockRejectedValueOnce(new TypeError("network"));
  calls.check.mockRejectedValue(new TypeError("network"));
  press();
  await screen.findByText(/could not be checked/);
  press();
  await waitFor(() => expect(sentBooking()).toEqual(booking));
  const [first, second] = calls.request.mock.calls.map(([body]) => body);
  expect(second).toMatchObject({ balanceConsent: consent, formKey: first.formKey });
});

test("renders no consent without a balance to charge", async () => {
  calls.check.mockResolvedValue({ ...makeCheck("free", "Saturday is free."), balance_consent: null });
  await openForm("2027-02-13");
  await screen.findByText("Saturday is free.");
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("restores the input after a reload or the return from the checkout, until the request is sent", async () => {
  await openForm();
  fill({ ...filled, "Special requests (optional)": "A quiet corner" });
  cleanup();
  await openForm();
  await waitFor(() => expect(screen.getByLabelText("Full name")).toHaveProperty("value", "Hannah Whitt"));
  expect(screen.getByLabelText("Event type")).toHaveProperty("value", "Wedding");
  expect(screen.getByLabelText("Special requests (optional)")).toHaveProperty("value", "A quiet corner");
  press();
  await waitFor(() => expect(sentBooking()).toEqual(booking));
  cleanup();
  await openForm();
  expect(screen.getByLabelText("Full name")).toHaveProperty("value", "");
});

test("prefers the address's date to the saved one", async () => {
  await openForm();
  fill(filled);
  cleanup();
  await openForm("2027-03-06");
  await waitFor(() => expect(screen.getByLabelText("Full name")).toHaveProperty("value", "Hannah Whitt"));
  expect(screen.getByLabelText("Event date")).toHaveProperty("value", "Sat 6 Mar 2027");
});

test("promises only an answer by email if there is no price", async () => {
  calls.check.mockResolvedValue({
    ...makeCheck("free", "Saturday 13 February is free."),
    checkout: "on_request",
    price: { ...price, fee_cents: 0, deposit_cents: 0, balance_cents: 0 },
  });
  await openForm("2027-02-13");
  await screen.findByText("Electric Dreams answers by email, to the address you give");
  expect(screen.queryByText(/names a price|accept/)).toBeNull();
  expect(screen.getByText("$0")).toBeTruthy();
});

test("omits the kinds of event that the artist declines, and mentions a far venue without disabling the form", async () => {
  calls.check.mockResolvedValue({ ...makeCheck("free", "Free."), travel: { miles: 1504, radius: 50 } });
  await openForm("2027-02-13", { declined_kinds: ["wedding", "private"] });
  await screen.findByText(/The venue is about 1,504 miles from where Electric Dreams lives/);
  const offered = Array.from(screen.getByLabelText<HTMLSelectElement>("Event type").options, ({ text }) => text);
  expect(offered).toEqual(expect.arrayContaining(["Corporate event", "Festival"]));
  for (const type of ["Wedding", "Private party", "Birthday"]) expect(offered).not.toContain(type);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Request booking" }).disabled).toBe(false);
});

describe("BookingForm of a signed-in promoter", () => {
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

  test("prefills the fields from the settings, with the usual length", async () => {
    person.bookingDefaults.mockResolvedValue({
      clientName: "Ada Wren, Ellis Street Nights",
      clientPhone: "+1 512 555 0100",
      duration: "5 hours",
    });
    await openForm();
    await waitFor(() => expect(valueOf("Full name")).toBe("Ada Wren, Ellis Street Nights"));
    expect(["Email", "Phone", "Duration (optional)"].map(valueOf)).toEqual([
      "hannah@whitt.example",
      "+1 512 555 0100",
      "5 hours",
    ]);
    expect(screen.getByText("5 hours.")).toBeDefined();
  });

  test("prefills the account's name and number if the settings are empty or fail to load", async () => {
    person.bookingDefaults.mockRejectedValue(apiError("unavailable", 503, "Away."));
    await openForm();
    await waitFor(() => expect(valueOf("Full name")).toBe("Hannah Whitt"));
    expect(["Phone", "Duration (optional)"].map(valueOf)).toEqual(["+15125550148", ""]);
  });
});
