import { expect, test } from "vitest";
import { formFields } from "#bookings/rules.ts";
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

test("accepts a complete form, and one without the three optional fields", () => {
  expect(checkBooking(filled)).toEqual({});
  expect(checkBooking({ ...filled, guestCount: "", duration: "", specialRequests: "" })).toEqual({});
});

test("returns one message for each empty required field", () => {
  for (const name of formFields.filter((one) => !["guestCount", "duration", "specialRequests"].includes(one))) {
    expect(Object.keys(checkBooking({ ...filled, [name]: "" }))).toEqual([name]);
  }
});

test("returns a message with an example for an unreadable date", () => {
  expect(checkBooking({ ...filled, eventDate: "foo" }).eventDate).toMatch(/^Enter a date such as \d+ \w{3} \d{4}\.$/);
});

test("returns a message that states what to do", () => {
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

test("trims values", () => {
  const form = new FormData();
  for (const [name, value] of Object.entries(filled)) form.set(name, ` ${value} `);
  expect(bookingText(form, "UTC")).toEqual(filled);
});

test("sends the ten fields with the artist's slug, the guest count as a number, and no empty optional ones", () => {
  expect(bookingBody("electric-dreams", filled)).toEqual({ ...filled, artistId: "electric-dreams", guestCount: 180 });
  expect(
    Object.keys(bookingBody("electric-dreams", { ...filled, guestCount: "", duration: "", specialRequests: "" })),
  ).not.toContain("guestCount");
});
