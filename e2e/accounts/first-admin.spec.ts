/** An empty market outside demo mode: the admin role cannot be chosen, and the operator CLI's token makes the first admin. */

import type { Browser, Page } from "@playwright/test";
import {
  addAuthenticator,
  expectAccessibleEverywhere,
  keepRecoveryCodes,
  linkIn,
  password,
  signOut,
  type Someone,
  someone,
  subjects,
} from "../support/accounts.ts";
import { expect, test } from "../support/browser.ts";
import { type ProductionServer, startProductionServer } from "../support/production-server.ts";

let server: ProductionServer;
test.beforeAll(async () => {
  // A first start on a busy machine is slow, because it creates the database and loads the command line.
  server = await startProductionServer();
});
test.afterAll(async () => server.close());

const linkFrom = async (to: string, template: "admin_request_refused"): Promise<string> =>
  linkIn(await server.mail(to, subjects[template]));

/** Signs up a user who requests the admin role, confirms by email, and works as a promoter. */
async function requestAdminRole(browser: Browser, person: Someone): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: server.url })).newPage();
  await page.goto("/auth?tab=sign-up");
  const panel = page.getByRole("tabpanel", { name: "Sign Up" });
  await expect(panel.getByText("The admin role is granted by an admin.")).toBeVisible();
  await panel.getByLabel("Full name").fill(person.name);
  await panel.getByLabel("Email").fill(person.email);
  await panel.getByLabel("Password", { exact: true }).fill(password);
  await panel.getByLabel("Admin", { exact: true }).check();
  await panel.getByRole("button", { name: "Sign Up" }).click();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  await page.goto(linkIn(await server.mail(person.email, "Confirm your address")));
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/dashboard");
  await expect(page).toHaveURL(`${server.url}/promoter/bookings`);
  await expect(page.getByText("You requested to be an admin.")).toBeVisible();
  return page;
}

test("makes the first admin by the operator's token, who sets up a second factor and decides about the others", async ({
  browser,
}) => {
  const [first, wanted, stranger] = [someone("Ines Okoro"), someone("Mara Lindqvist"), someone("Rolf Tanner")];
  const page = await requestAdminRole(browser, first);
  await expectAccessibleEverywhere(page);

  const token = (await server.console("first-admin")).trim().split("\n").at(-1) ?? "";
  await page.goto("/account");
  await page.getByText("I have a token").click();
  await page.getByLabel("Token").fill("not the token");
  await page.getByRole("button", { name: "Become admin" }).click();
  await expect(page.getByText(/This token is wrong/)).toBeVisible();
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Become admin" }).click();
  await expect(page.getByText("You are an admin now")).toBeVisible();
  await expect(page.getByText("You are an admin, so your account can open all accounts.")).toBeVisible();

  // Outside demo mode the admin area requires a second factor, and redirects to the account page.
  await page.goto("/dashboard");
  await expect(page).toHaveURL(`${server.url}/account#second-factor`);
  await expectAccessibleEverywhere(page);
  const app = await addAuthenticator(page, "My phone");
  await keepRecoveryCodes(page);
  await expect(page.getByRole("button", { name: "Remove My phone" })).toBeVisible();
  await page.goto(linkIn(await server.mail(first.email, "Two-factor sign-in is on")));
  await expect(page).toHaveURL(/\/auth\/undo\?/);
  await page.goto("/admin");
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await signOut(page);

  await page.goto("/auth");
  await page.getByLabel("Email").fill(first.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("tabpanel").getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(`${server.url}/auth/code`);
  // The code of this half-minute was used at the setup. The next one is already valid.
  await page.getByLabel("Six-digit code").fill(app.generate({ timestamp: Date.now() + 30_000 }));
  await expect(page.getByText("Welcome!")).toBeVisible();

  const granted = await requestAdminRole(browser, wanted);
  const refused = await requestAdminRole(browser, stranger);
  await page.goto("/admin/users");
  await expect(page.getByRole("heading", { name: "Admin requests" })).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.getByRole("button", { name: `Make admin: ${wanted.name}` }).click();
  await expect(page.getByText("Request granted")).toBeVisible();
  await page.getByRole("button", { name: `Decline the request of ${stranger.name}` }).click();
  await expect(page.getByText("Request declined")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Admin requests" })).toHaveCount(0);

  await granted.goto(linkIn(await server.mail(wanted.email, "Your role is now admin")));
  await expect(granted).toHaveURL(`${server.url}/account#second-factor`);
  await refused.goto(await linkFrom(stranger.email, "admin_request_refused"));
  await expect(refused).toHaveURL(`${server.url}/promoter/bookings`);
  await expect(refused.getByText("You requested to be an admin.")).toHaveCount(0);
  await refused.goto("/admin/users");
  await expect(refused).toHaveURL(`${server.url}/promoter/bookings`);
  await page.goto(linkIn(await server.mail(first.email, "Done in your name")));
  await expect(page).toHaveURL(`${server.url}/admin/users`);
  for (const one of [page, granted, refused]) await one.context().close();
});
