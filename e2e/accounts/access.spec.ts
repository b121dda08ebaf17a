import type { Page } from "@playwright/test";
import {
  refetchList,
  expectAccessibleEverywhere,
  expectRefused,
  findEmail,
  openAccount,
  openEmail,
  otherBrowser,
  password,
  signOut,
  someone,
  tryPassword,
} from "../support/accounts.ts";
import { chooseAction, expect, signIn, test } from "../support/browser.ts";

test.use({ allowedComplaints: [/status of 4\d\d/] });

/** Filters the admin's list to one user. */
async function findPerson(page: Page, email: string): Promise<void> {
  await page.goto("/admin/users");
  await page.getByPlaceholder("Search by name or email...").fill(email);
  await expect(page.getByText("1 to 1 of 1")).toBeVisible();
}

async function changeRole(page: Page, name: string, from: string, to: string): Promise<void> {
  await chooseAction(page, name, `Change role to ${to}…`);
  const dialog = page.getByRole("dialog", { name: "Change User Role" });
  await expect(dialog.getByText(new RegExp(`from ${from} to ${to}`))).toBeVisible();
  // The specification requires that a click outside does not close the dialog.
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Change Role" }).click();
  await expect(page.getByText("Role changed")).toBeVisible();
  await expect(page.getByRole("row", { name }).getByText(to.toUpperCase(), { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Close" }).first().click();
}

test("moves an open tab to the new role's area at its next request, in both directions", async ({ page, browser }) => {
  const person = await openAccount(page, someone("Vera Quist"));
  const theirs = await otherBrowser(browser, person.email, "/promoter/bookings");
  await signIn(page, "admin@demo.test");
  await findPerson(page, person.email);
  await changeRole(page, person.name, "promoter", "artist");
  await refetchList(theirs);
  await expect(theirs).toHaveURL("/artist");
  await expect(theirs.getByText("Artist Dashboard").first()).toBeVisible();
  await openEmail(theirs, person.email, "role_changed");
  await expect(theirs).toHaveURL("/artist");

  await theirs.goto("/artist/bookings");
  await expect(theirs.getByRole("heading", { level: 1, name: "Bookings" })).toBeVisible();
  await changeRole(page, person.name, "artist", "promoter");
  await refetchList(theirs);
  await expect(theirs).toHaveURL("/promoter/bookings");
  await findEmail(page, person.email, "Your role is now promoter");
  await openEmail(page, "admin@demo.test", "admin_notice");
  await expect(page).toHaveURL("/admin/users");
  await theirs.context().close();
});

test("signs a suspended user out with the reason, and in again after the restoration", async ({ page, browser }) => {
  const person = await openAccount(page, someone("Silas Brack"));
  const theirs = await otherBrowser(browser, person.email, "/promoter/bookings");
  await signIn(page, "admin@demo.test");
  await findPerson(page, person.email);
  await chooseAction(page, person.name, "Suspend…");
  const dialog = page.getByRole("dialog", { name: "Suspend this user" });
  await expect(dialog).toBeVisible();
  await expectAccessibleEverywhere(page);
  await dialog.getByLabel("Reason").fill("Three fake requests in a week");
  await dialog.getByRole("button", { name: "Suspend" }).click();
  await expect(page.getByText("Three fake requests in a week").first()).toBeVisible();

  await refetchList(theirs);
  await expect(theirs.getByText("Your account is suspended")).toBeVisible();
  await expect(theirs).toHaveURL(/\/auth$/);
  await expectRefused(theirs, person.email, password);
  await expect(theirs.getByText("This account is suspended.")).toBeVisible();
  await openEmail(theirs, person.email, "account_suspended");
  await expect(theirs.getByRole("heading", { level: 1, name: /Contact/ })).toBeVisible();
  await openEmail(page, "admin@demo.test", "admin_notice");
  await expect(page).toHaveURL("/admin/users");

  await findPerson(page, person.email);
  await chooseAction(page, person.name, "Restore…");
  await page.getByRole("dialog", { name: "Restore this user" }).getByRole("button", { name: "Restore" }).click();
  await expect(page.getByRole("row", { name: person.name }).getByText("Suspended")).toHaveCount(0);
  await openEmail(theirs, person.email, "account_restored");
  await expect(theirs).toHaveURL("/auth");
  await tryPassword(theirs, person.email, password);
  await expect(theirs.getByText("Welcome!")).toBeVisible();
  await theirs.context().close();
});

/** Artists of the demo market without an owner. */
const unowned = [
  { name: "The Blue Note Trio", slug: "the-blue-note-trio" },
  { name: "Copper Canyon", slug: "copper-canyon" },
];

for (const [index, artist] of unowned.entries()) {
  const granted = index === 0;
  test(`${granted ? "grants" : "refuses"} an artist's claim of the profile with their name`, async ({
    page,
    browser,
  }) => {
    const person = { ...someone("Claimant"), name: artist.name };
    await openAccount(page, person, "artist");
    const theirs = await otherBrowser(browser, person.email, "/artist");
    await expect(theirs.getByRole("heading", { name: "Is this you?" })).toBeVisible();
    if (granted) await expectAccessibleEverywhere(theirs);
    await theirs.getByLabel("Evidence").fill("Our own site names this address; ask the Waterworks.");
    await theirs.getByRole("button", { name: "Send claim" }).click();
    await expect(theirs.getByText("Waiting", { exact: true })).toBeVisible();

    await signIn(page, "admin@demo.test");
    await openEmail(page, "admin@demo.test", "request_waits");
    await expect(page).toHaveURL("/admin/users");
    const claim = page.getByRole("listitem").filter({ hasText: person.email });
    await expect(claim.getByText("ask the Waterworks")).toBeVisible();
    if (granted) {
      await expectAccessibleEverywhere(page);
      await claim.getByRole("button", { name: /^Grant the claim/ }).click();
      await expect(page.getByText("Claim granted")).toBeVisible();
    } else {
      await claim.getByRole("button", { name: /^Decline the claim/ }).click();
      const dialog = page.getByRole("dialog", { name: "Decline this claim" });
      await dialog.getByLabel("Reason").fill("The site names somebody else.");
      await dialog.getByRole("button", { name: "Decline" }).click();
      await expect(page.getByText("Claim declined")).toBeVisible();
    }
    await expect(claim.getByRole("button", { name: /^Grant the claim/ })).toHaveCount(0);

    await openEmail(theirs, person.email, "claim_decided");
    await expect(theirs).toHaveURL("/artist");
    await expect(theirs.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
    if (granted) {
      await expect(theirs.getByRole("heading", { name: "Is this you?" })).toHaveCount(0);
      await expect(theirs.getByRole("heading", { name: "No artist profile yet" })).toHaveCount(0);
    } else {
      await expect(theirs.getByText("Declined", { exact: true })).toBeVisible();
      await expect(theirs.getByText("The site names somebody else.")).toBeVisible();
    }
    await theirs.context().close();
  });
}

test("ends a session for both browsers when a copy of it is used, and notifies the owner", async ({ page }) => {
  const person = await openAccount(page, someone("Thea Marsh"));
  await signIn(page, person.email, password);
  const copy = (await page.context().cookies()).find((cookie) => cookie.name === "stagedoor_refresh")?.value;
  // Each page load renews the session, so the copy becomes outdated.
  for (let load = 0; load < 2; load += 1) {
    await page.goto("/promoter/bookings");
    await expect(page.getByRole("heading", { level: 1, name: "Bookings" })).toBeVisible();
  }
  const thief = await page.request.post("/auth/v1/token?grant_type=refresh_token", { data: { refresh_token: copy } });
  expect([thief.status(), ((await thief.json()) as { code: string }).code]).toEqual([
    400,
    "refresh_token_already_used",
  ]);
  await refetchList(page);
  await expect(page.getByText("You have been signed out")).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await openEmail(page, person.email, "session_stolen");
  await expect(page.getByRole("heading", { name: "Forgot your password" })).toBeVisible();
  await tryPassword(page, person.email, password);
  await expect(page.getByText("Welcome!")).toBeVisible();
  await page.goto("/account");
  await signOut(page);
});
