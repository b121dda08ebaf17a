import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRoutesStub } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import PayPage, { loader } from "./pay-page.tsx";

const calls = vi.hoisted(() => ({ createCheckout: vi.fn() }));
const continueAt = vi.hoisted(() => vi.fn());
const payLink = vi.hoisted(() => vi.fn());
vi.mock("../../lib/leave-site.ts", () => ({ continueAt }));
vi.mock("../../lib/api/browser-api.ts", () => ({ browserApi: { bookings: calls } }));

const id = "00000000-0000-4000-8000-000000000002";
const posted: unknown[] = [];

beforeEach(() => {
  vi.resetAllMocks();
  posted.length = 0;
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      postMessage = (message: unknown) => posted.push(message);
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

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

test("the link continues to the provider by itself", async () => {
  calls.createCheckout.mockResolvedValue({ url: "https://provider.example/c/1" });
  open(`/pay/${id}/balance`);
  await waitFor(() => expect(continueAt).toHaveBeenCalledWith("https://provider.example/c/1"));
  expect(calls.createCheckout).toHaveBeenCalledExactlyOnceWith({ bookingId: id, isDeposit: false });
});

test.each([
  [apiError(404, "not_found", "Booking not found"), "This payment link does not work here"],
  [apiError(409, "conflict", "The deposit is already paid."), "Nothing to pay now"],
  [apiError(409, "conflict", "Saturday 13 February is taken.", { state: "taken" }), "This date is taken"],
  [apiError(429, "too_many", "You can hold this date again at 20:12."), "Please wait before you hold this date again"],
  [new TypeError("network"), "The payment page could not be opened"],
])("what stands in the way is named, and the booking's page is offered: %s", async (error, title) => {
  calls.createCheckout.mockRejectedValue(error);
  open(`/pay/${id}/deposit`);
  await screen.findByRole("heading", { level: 1, name: title });
  expect(screen.getByRole("link", { name: "Open the booking" }).getAttribute("href")).toBe(`/booking/${id}`);
  expect(posted).toEqual([{ failed: id }]);
  expect(continueAt).not.toHaveBeenCalled();
});

test("the one-use link of an email waits for the press of a button", async () => {
  const fetched = vi
    .fn()
    .mockResolvedValue({ ok: true, status: 200, json: async () => ({ url: "https://p.example" }) });
  vi.stubGlobal("fetch", fetched);
  open(`/pay/${id}/deposit?key=abcdefghijklmnop`);
  const button = await screen.findByRole("button", { name: "Pay Deposit" });
  expect(fetched).not.toHaveBeenCalled();
  await userEvent.click(button);
  await waitFor(() => expect(continueAt).toHaveBeenCalledWith("https://p.example"));
  expect(String(fetched.mock.lastCall?.[1].body)).toBe("key=abcdefghijklmnop");
  expect(calls.createCheckout).not.toHaveBeenCalled();
});

const paidFor = {
  number: "SD-7KQ4MN",
  promoter_name: "Hannah Whitt",
  artist: { slug: "electric-dreams", name: "Electric Dreams" },
  event_date: "2027-02-13",
  event_time: "20:30",
  venue_name: "The Waterworks",
  amount_cents: 112_500,
  currency: "usd",
  is_payer: true,
};

test("whoever pays for somebody else reads what it is for, and may have the receipt in their name", async () => {
  payLink.mockResolvedValue(paidFor);
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
  for (const text of ["Electric Dreams", "The Waterworks", "Hannah Whitt", "$1,125", "SD-7KQ4MN"])
    await screen.findByText(text);
  const user = userEvent.setup();
  await user.click(screen.getByText("Paying for someone else? Get the receipt in your name"));
  await user.type(screen.getByLabelText("Your name"), "Nora Ames");
  await user.type(screen.getByLabelText("Company (optional)"), "Ames Ltd");
  await user.click(screen.getByRole("button", { name: "Pay Balance" }));
  await screen.findByText("Enter the email address for the receipt.");
  expect(screen.getByLabelText<HTMLInputElement>("Your name").value).toBe("Nora Ames");
  await user.type(screen.getByLabelText("Your email"), "nora@ames.example");
  await user.click(screen.getByRole("button", { name: "Pay Balance" }));
  await waitFor(() => expect(continueAt).toHaveBeenCalledWith("https://p.example"));
  expect(Object.fromEntries(fetched.mock.lastCall?.[1].body)).toEqual({
    key: "abcdefghijklmnop",
    payer_name: "Nora Ames",
    payer_email: "nora@ames.example",
    company: "Ames Ltd",
  });
});

test("a form without scripts that could not continue says why", async () => {
  open(`/pay/${id}/deposit?problem=conflict`);
  await screen.findByRole("heading", { level: 1, name: "Nothing to pay now" });
  expect(calls.createCheckout).not.toHaveBeenCalled();
});
