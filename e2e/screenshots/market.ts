import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  type Page,
  request as requests,
} from "@playwright/test";
import { dayFromNow, demoPassword, emailsTo, expect, signIn } from "../support/browser.ts";

export type Role = "promoter" | "artist" | "admin";
type Call = <T = Record<string, string>>(address: string, body?: object, method?: "POST" | "PATCH") => Promise<T>;

export type Market = Readonly<{ url: string; browser: Browser; api: APIRequestContext; call: Record<Role, Call> }>;

/** Signs in to the API as a demo user, with separate cookies. Throws on a failed call. */
async function as(baseURL: string, role: Role): Promise<Call> {
  const api = await requests.newContext({ baseURL });
  const data = { email: `${role}@demo.test`, password: demoPassword };
  const session = await api.post("/auth/v1/token?grant_type=password", { data });
  const { access_token: token } = (await session.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}` };
  return async <T>(address: string, body?: object, method: "POST" | "PATCH" = "POST") => {
    const answer = await (body ? api.fetch(address, { method, headers, data: body }) : api.get(address, { headers }));
    expect(answer.status(), `${address}: ${await answer.text()}`).toBeLessThan(300);
    return (await answer.json()) as T;
  };
}

export async function openMarket(browser: Browser, api: APIRequestContext, url: string): Promise<Market> {
  const call = { promoter: await as(url, "promoter"), artist: await as(url, "artist"), admin: await as(url, "admin") };
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
    const answer = await api.post("/api/bookings/check", { data: { artistId: "electric-dreams", eventDate } });
    if (((await answer.json()) as { date: { state: string } }).date.state === "free") return eventDate;
  }
}

export const request = (date: string, email: string) => ({
  artistId: "electric-dreams",
  clientName: "Jordan Ellis",
  clientEmail: email,
  clientPhone: "+1 512 555 0148",
  eventDate: date,
  eventTime: "20:00",
  eventLocation: "The Lantern Room, Austin",
  eventType: "Concert",
  guestCount: 120,
  duration: "2 hours",
  specialRequests: "A quiet first half hour, please.",
});

export async function book({ call, api }: Market, { paid = true } = {}): Promise<string> {
  const { id = "" } = await call.promoter("/api/bookings", request(await freeDay(api), "promoter@demo.test"));
  if (!paid) return id;
  const opened = await call.promoter("/api/functions/create-contract-and-checkout", { booking_id: id });
  await api.post(`${new URL(opened["checkout_url"] ?? "").pathname}/pay`, { maxRedirects: 0 });
  await expect
    .poll(async () => (await call.promoter(`/api/bookings/${id}`))["status"], { timeout: 30_000 })
    .toBe("contract_sent");
  return id;
}

export async function sign({ call }: Market, id: string, ...sides: ("promoter" | "artist")[]): Promise<void> {
  for (const side of sides) {
    const { document } = await call[side]<{ document: { sha256: string } }>("/api/contracts/signing/open", { key: id });
    const name = side === "artist" ? "Electra Dreamer" : "Jordan Ellis";
    const signature = { key: id, name, drawing: null, consent: true, documentHash: document.sha256 };
    await call[side]("/api/contracts/signing/sign", signature);
  }
}

export async function payBalance({ call, api }: Market, id: string): Promise<void> {
  const { url = "" } = await call.promoter("/api/functions/create-checkout", { bookingId: id, isDeposit: false });
  await api.post(`${new URL(url).pathname}/pay`, { maxRedirects: 0 });
  await expect
    .poll(async () => (await call.promoter<{ balance_paid: boolean }>(`/api/bookings/${id}`)).balance_paid)
    .toBe(true);
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
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: change((await answer.json()) as T) });
  });
}
