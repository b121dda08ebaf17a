import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { currentToasts } from "../../lib/toasts.ts";
import { dateStripOf } from "./dated-poster.tsx";
import SuccessPage, { clientLoader } from "./success-page.tsx";
import { type Reply, storedStateOf } from "./use-paid-booking.ts";

const calls = vi.hoisted(() => ({ bySession: vi.fn() }));
vi.mock("../../lib/api/browser-api.ts", () => ({ browserApi: { bookings: calls } }));

const reply = (payment: object = {}) => ({
  found: true,
  payment: { amount: 37_500, currency: "usd", status: "succeeded", kind: "deposit", payment_date: null, ...payment },
  booking: {
    id: "00000000-0000-4000-8000-000000000001",
    number: "SD-7KQ4MN",
    event_date: "2099-02-14",
    event_time: "20:30",
    venue_name: "The Waterworks",
    promoter_name: "Hannah Whitt",
    promoter_email: "hannah@whitt.example",
    status: "deposit_paid",
    cancel_code: null,
    balance_paid: false,
    balance_paid_at: null,
    balance_cents: 112_500,
  },
  contract: null,
  artist: { slug: "electric-dreams", name: "Electric Dreams", genre: "electronic", location: "Austin, Texas" },
  viewer: "guest",
});

beforeEach(() => void vi.resetAllMocks());
afterEach(() => Reflect.deleteProperty(navigator, "share"));

const address = "/booking-success?session_id=cs_1";
type Rendered = ReturnType<typeof clientLoader>;

const pageWith = (rendered: Rendered, Component = SuccessPage) =>
  createRoutesStub([
    { path: "/booking-success", Component, HydrateFallback: () => null, loader: () => rendered, id: "page" },
  ]);

/** Opens the page by a link of the site, or as the server has rendered it. */
async function open(response: object, rendered: Rendered = clientLoader()) {
  calls.bySession.mockResolvedValue(response);
  const user = userEvent.setup();
  const Page = pageWith(rendered);
  render(<Page initialEntries={[address]} />);
  await screen.findByText("SD-7KQ4MN");
  return user;
}

const renderedOf = (response: object): Rendered => ({
  state: storedStateOf(response as Reply),
  time: { now: "2099-01-10T12:00:00Z", zone: "America/Chicago", platformZone: "America/New_York" },
});
const htmlOf = (rendered: Rendered) => {
  const Page = pageWith(rendered);
  return renderToString(<Page initialEntries={[address]} hydrationData={{ loaderData: { page: rendered } }} />);
};

test("contains what the server knows of the payment, without scripts", () => {
  const html = htmlOf(renderedOf(reply({ payment_date: "2099-01-10T03:30:00Z" })));
  expect(html).toContain("Payment Successful!");
  expect(html).toContain("$375 is held until after the show.");
  // Nine in the evening before, at the venue.
  expect(html).toContain("Fri 9 Jan 21:30");
});

test.each([clientLoader(), renderedOf(reply({ status: "requires_payment_method" }))])(
  "states without JavaScript that it cannot look up the payment, and not to pay again",
  (rendered) => {
    expect(/<noscript>(.*)<\/noscript>/.exec(htmlOf(rendered))?.[1]).toMatch(
      /needs JavaScript to look up the payment\. Do not pay again/,
    );
  },
);

test("replaces a rendered payment by the answer of the provider, and keeps it if that is missing", async () => {
  const late = renderedOf(reply({ status: "requires_payment_method" }));
  await open(reply(), late);
  screen.getByRole("heading", { name: "Payment Successful!" });
  cleanup();
  calls.bySession.mockRejectedValue(new TypeError("Failed to fetch"));
  const Page = pageWith(renderedOf(reply()));
  render(<Page initialEntries={[address]} />);
  await waitFor(() => expect(calls.bySession).toHaveBeenCalledTimes(2));
  await screen.findByRole("heading", { name: "Payment Successful!" });
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
});

test.each(["failed", "requires_payment_method"])(
  "claims nothing about a stored %s payment until the provider was queried",
  async (status) => {
    const rendered = renderedOf(reply({ status }));
    expect(htmlOf(rendered)).toContain("Your payment is being confirmed");
    calls.bySession.mockRejectedValue(new TypeError("Failed to fetch"));
    const Page = pageWith(rendered);
    render(<Page initialEntries={[address]} />);
    await screen.findByRole("heading", { name: "Your payment could not be looked up" });
    screen.getByRole("button", { name: "Retry" });
    expect(screen.queryByText(/Nothing was charged/)).toBeNull();
  },
);

test("offers Retry if the page's script cannot be loaded", async () => {
  vi.resetModules();
  vi.doMock("../../lib/api/browser-api.ts", () => {
    throw new Error("Failed to fetch dynamically imported module");
  });
  onTestFinished(() => void vi.doMock("../../lib/api/browser-api.ts", () => ({ browserApi: { bookings: calls } })));
  const { default: Component } = await import("./success-page.tsx");
  const Page = pageWith(clientLoader(), Component);
  render(<Page initialEntries={[address]} />);
  await screen.findByRole("heading", { name: "Your payment could not be looked up" });
  screen.getByRole("button", { name: "Retry" });
});

test("shows another payer only the payment and the receipt's address", async () => {
  await open({
    found: false,
    message: "",
    payer: {
      payment: { kind: "balance", amount: 112_500, currency: "usd", status: "succeeded", payment_date: null },
      booking: {
        number: "SD-7KQ4MN",
        promoter_name: "Hannah",
        artist: { slug: "electric-dreams", name: "Electric Dreams", genre: "electronic", location: "Austin, Texas" },
        event_date: "2099-02-14",
        event_time: "20:30",
      },
      receipt_email: "nora@ames.example",
    },
  });
  screen.getByRole("heading", { name: "Thank you, it is paid" });
  screen.getByText("The receipt is being sent to you.");
  screen.getByText("$1,125");
  expect(screen.queryByRole("link", { name: "Open the booking" })).toBeNull();
});

test("shows the poster with date, time and venue after the deposit, and the balance with its date", async () => {
  await open(reply());
  screen.getByRole("heading", { name: "Payment Successful!" });
  const poster = screen.getByRole<HTMLImageElement>("img", { name: "Poster for Electric Dreams" });
  expect(poster.getAttribute("src")).toMatch(/^\/art\/electric-dreams\/poster\.svg/);
  const strip = screen.getByRole("figure").textContent;
  expect(strip).toContain("Saturday 14 February 2099");
  expect(strip).toContain("20:30, The Waterworks");
  expect(screen.getByText(/^Balance, /).nextElementSibling?.textContent).toBe("$1,125");
  screen.getByRole("button", { name: "Download poster" });
  screen.getByRole("link", { name: "Open the booking" });
});

test("promises no message to an artist, who may have no account", async () => {
  await open(reply());
  screen.getByText(/ is yours\. Electric Dreams is booked\.$/);
  expect(screen.queryByText(/notified/)).toBeNull();
});

test("names the genre in words beside the artist after the payment", async () => {
  await open(reply());
  expect(screen.getByText("Artist").nextElementSibling?.textContent).toBe("Electric Dreams, electronic");
});

test("copies the artist's public link without the device's share dialog", async () => {
  const user = await open(reply());
  await user.click(screen.getByRole("button", { name: "Copy link" }));
  await waitFor(() => expect(currentToasts().at(-1)).toMatchObject({ title: "Link copied" }));
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/artist/electric-dreams`);
});

test("shares the public page where the device can, and shows nothing when its dialog is closed", async () => {
  const share = vi.fn().mockRejectedValue(new DOMException("closed", "AbortError"));
  Object.defineProperty(navigator, "share", { value: share, configurable: true });
  const user = await open(reply());
  await user.click(await screen.findByRole("button", { name: "Share" }));
  expect(share).toHaveBeenCalledWith({
    title: "Electric Dreams",
    url: `${window.location.origin}/artist/electric-dreams`,
  });
  expect(currentToasts()).toEqual([]);
});

test("reports an image that could not be drawn, and enables the button again", async () => {
  // jsdom decodes no images.
  HTMLImageElement.prototype.decode = () => Promise.reject(new DOMException("broken", "EncodingError"));
  const user = await open(reply());
  await user.click(screen.getByRole("button", { name: "Download poster" }));
  await waitFor(() => expect(currentToasts().at(-1)).toMatchObject({ tone: "error", title: "Error" }));
  expect(screen.getByRole("button", { name: "Download poster" }).getAttribute("aria-busy")).toBeNull();
});

test.each([
  ["failed", "The payment did not go through"],
  ["refunded", "The payment was returned"],
])("shows no poster for a %s payment", async (status, heading) => {
  await open(reply({ status }));
  screen.getByRole("heading", { name: heading });
  expect(screen.queryByRole("button", { name: "Download poster" })).toBeNull();
  expect(screen.queryByText(/Balance/)).toBeNull();
});

test.each([
  ["artist", "/artist/bookings/", "We pay you after the show."],
  ["admin", "/admin/bookings/", "We pay the artist after the show."],
])("tells the %s of the promoter's payment, and links to that booking page", async (viewer, page, payout) => {
  await open({ ...reply(), viewer });
  screen.getByText("Saturday 14 February is booked. Hannah Whitt has paid the deposit.");
  screen.getByText(payout);
  const link = screen.getByRole("link", { name: "Open the booking" });
  expect(link.getAttribute("href")).toBe(`${page}${reply().booking.id}`);
});

test.each(["artist", "admin"])("offers the %s no second try of a failed payment", async (viewer) => {
  await open({ ...reply({ status: "failed" }), viewer });
  screen.getByText("Nothing was charged.");
  expect(screen.queryByRole("link", { name: "Try again" })).toBeNull();
});

test("does not call a date booked after its booking was canceled", async () => {
  const known = reply();
  await open({ ...known, booking: { ...known.booking, status: "canceled" } });
  screen.getByRole("heading", { name: "This booking is canceled" });
  expect(screen.queryByText(/is yours/)).toBeNull();
  screen.getByRole("button", { name: "Remove from calendar" });
});

test("shows no further balance after a paid balance", async () => {
  await open(reply({ kind: "balance", amount: 112_500 }));
  expect(screen.getByText("Balance paid").nextElementSibling?.textContent).toBe("$1,125");
  screen.getByText("We pay Electric Dreams after the show.");
  expect(screen.queryByText(/^Balance, /)).toBeNull();
});

test("dateStripOf returns a day with weekday and year, and the place", () => {
  expect(
    dateStripOf({ artist: "A", event_date: "2027-02-13", event_time: "20:30", venue_name: "The Waterworks" }),
  ).toEqual({ day: "Saturday 13 February 2027", place: "20:30, The Waterworks" });
});
