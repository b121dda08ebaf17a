/** The page of a guest's booking as the server sends it: readable without scripts, and by no other visitor. */

import { paths } from "../../src/platform/site-paths.rules.ts";
import { linkIn } from "../support/accounts.ts";
import { bookingRequest } from "../support/api.ts";
import { dayFromNow, emailsTo, expect, hydrated, signIn, test } from "../support/browser.ts";

test.use({ allowedComplaints: [/status of 404/] });

test("contains the booking for the emailed link and the guest's browser, and nothing for another person", async ({
  page,
  browser,
  baseURL,
}) => {
  const email = `guest-${Date.now()}@example.test`;
  const guest = await browser.newContext({ baseURL: baseURL ?? "", javaScriptEnabled: false });
  const sent = await guest.request.post("/api/bookings", {
    data: bookingRequest(dayFromNow(214), { clientName: "Rosa Lund", clientEmail: email }),
  });
  const { id, number } = (await sent.json()) as { id: string; number: string };
  await guest.request.post(`/api/bookings/${id}/send-link`, { data: {} });
  const find = async () => (await emailsTo(page, email)).find(({ html }) => html.includes(`/booking/${id}?link=`));
  await expect.poll(find).toBeTruthy();
  const link = new URL(linkIn((await find()) ?? { html: "" }));
  const secret = link.searchParams.get("link") ?? "";
  const address = paths.guestBooking(id);
  const withLink = `${address}${link.search}`;

  const reader = await browser.newContext({ baseURL: baseURL ?? "", javaScriptEnabled: false });
  for (const [context, at, links] of [
    [reader, withLink, 0],
    [guest, address, 1],
  ] as const) {
    const shown = await context.newPage();
    const response = await shown.goto(at);
    expect(response?.status()).toBe(200);
    expect(response?.headers()).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    expect(await response?.text()).not.toContain(secret);
    await expect(shown.getByRole("heading", { level: 1, name: /^Electric Dreams, / })).toBeVisible();
    await expect(shown.getByRole("region", { name: "Now" })).toContainText("Now: pay the deposit.");
    await expect(shown.getByRole("list", { name: "Where the money is" })).toContainText("$375");
    await expect(shown.getByText("We email it to both of you once the deposit is paid.")).toBeVisible();
    await expect(shown.getByText(/^Times are in venue time \(US Central\)/)).toBeVisible();
    // Without scripts, a control that does nothing is absent.
    await expect(shown.getByRole("main").getByRole("link", { name: /^Pay Deposit/ })).toHaveCount(links);
    await expect(shown.getByRole("main").getByRole("button")).toHaveCount(0);
  }

  // Only a script knows what the account may see, so the server sends neither the booking nor an error.
  await signIn(page, "promoter@demo.test");
  const html = async (at: string, status: number) => {
    const response = await page.request.get(at);
    expect(response.status()).toBe(status);
    expect(response.headers()["cache-control"]).toBe("no-store");
    const text = await response.text();
    for (const own of [number, "Rosa Lund", email]) expect(text).not.toContain(own);
    return text;
  };
  expect(await html(address, 200)).toContain("Loading the booking");
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1, name: "We cannot open this booking" })).toBeVisible();
  await page.context().clearCookies();
  for (const wrong of [
    address,
    `${address}?link=${secret.split(".")[0]}.${"A".repeat(32)}`,
    paths.guestBooking("unknown", secret),
  ])
    expect(await html(wrong, 404)).toContain("We cannot open this booking");
});

test("sends one request for the link, none for the cookie, and shows the guest's own time", async ({ page }) => {
  // Under load the page would poll within the test.
  await page.addInitScript(() => {
    const start = globalThis.setInterval;
    globalThis.setInterval = ((handler: () => void, ms: number) =>
      ms === 20_000 ? 0 : start(handler, ms)) as typeof start;
  });
  const calls: string[] = [];
  page.on("request", (request) => {
    if (/\/api\/bookings|\/booking\/.*\.data/.test(request.url())) calls.push(new URL(request.url()).pathname);
  });
  const sent = await page.request.post("/api/bookings", {
    data: bookingRequest(dayFromNow(216), { clientEmail: `guest-${Date.now()}@example.test` }),
  });
  const { id, promoter_email: email } = (await sent.json()) as { id: string; promoter_email: string };
  await page.request.post(`/api/bookings/${id}/send-link`, { data: {} });
  const find = async () => (await emailsTo(page, email)).find(({ html }) => html.includes(`/booking/${id}?link=`));
  await expect.poll(find).toBeTruthy();
  await page.context().clearCookies();
  await page.goto(linkIn((await find()) ?? { html: "" }));
  await expect(page).toHaveURL(paths.guestBooking(id));
  await expect(page.getByText(/^Times are in your time zone/)).toBeVisible();
  expect(calls).toEqual([`/api/bookings/${id}/open`]);
  await page.reload();
  await hydrated(page);
  await expect(page.getByText(/^Times are in your time zone/)).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(calls).toEqual([`/api/bookings/${id}/open`]);
});
