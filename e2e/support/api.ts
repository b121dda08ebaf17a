/** Direct API calls that prepare bookings for browser tests. */

import { type APIRequestContext, expect } from "@playwright/test";
import { demoPassword } from "./browser.ts";

export type ApiCall = <T = Record<string, string>>(
  address: string,
  body?: object,
  method?: "POST" | "PATCH",
) => Promise<T>;
type Calls = Readonly<Record<"promoter" | "artist", ApiCall>>;

/** Returns the authorization header of a user who signs in by password. */
export async function bearerOf(
  request: APIRequestContext,
  email: string,
  password = demoPassword,
): Promise<{ authorization: string }> {
  const response = await request.post("/auth/v1/token?grant_type=password", { data: { email, password } });
  expect(response.status(), await response.text()).toBe(200);
  const { access_token: token } = (await response.json()) as { access_token: string };
  return { authorization: `Bearer ${token}` };
}

/** Returns API calls as a user who signs in by password. A body makes a POST request. Throws on an error response. */
export async function callsOf(request: APIRequestContext, email: string, password = demoPassword): Promise<ApiCall> {
  const headers = await bearerOf(request, email, password);
  return async <T>(address: string, body?: object, method = "POST") => {
    const response = await (body
      ? request.fetch(address, { method, headers, data: body })
      : request.get(address, { headers }));
    expect(response.status(), `${address}: ${await response.text()}`).toBeLessThan(300);
    return (await response.json()) as T;
  };
}

/** Returns the body of a booking request to Electric Dreams. */
export const bookingRequest = (eventDate: string, more: object = {}) => ({
  artistId: "electric-dreams",
  clientName: "Jordan Ellis",
  clientEmail: "promoter@demo.test",
  clientPhone: "+1 512 555 0148",
  eventDate,
  eventTime: "20:00",
  eventLocation: "The Lantern Room, Austin",
  eventType: "Concert",
  ...more,
});

/** Presses "pay" or "decline" on a checkout page of the sandbox provider. */
export const pressAtCheckout = (request: APIRequestContext, checkout: string, button: "pay" | "decline") =>
  request.post(`${new URL(checkout).pathname}/${button}`, { maxRedirects: 0 });

/** Opens the checkout of a deposit, pays it, and waits for the contract. */
export async function payDeposit(request: APIRequestContext, promoter: ApiCall, id: string): Promise<void> {
  const { checkout_url: checkout = "" } = await promoter("/api/functions/create-contract-and-checkout", {
    booking_id: id,
  });
  await pressAtCheckout(request, checkout, "pay");
  await expect
    .poll(async () => (await promoter(`/api/bookings/${id}`))["status"], { timeout: 30_000 })
    .toBe("contract_sent");
}

/** Signs the contract of a booking for these parties. */
export async function signContract(call: Calls, id: string, ...sides: ("promoter" | "artist")[]): Promise<void> {
  for (const side of sides) {
    const { document } = await call[side]<{ document: { sha256: string } }>("/api/contracts/signing/open", { key: id });
    const name = side === "artist" ? "Electra Dreamer" : "Jordan Ellis";
    const signature = { key: id, name, drawing: null, consent: true, documentHash: document.sha256 };
    await call[side]("/api/contracts/signing/sign", signature);
  }
}

/** Pays the balance of a booking, and waits until it is recorded. */
export async function payBalance(request: APIRequestContext, promoter: ApiCall, id: string): Promise<void> {
  const { url = "" } = await promoter("/api/functions/create-checkout", { bookingId: id, isDeposit: false });
  await pressAtCheckout(request, url, "pay");
  await expect
    .poll(async () => (await promoter<{ balance_paid: boolean }>(`/api/bookings/${id}`)).balance_paid)
    .toBe(true);
}
