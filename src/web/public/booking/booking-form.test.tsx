/** What the booking form asks, keeps and sends. */
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  answer,
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
  await waitFor(() => expect(sentBooking()).toEqual(booking));
  expect(calls.request.mock.lastCall?.[0]).toMatchObject({
    artistId: "electric-dreams",
    clientName: "Hannah Whitt",
    eventDate: "2027-02-13",
  });
  expect(calls.createContractAndCheckout).toHaveBeenCalledWith({ booking_id: booking.id });
});

test("the full contract is read from the answers so far, and a failure can be tried again", async () => {
  const { previewForm } = templates;
  previewForm.mockRejectedValueOnce(apiError("unavailable", 503, "Please try again in a moment."));
  previewForm.mockResolvedValueOnce({
    title: "Performance agreement",
    sections: [{ heading: "The parties", clauses: ["The promoter is Hannah Whitt."] }],
  });
  await openForm();
  fill(filled);
  const summary = await screen.findByText("Read the full contract");
  fireEvent.click(summary);
  expect((await screen.findByText(/could not be loaded/)).textContent).toContain("Please try again in a moment.");
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  const text = await screen.findByRole("article", { name: "Performance agreement" });
  expect(text.textContent).toContain("1.1 The promoter is Hannah Whitt.");
  expect(previewForm.mock.lastCall?.[0]).toMatchObject({ artistId: "electric-dreams", clientName: "Hannah Whitt" });
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
  await waitFor(() => expect(sentBooking()).toEqual(booking));
  expect(calls.request).toHaveBeenCalledTimes(1);
});

test("a request whose answer was lost is repeated under the same key; other answers are another request", async () => {
  await openForm();
  fill(filled);
  calls.request.mockRejectedValueOnce(new TypeError("network")).mockRejectedValueOnce(new TypeError("network"));
  press();
  await screen.findByRole("alert");
  press();
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
  await waitFor(() => expect(calls.request).toHaveBeenCalledTimes(1));
  expect(calls.request.mock.lastCall?.[0]).not.toHaveProperty("balanceConsent");
});

test("a ticked box sends its text; another text is another question, and its box is empty", async () => {
  calls.check.mockResolvedValue({ ...answer("free", "Free."), balance_consent: consent });
  await openForm("2027-02-13");
  fill(filled);
  fireEvent.click(await consentBox());
  press();
  await waitFor(() => expect(calls.request).toHaveBeenCalledTimes(1));
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

test("what was typed is there again after a reload or the way back from the checkout, until the request is sent", async () => {
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

test("a date in the address wins over the one that was kept", async () => {
  await openForm();
  fill(filled);
  cleanup();
  await openForm("2027-03-06");
  await waitFor(() => expect(screen.getByLabelText("Full name")).toHaveProperty("value", "Hannah Whitt"));
  expect(screen.getByLabelText("Event date")).toHaveProperty("value", "Sat 6 Mar 2027");
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

test("a kind of event that the artist does not play is not offered, and a far venue is said without closing the form", async () => {
  calls.check.mockResolvedValue({ ...answer("free", "Free."), travel: { miles: 1504, radius: 50 } });
  await openForm("2027-02-13", { declined_kinds: ["wedding", "private"] });
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
    await waitFor(() => expect(valueOf("Full name")).toBe("Ada Wren, Ellis Street Nights"));
    expect(["Email", "Phone", "Duration (optional)"].map(valueOf)).toEqual([
      "hannah@whitt.example",
      "+1 512 555 0100",
      "5 hours",
    ]);
    expect(screen.getByText("5 hours.")).toBeDefined();
  });

  test("finds the account's own name and number where the settings say nothing, or could not be read", async () => {
    person.bookingDefaults.mockRejectedValue(apiError("unavailable", 503, "Away."));
    await openForm();
    await waitFor(() => expect(valueOf("Full name")).toBe("Hannah Whitt"));
    expect(["Phone", "Duration (optional)"].map(valueOf)).toEqual(["+15125550148", ""]);
  });
});
