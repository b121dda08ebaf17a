import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  type Page,
  request as requests,
} from "@playwright/test";
import { type ApiCall, bookingRequest, callsOf, payDeposit } from "../support/api.ts";
import { dayFromNow, emailsTo, expect, signIn } from "../support/browser.ts";

export type Role = "promoter" | "artist" | "admin";

export type Market = Readonly<{ url: string; browser: Browser; api: APIRequestContext; call: Record<Role, ApiCall> }>;

export async function openMarket(browser: Browser, api: APIRequestContext, url: string): Promise<Market> {
  // Each user has separate cookies.
  const as = async (role: Role) => callsOf(await requests.newContext({ baseURL: url }), `${role}@demo.test`);
  const call = { promoter: await as("promoter"), artist: await as("artist"), admin: await as("admin") };
  return { url, browser, api, call };
}

/** Opens a separate browser, signed in unless it is a visitor's. */
export async function arrive({ browser, url }: Market, role: Role | "visitor"): Promise<[BrowserContext, Page]> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 900 } });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
  if (role !== "visitor") await signIn(page, `${role}@demo.test`);
  return [context, page];
}

/** Each booking has its own day. Days with events of the market are skipped. */
let days = 20;
export async function freeDay(api: APIRequestContext): Promise<string> {
  for (;;) {
    const eventDate = dayFromNow((days += 2));
    const response = await api.post("/api/bookings/check", { data: { artistId: "electric-dreams", eventDate } });
    if (((await response.json()) as { date: { state: string } }).date.state === "free") return eventDate;
  }
}

export const request = (date: string, email: string) =>
  bookingRequest(date, {
    clientEmail: email,
    guestCount: 120,
    duration: "2 hours",
    specialRequests: "A quiet first half hour, please.",
  });

export async function book({ call, api }: Market, { paid = true } = {}): Promise<string> {
  const { id = "" } = await call.promoter("/api/bookings", request(await freeDay(api), "promoter@demo.test"));
  if (!paid) return id;
  await payDeposit(api, call.promoter, id);
  return id;
}

export async function bookingsIn({ call }: Market, status: string) {
  const { items } = await call.admin<{ items: { id: string; promoter_email: string; fee_cents: number }[] }>(
    `/api/admin/bookings?status=${status}`,
  );
  return items;
}

export async function linkTo(page: Page, email: string, subject: RegExp): Promise<string> {
  const find = async () => (await emailsTo(page, email)).find((one) => subject.test(one.subject));
  await expect.poll(find, { timeout: 20_000 }).toBeTruthy();
  return /href="(http[^"]+)"/.exec((await find())?.html ?? "")?.[1]?.replaceAll("&amp;", "&") ?? "";
}

/** Changes a server response, for a state that would take days or an outside service. */
export async function answerWith<T>(page: Page, address: RegExp, change: (body: T) => T): Promise<void> {
  await page.route(address, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as T) });
  });
}
