import type { Browser, Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { openAccount, password, someone } from "../support/accounts.ts";
import { bookingRequest } from "../support/api.ts";
import { dayFromNow, expect, signIn, test } from "../support/browser.ts";

// A session that ends under an open page has a refused call, which the browser logs.
test.use({ allowedComplaints: [/status of 4\d\d/] });

const anotherBrowser = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage();

const openStreams = async (page: Page): Promise<number> => {
  const figures = await (await page.request.get("/metrics")).text();
  return Number(/^stagedoor_open_streams (\d+)$/m.exec(figures)?.[1]);
};
const untilStreams = (page: Page, count: number) => expect.poll(() => openStreams(page)).toBe(count);

test("shows a new request in the artist's open list without a reload", async ({ page, browser }) => {
  await signIn(page, "artist@demo.test");
  await page.goto("/artist/bookings");
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await untilStreams(page, 1);
  const promoter = await anotherBrowser(browser);
  const tonight = `Live ${Date.now()}`;
  await page.getByRole("searchbox").fill(tonight);
  for (const days of [275, 276, 277]) {
    const name = `${tonight} ${days}`;
    const sent = await promoter.request.post("/api/bookings", {
      data: bookingRequest(dayFromNow(days), { clientName: name, clientEmail: "live@example.test" }),
    });
    expect(sent.status(), await sent.text()).toBe(201);
    await page.getByRole("cell", { name }).first().waitFor({ state: "attached" });
  }
  await promoter.context().close();
});

test("moves a user with a changed role out of the area immediately, and signs a suspended user out", async ({
  page,
  browser,
}) => {
  const person = someone("Robin Vale");
  const other = await anotherBrowser(browser);
  await openAccount(other, person);
  await signIn(other, person.email, password);
  await other.goto("/promoter/bookings");
  await expect(other.getByRole("heading", { level: 1, name: "Bookings" })).toBeVisible();
  await signIn(page, "admin@demo.test");
  await page.goto("/admin/users");
  await untilStreams(page, 2);

  const admin = await callsOf(page);
  const found = await admin("GET", `/api/admin/users?search=${encodeURIComponent(person.email)}`);
  const userId = (found as { items: { userId: string }[] }).items[0]?.userId ?? "";
  await admin("POST", `/api/admin/users/${userId}/role`, { role: "artist" });
  await expect(other).toHaveURL("/artist");
  await untilStreams(page, 2);
  await expect(other.getByText("Artist Dashboard").first()).toBeVisible();

  await admin("POST", `/api/admin/users/${userId}/suspend`, { reason: "A test of suspension." });
  await expect(other).toHaveURL(/\/auth$/);
  await untilStreams(page, 1);
  await expect(other.getByRole("tabpanel", { name: "Sign In" })).toBeVisible();
  await other.context().close();
});

test("shares one stream between two tabs of one browser, and signs both out", async ({ page, context }) => {
  await signIn(page, "promoter@demo.test");
  await page.goto("/promoter/bookings");
  await untilStreams(page, 1);
  const second = await context.newPage();
  await second.goto("/promoter/bookings");
  await expect(second.getByRole("row").nth(1)).toBeVisible();
  await untilStreams(page, 1);

  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await untilStreams(page, 1);
  await second.getByRole("button", { name: "Sign Out" }).first().click();
  await expect(second).toHaveURL("/");
  await untilStreams(page, 0);
});

test("ends the session of another browser when a second factor is set up, and requires it at the next sign-in", async ({
  page,
  browser,
}) => {
  const person = await openAccount(page, someone("Lea Brandt"));
  const other = await anotherBrowser(browser);
  for (const one of [page, other]) {
    await signIn(one, person.email, password);
    await one.goto("/promoter/bookings");
    await expect(one.getByRole("heading", { level: 1, name: "Bookings" })).toBeVisible();
  }
  await untilStreams(page, 2);
  const call = await callsOf(page);
  const { id, totp } = (await call("POST", "/auth/v1/factors", { factor_type: "totp" })) as {
    id: string;
    totp: { secret: string };
  };
  const app = new TOTP({ secret: Secret.fromBase32(totp.secret) });
  const challenge = (await call("POST", `/auth/v1/factors/${id}/challenge`, {})) as { id: string };
  await call("POST", `/auth/v1/factors/${id}/verify`, { challenge_id: challenge.id, code: app.generate() });

  // The other sessions end, because one could be a thief's.
  await expect(other).toHaveURL(/\/auth$/);
  await expect(other.getByRole("tabpanel", { name: "Sign In" })).toBeVisible();
  const panel = other.getByRole("tabpanel", { name: "Sign In" });
  await panel.getByLabel("Email").fill(person.email);
  await panel.getByLabel("Password", { exact: true }).fill(password);
  await panel.getByRole("button", { name: "Sign In" }).click();
  await expect(other).toHaveURL("/auth/code");
  // The code of this half-minute was used. The next one is already valid.
  await other.getByLabel("Six-digit code").fill(app.generate({ timestamp: Date.now() + 30_000 }));
  await expect(other.getByText("Welcome!")).toBeVisible();
  await other.context().close();
});

async function callsOf(page: Page) {
  const authorization = page.waitForRequest((request) => request.headers()["authorization"] !== undefined);
  await page.reload();
  const header = (await authorization).headers()["authorization"] ?? "";
  return async (method: "GET" | "POST", address: string, data?: object): Promise<unknown> => {
    const response = await page.request.fetch(address, {
      method,
      headers: { authorization: header },
      ...(data ? { data } : {}),
    });
    expect(response.status(), await response.text()).toBe(200);
    return response.json();
  };
}
