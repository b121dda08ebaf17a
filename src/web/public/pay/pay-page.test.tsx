import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRoutesStub } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import PayPage, { loader } from "./pay-page.tsx";

const calls = vi.hoisted(() => ({ createCheckout: vi.fn(), read: vi.fn() }));
const replaceWithAddress = vi.hoisted(() => vi.fn());
const payLink = vi.hoisted(() => vi.fn());
vi.mock("../../lib/browser/leave-site.ts", () => ({ replaceWithAddress }));
vi.mock("../../lib/api/browser-api.ts", () => ({ browserApi: { bookings: calls } }));

const id = "00000000-0000-4000-8000-000000000002";
const posted: unknown[] = [];
const paidFor = {
  state: "due",
  message: null,
  number: "SD-7KQ4MN",
  promoter_name: "Hannah",
  artist: { slug: "electric-dreams", name: "Electric Dreams", genre: "electronic", location: "Austin, Texas" },
  event_date: "2027-02-13",
  event_time: "20:30",
  event_type: "Wedding",
  amount_cents: 37_500,
  fee_cents: 150_000,
  deposit_percent: 25,
  balance_cents: 112_500,
  balance_due: "2027-01-16",
  pay_by: null,
  held_until: null,
  time_zone: "America/Chicago",
  currency: "usd",
};

beforeEach(() => {
  vi.resetAllMocks();
  calls.read.mockRejectedValue(apiError(404, "not_found", "Booking not found"));
  posted.length = 0;
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      postMessage = (message: unknown) => posted.push(message);
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

function open(address: string) {
  const Page = createRoutesStub([
    {
      path: "/pay/:bookingId/:kind",
      Component: PayPage as never,
      loader: ((args: object) =>
        (loader as (given: object) => unknown)({
          ...args,
          context: { get: () => ({ bookings: { payLink } }) },
        })) as never,
      HydrateFallback: () => null,
    },
  ]);
  render(<Page initialEntries={[address]} />);
}
const apiError = (status: number, code: string, message: string, data?: unknown) =>
  Object.assign(new Error(message), { status, code, data: { code, message, data } });

test("continues to the provider automatically", async () => {
  calls.createCheckout.mockResolvedValue({ url: "https://provider.example/c/1" });
  open(`/pay/${id}/balance`);
  await waitFor(() => expect(replaceWithAddress).toHaveBeenCalledWith("https://provider.example/c/1"));
  expect(calls.createCheckout).toHaveBeenCalledExactlyOnceWith({ bookingId: id, isDeposit: false });
});

test.each([
  [apiError(409, "conflict", "The deposit is already paid."), "Nothing to pay now"],
  [apiError(409, "conflict", "Saturday 13 February is taken.", { state: "taken" }), "This date is taken"],
  [
    apiError(429, "too_many", "You can hold it again from 20:12.", { state: "held_before" }),
    "Please wait before you hold this date again",
  ],
  [
    apiError(429, "too_many", "Pay for one of them or release it.", { state: "too_many_holds" }),
    "You are holding 2 dates already",
  ],
  [
    apiError(409, "conflict", "A checkout for this date is already open.", { state: "held_elsewhere" }),
    "A checkout is already open",
  ],
  [apiError(409, "conflict", "Electric Dreams does not play then.", { state: "closed" }), "This date is not available"],
  [
    apiError(400, "invalid", "This time has passed. Choose a later one.", {
      state: "too_soon",
      fields: [{ field: "eventTime", message: "This time has passed. Choose a later one." }],
    }),
    "This time has passed",
  ],
  [apiError(429, "too_many", "Too many requests. Try again in a minute."), "The payment page could not be opened"],
  [new TypeError("network"), "The payment page could not be opened"],
])("names the obstacle and links to the booking: %s", async (error, title) => {
  calls.createCheckout.mockRejectedValue(error);
  open(`/pay/${id}/deposit`);
  await screen.findByRole("heading", { level: 1, name: title });
  expect(screen.getByRole("link", { name: "Open the booking" }).getAttribute("href")).toBe(`/booking/${id}`);
  expect(posted).toEqual([{ failed: id }]);
  expect(replaceWithAddress).not.toHaveBeenCalled();
});

test("does not deny a charge that the server reports as unconfirmed", async () => {
  const message = "The charge of the saved card is not confirmed yet. Reload the page in a minute.";
  calls.createCheckout.mockRejectedValue(apiError(503, "unavailable", message));
  open(`/pay/${id}/balance`);
  await screen.findByText(message);
  expect(screen.queryByText(/not been charged/)).toBeNull();
});

test("shows the poster and the night of the booking with an obstacle, if the visitor may open it", async () => {
  calls.createCheckout.mockRejectedValue(apiError(409, "conflict", "The deposit is already paid."));
  calls.read.mockResolvedValue(paidFor);
  open(`/pay/${id}/deposit`);
  await screen.findByRole("heading", { level: 1, name: "Nothing to pay now" });
  expect(calls.read).toHaveBeenCalledExactlyOnceWith({ id });
  screen.getByAltText("Poster for Electric Dreams");
  screen.getByText("Electric Dreams, Saturday 13 February");
  expect(screen.getByRole("link", { name: "Open the booking" }).getAttribute("href")).toBe(`/booking/${id}`);
});

test("shows a payer who canceled on the provider's page how to pay, and opens no checkout", async () => {
  open(`/pay/${id}/balance?problem=canceled`);
  await screen.findByRole("heading", { level: 1, name: "Payment canceled" });
  screen.getByText("You have not been charged. To pay, open the payment link again.");
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.queryByRole("link")).toBeNull();
  expect(calls.createCheckout).not.toHaveBeenCalled();
});

test("names night and amount for a payment link, and pays only after a click", async () => {
  payLink.mockResolvedValue(paidFor);
  const fetched = vi
    .fn()
    .mockResolvedValue({ ok: true, status: 200, json: async () => ({ url: "https://p.example" }) });
  vi.stubGlobal("fetch", fetched);
  open(`/pay/${id}/deposit?key=abcdefghijklmnop`);
  const button = await screen.findByRole("button", { name: "Pay $375" });
  screen.getByRole("heading", { level: 1, name: "The deposit for Electric Dreams" });
  for (const text of ["25% of $1,500. No fees on top.", "Saturday 13 February 2027", "SD-7KQ4MN"])
    screen.getByText(text);
  screen.getByText("The other $1,125 by 16 January.");
  expect(fetched).not.toHaveBeenCalled();
  await userEvent.click(button);
  await waitFor(() => expect(replaceWithAddress).toHaveBeenCalledWith("https://p.example"));
  expect(fetched.mock.lastCall?.[1].body.get("key")).toBe("abcdefghijklmnop");
  expect(calls.createCheckout).not.toHaveBeenCalled();
});

test.each([
  ["paid", "The deposit is paid", /^Nothing more to pay/],
  ["not_due", "Nothing to pay yet", /the contract/],
  ["ended", "This link has ended", /the contract/],
])("explains a link that is %s with its night, without a link to the booking", async (state, title, text) => {
  payLink.mockResolvedValue({ ...paidFor, state, message: "It waits for the contract." });
  open(`/pay/${id}/deposit?key=abcdefghijklmnop`);
  await screen.findByRole("heading", { level: 1, name: title });
  screen.getByText("Electric Dreams, Saturday 13 February");
  screen.getByText(text);
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getAllByRole("link").map((link) => link.textContent)).toEqual(["See Electric Dreams"]);
});

test("states until when the date of a deposit is held, or that it is not held, and no other deadline", async () => {
  payLink.mockResolvedValue({ ...paidFor, held_until: new Date("2026-11-28T20:03:00Z") });
  open(`/pay/${id}/deposit?key=abcdefghijklmnop`);
  expect((await screen.findByText("Saturday 28 November 2026, 14:03 (US Central)")).parentElement?.textContent).toBe(
    "Held until Saturday 28 November 2026, 14:03 (US Central). If the deposit is not paid by then, other promoters can request the date.",
  );
  cleanup();
  payLink.mockResolvedValue(paidFor);
  open(`/pay/${id}/deposit?key=abcdefghijklmnop`);
  await screen.findByText("Not held yet. Paying books it.");
  expect(screen.queryByText("Pay by")).toBeNull();
});

test("reports an unknown link", async () => {
  payLink.mockRejectedValue(apiError(404, "not_found", "Booking not found"));
  open(`/pay/${id}/deposit?key=abcdefghijklmnop`);
  await screen.findByRole("heading", { level: 1, name: "This payment link does not work here" });
  screen.getByRole("link", { name: "Sign In" });
  expect(screen.getAllByRole("button").map((button) => button.textContent)).toEqual(["Send me a new link"]);
});

test("addresses neither the promoter nor another payer, and accepts the payer's name for the receipt", async () => {
  payLink.mockResolvedValue({ ...paidFor, amount_cents: 112_500, pay_by: "2027-01-16" });
  const fetched = vi
    .fn()
    .mockResolvedValueOnce({
      ok: false,
      status: 400,
      json: async () => ({
        code: "invalid",
        message: "Enter the email address for the receipt.",
        data: { fields: [{ field: "payer_email", message: "Enter the email address for the receipt." }] },
      }),
    })
    .mockResolvedValue({ ok: true, status: 200, json: async () => ({ url: "https://p.example" }) });
  vi.stubGlobal("fetch", fetched);
  open(`/pay/${id}/balance?key=abcdefghijklmnop`);
  await screen.findByRole("heading", { level: 1, name: "The balance for Electric Dreams" });
  screen.getByText("Booked by");
  expect(screen.getByText("Pay by").nextElementSibling?.textContent).toBe("Saturday 16 January");
  screen.getByText(/^Not expecting this payment\?/);
  for (const text of ["Hannah", "$1,125", "SD-7KQ4MN"]) screen.getByText(text);
  const user = userEvent.setup();
  await user.click(screen.getByText("Paying for someone else? Get the receipt in your name"));
  await user.type(screen.getByLabelText("Your name"), "Nora Ames");
  await user.type(screen.getByLabelText("Company (optional)"), "Ames Ltd");
  await user.click(screen.getByRole("button", { name: "Pay $1,125" }));
  await screen.findByText("Enter the email address for the receipt.");
  const email = screen.getByLabelText<HTMLInputElement>("Your email");
  expect(document.activeElement).toBe(email);
  expect(email.form?.noValidate).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>("Your name").value).toBe("Nora Ames");
  await user.type(email, "nora@ames.example");
  await user.click(screen.getByRole("button", { name: "Pay $1,125" }));
  await waitFor(() => expect(replaceWithAddress).toHaveBeenCalledWith("https://p.example"));
  expect(Object.fromEntries(fetched.mock.lastCall?.[1].body)).toEqual({
    key: "abcdefghijklmnop",
    payer_name: "Nora Ames",
    payer_email: "nora@ames.example",
    company: "Ames Ltd",
    tax_id: "",
  });
});

test("keeps the details for the receipt if the payment page could not be opened, and sends them again", async () => {
  payLink.mockResolvedValue(paidFor);
  const fetched = vi.fn().mockRejectedValueOnce(new TypeError("network"));
  vi.stubGlobal("fetch", fetched);
  open(`/pay/${id}/deposit?key=abcdefghijklmnop`);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText("Your name"), "Nora Ames");
  await user.type(screen.getByLabelText("Your email"), "nora@ames.example");
  await user.click(screen.getByRole("button", { name: "Pay $375" }));
  expect((await screen.findByRole("alert")).textContent).toMatch(
    /^The payment page could not be opened\. The server could not be reached\./,
  );
  fetched.mockResolvedValue({ ok: true, status: 200, json: async () => ({ url: "https://p.example" }) });
  await user.click(screen.getByRole("button", { name: "Pay $375" }));
  await waitFor(() => expect(replaceWithAddress).toHaveBeenCalledWith("https://p.example"));
  expect(Object.fromEntries(fetched.mock.lastCall?.[1].body)).toMatchObject({
    payer_name: "Nora Ames",
    payer_email: "nora@ames.example",
  });
});

test("explains why a form without scripts could not continue", async () => {
  open(`/pay/${id}/deposit?problem=conflict`);
  await screen.findByRole("heading", { level: 1, name: "Nothing to pay now" });
  cleanup();
  open(`/pay/${id}/deposit?problem=too_many`);
  await screen.findByRole("heading", { level: 1, name: "This date cannot be held now" });
  screen.getByText("You can hold 2 dates at a time, and a date again 30 minutes after your hold of it has ended.");
  expect(calls.createCheckout).not.toHaveBeenCalled();
});
