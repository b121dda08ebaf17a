import { expect, test } from "vitest";
import { formFields, optionalFields } from "#bookings/rules.ts";
import { bookingBody, bookingText, checkBooking } from "./booking-form-validation.ts";

const filled = {
  clientName: "Hannah Whitt",
  clientEmail: "hannah@whitt.example",
  clientPhone: "+1 512 555 0148",
  eventDate: "2027-02-13",
  eventTime: "20:30",
  eventLocation: "The Waterworks, Austin",
  eventType: "Wedding",
  guestCount: "180",
  duration: "2 x 60 minutes",
  specialRequests: "First dance at 21:00.",
};

test("a filled form is right, and so is one without the optional three", () => {
  expect(checkBooking(filled)).toEqual({});
  expect(checkBooking({ ...filled, guestCount: "", duration: "", specialRequests: "" })).toEqual({});
});

test("each required field that is empty has its own message", () => {
  for (const name of formFields.filter((one) => !optionalFields.includes(one))) {
    expect(Object.keys(checkBooking({ ...filled, [name]: "" }))).toEqual([name]);
  }
});

test("a validation message says what to do", () => {
  expect(checkBooking({ ...filled, clientEmail: "hannah@whitt" }).clientEmail).toBe(
    "This address has no ending such as .com. Add it so that the contract can reach you.",
  );
  expect(checkBooking({ ...filled, clientEmail: "hannah" }).clientEmail).toMatch(/not an email address/);
  for (const guests of ["0", "-3", "1.5", "9999999", "many"])
    expect(checkBooking({ ...filled, guestCount: guests }).guestCount).toMatch(/in digits/);
  expect(checkBooking({ ...filled, specialRequests: "my card is 4242 4242 4242 4242" }).specialRequests).toMatch(
    /card number/,
  );
});

test("spaces around an answer do not count", () => {
  const form = new FormData();
  for (const [name, value] of Object.entries(filled)) form.set(name, ` ${value} `);
  expect(bookingText(form)).toEqual(filled);
});

test("the ten answers are sent with the artist's slug; the guest count as a number, empty ones not at all", () => {
  expect(bookingBody("electric-dreams", filled)).toEqual({ ...filled, artistId: "electric-dreams", guestCount: 180 });
  expect(
    Object.keys(bookingBody("electric-dreams", { ...filled, guestCount: "", duration: "", specialRequests: "" })),
  ).not.toContain("guestCount");
});
