import {
  addAuthenticator,
  another,
  expectAccessibleEverywhere,
  expectRefused,
  keepRecoveryCodes,
  openAccount,
  openEmail,
  password,
  someone,
  tryPassword,
} from "../support/accounts.ts";
import { expect, signIn, test } from "../support/browser.ts";

test.use({ allowedComplaints: [/status of 4\d\d/] });

test("undoes a changed password once by the notice's link, and signs in through the mailbox", async ({
  page,
  browser,
}) => {
  const person = await openAccount(page, someone("Irma Stein"));
  const thief = await (await browser.newContext()).newPage();
  await signIn(thief, person.email, password);
  await thief.goto("/account");
  await thief.getByLabel("Current password").fill("not the password");
  await thief.getByLabel("New password").fill(another);
  await thief.getByRole("button", { name: "Change Password" }).click();
  await expect(thief.getByText("The password is wrong.")).toBeVisible();
  await thief.getByLabel("Current password").fill(password);
  await thief.getByRole("button", { name: "Change Password" }).click();
  await expect(thief.getByText("Your password has been changed.")).toBeVisible();

  await openEmail(page, person.email, "password_changed");
  const link = page.url();
  await expect(page.getByRole("heading", { name: "This was not you?" })).toBeVisible();
  await expectAccessibleEverywhere(page);
  // Opening the page changes nothing.
  await thief.reload();
  await expect(thief).toHaveURL("/account");
  await page.getByRole("button", { name: "Undo the change" }).click();
  await expect(page.getByRole("heading", { name: "The change is undone" })).toBeVisible();
  await expect(page.getByText("The new password no longer works.")).toBeVisible();
  await expectAccessibleEverywhere(page);
  await thief.goto("/account");
  await expect(thief).toHaveURL("/auth");
  await thief.context().close();
  for (const word of [password, another]) await expectRefused(page, person.email, word);

  await page.goto(link);
  await page.getByRole("button", { name: "Undo the change" }).click();
  await expect(page.getByRole("heading", { name: "This link has ended" })).toBeVisible();
  await openEmail(page, person.email, "account_change_undone");
  await expect(page).toHaveURL("/auth/forgot");
  await page.getByLabel("Email").fill(person.email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await openEmail(page, person.email, "recovery");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("New password").fill("words of the owner alone");
  await page.getByRole("button", { name: "Save the new password" }).click();
  await expect(page).toHaveURL("/promoter/bookings");
});

test("removes an authenticator that another user added by the notice's link", async ({ page, browser }) => {
  const person = await openAccount(page, someone("Uwe Falk"));
  const thief = await (await browser.newContext()).newPage();
  await signIn(thief, person.email, password);
  await thief.goto("/account");
  await addAuthenticator(thief, "Not the owner's");
  await keepRecoveryCodes(thief);
  await tryPassword(page, person.email, password);
  await expect(page).toHaveURL("/auth/code");
  await openEmail(page, person.email, "second_factor_changed");
  await page.getByRole("button", { name: "Undo the change" }).click();
  await expect(page.getByText("The authenticator app or passkey that was added is removed.")).toBeVisible();
  await expect(page.getByText("The recovery codes no longer work.")).toBeVisible();
  await thief.goto("/account");
  await expect(thief).toHaveURL("/auth");
  await thief.context().close();
});
