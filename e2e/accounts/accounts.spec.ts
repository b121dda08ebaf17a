import {
  addAuthenticator,
  another,
  codeIn,
  expectRefused,
  expectSignedOut,
  fillSignUp,
  findEmail,
  linkIn,
  linkFrom,
  openAccount,
  openEmail,
  otherBrowser,
  password,
  signOut,
  someone,
  subjects,
  tryPassword,
} from "../support/accounts.ts";
import { expect, expectAccessible, signIn, test } from "../support/browser.ts";

test.use({ allowedComplaints: [/status of 4\d\d/] });

test("signs up a user whose link a mail scanner opens first, and signs in only on the button", async ({
  page,
  browser,
}) => {
  const person = someone("Hannah Whitt");
  await fillSignUp(page, person);
  await expectRefused(page, person.email, password);
  const link = await linkFrom(page, person.email, "confirm_sign_up");

  const scanner = await browser.newContext();
  for (let request = 0; request < 3; request += 1) expect((await scanner.request.get(link)).status()).toBe(200);
  expect((await scanner.request.head(link)).status()).toBeLessThan(500);
  const curious = await scanner.newPage();
  await curious.goto(link);
  await expect(curious.getByRole("button", { name: "Confirm my address" })).toBeVisible();
  await scanner.close();

  await page.goto(link);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page.getByText("You have been signed in successfully.")).toBeVisible();
  await expect(page).toHaveURL("/");
  await page.goto("/dashboard");
  await expect(page).toHaveURL("/promoter/bookings");
  await expect(page.getByText(person.name).first()).toBeVisible();

  await page.goto(link);
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page.getByRole("heading", { name: "This link has ended" })).toBeVisible();
});

test("verifies the mailbox in another browser, but not the password that was chosen before", async ({
  page,
  browser,
}) => {
  const person = someone("Robin Vale");
  const stranger = await (await browser.newContext()).newPage();
  await fillSignUp(stranger, person, /Artist/);
  await openEmail(page, person.email, "confirm_sign_up");
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await page.getByRole("link", { name: "Set a new password" }).click();
  await page.getByLabel("New password").fill(another);
  await page.getByRole("button", { name: "Save the new password" }).click();
  await expect(page).toHaveURL("/artist");
  await expectRefused(stranger, person.email, password);
  await signIn(stranger, person.email, another);
  await stranger.context().close();
});

test("sends a different email to a known address, and creates no second account", async ({ page }) => {
  const person = await openAccount(page, someone("Dana Marsh"));
  await fillSignUp(page, person);
  await openEmail(page, person.email, "sign_up_known");
  await signIn(page, person.email, password);
});

test("replaces a forgotten password by the link, refuses the old one, and signs out other devices", async ({
  page,
  browser,
}) => {
  const person = await openAccount(page, someone("Ines Okoro"));
  const elsewhere = await otherBrowser(browser, person.email, "/account");
  await page.goto("/auth");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expect(page).toHaveURL("/auth/forgot");
  await page.getByLabel("Email").fill(person.email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText(/If .* has an account/)).toBeVisible();
  const link = await linkFrom(page, person.email, "recovery");
  expect((await page.request.get(link)).status()).toBe(200);
  await page.goto(link);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL("/auth/reset");
  await expectAccessible(page);
  await page.getByLabel("New password").fill(another);
  await page.getByRole("button", { name: "Save the new password" }).click();
  await expect(page).toHaveURL("/promoter/bookings");

  await expectSignedOut(elsewhere, "/account");
  await expectRefused(elsewhere, person.email, password);
  await tryPassword(elsewhere, person.email, another);
  await expect(elsewhere).toHaveURL("/account");
  await elsewhere.context().close();
  await openEmail(page, person.email, "password_changed");
  await expect(page.getByRole("heading", { name: "This was not you?" })).toBeVisible();
  await page.goto(link);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "This link has ended" })).toBeVisible();
});

test("replaces a forgotten password by the emailed code, and accepts no wrong one", async ({ page }) => {
  const person = await openAccount(page, someone("Tove Brandt"));
  await page.goto("/auth/forgot");
  await page.getByLabel("Email").fill(person.email);
  await page.getByRole("button", { name: "Send the link" }).click();
  const field = page.getByLabel("Or enter the code");
  const code = codeIn(await findEmail(page, person.email, subjects.recovery));
  await field.fill(code === "000000" ? "111111" : "000000");
  await page.getByRole("button", { name: "Set new password" }).click();
  await expect(field).toHaveValue("");
  await expect(page).toHaveURL("/auth/forgot");
  await field.fill(code);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Set new password" }).click();
  await expect(page).toHaveURL("/auth/reset");
  await page.getByLabel("New password").fill(another);
  await page.getByRole("button", { name: "Save the new password" }).click();
  await expect(page).toHaveURL("/promoter/bookings");
});

test("changes an address after both mailboxes confirmed, and notifies the old one", async ({ page }) => {
  const person = someone("Marek Lind");
  const next = someone("Marek Lind").email;
  await openAccount(page, person);
  await signIn(page, person.email, password);
  await page.goto("/account");
  await page.getByLabel("Email", { exact: true }).fill(next);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText(`${next} is not confirmed yet`)).toBeVisible();

  await openEmail(page, next, "email_change_new");
  await page.getByRole("button", { name: "Confirm the change" }).click();
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
  await page.goto("/account");
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(person.email);
  await openEmail(page, person.email, "email_change_old");
  await page.getByRole("button", { name: "Confirm the change" }).click();
  await expect(page.getByRole("heading", { name: "Done" })).toBeVisible();
  await page.goto("/account");
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(next);

  expect((await findEmail(page, person.email, "Your address was changed")).text).toContain(next);
  await openEmail(page, person.email, "email_changed");
  await expect(page.getByRole("heading", { name: "This was not you?" })).toBeVisible();
  await page.goto("/account");
  await signOut(page);
  await expectRefused(page, person.email, password);
  await signIn(page, next, password);
});

test("signs in once with a one-time code, typed or by its link", async ({ page }) => {
  const person = await openAccount(page, someone("Noor Haddad"));
  await page.goto("/auth");
  await page.getByRole("link", { name: "Sign in by email" }).click();
  await expect(page).toHaveURL("/auth/mail");
  await page.getByLabel("Email").fill(person.email);
  await page.getByRole("button", { name: "Send the code" }).click();
  const first = await findEmail(page, person.email, "Your sign-in link");
  await expectAccessible(page);
  await page.getByLabel("Code from the email").fill("000000");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Error", { exact: true })).toBeVisible();
  await page.getByLabel("Code from the email").fill(codeIn(first));
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Welcome!")).toBeVisible();
  await expect(page).toHaveURL("/");
  await page.goto(linkIn(first));
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("heading", { name: "This link has ended" })).toBeVisible();
  await page.goto("/account");
  await signOut(page);

  await page.goto("/auth/mail");
  await page.getByLabel("Email").fill(person.email);
  await page.getByRole("button", { name: "Send the code" }).click();
  await expect
    .poll(async () => codeIn(await findEmail(page, person.email, "Your sign-in link")))
    .not.toBe(codeIn(first));
  await openEmail(page, person.email, "magic_link");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("You have been signed in successfully.")).toBeVisible();
  await expect(page).toHaveURL("/");
});

test("sets up a second factor, requires it, and accepts a recovery code once", async ({ page }) => {
  const person = await openAccount(page, someone("Lea Brandt"));
  await signIn(page, person.email, password);
  await page.goto("/account");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page);
  const app = await addAuthenticator(page);
  const dialog = page.getByRole("dialog", { name: "Save your recovery codes" });
  await expect(dialog).toBeVisible();
  const codes = await dialog.locator("li").allInnerTexts();
  expect(new Set(codes).size).toBe(10);
  await expect(dialog.getByRole("button", { name: "Done" })).toBeDisabled();
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "New recovery codes" })).toBeVisible();
  await openEmail(page, person.email, "recovery_codes_changed");
  await expect(page.getByRole("heading", { name: "This was not you?" })).toBeVisible();
  await openEmail(page, person.email, "second_factor_changed");
  await expect(page.getByRole("heading", { name: "This was not you?" })).toBeVisible();
  await page.goto("/account");
  await expect(page.getByRole("button", { name: "Remove Authenticator app" })).toBeVisible();
  await signOut(page);

  await tryPassword(page, person.email, password);
  await expect(page).toHaveURL("/auth/code");
  await expectAccessible(page);
  await page.goto("/promoter/bookings");
  await expect(page).toHaveURL("/auth/code");
  await page.getByLabel("Six-digit code").fill("000000");
  await expect(page.getByText("Error", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Six-digit code")).toHaveValue("");
  await expect(page.getByLabel("Six-digit code")).toHaveAccessibleDescription(/^This code is wrong/);
  // The code of this half-minute was used at the setup. The next one is already valid.
  await page.getByLabel("Six-digit code").fill(app.generate({ timestamp: Date.now() + 30_000 }));
  await expect(page.getByText("Welcome!")).toBeVisible();
  await expect(page).toHaveURL("/promoter/bookings");
  await signOut(page);

  const [paper = ""] = codes;
  for (const works of [true, false]) {
    await tryPassword(page, person.email, password);
    await expect(page).toHaveURL("/auth/code");
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(paper);
    await page.getByRole("button", { name: "Sign In" }).click();
    if (works) {
      await expect(page.getByText("Welcome!")).toBeVisible();
      await openEmail(page, person.email, "recovery_code_used");
      await expect(page.getByRole("heading", { name: "This was not you?" })).toBeVisible();
      await page.goto("/account");
      await expect(page.getByText("9 of 10 recovery codes are left.")).toBeVisible();
      await signOut(page);
    } else {
      const refused = "This recovery code is wrong or was already used.";
      await expect(page.getByLabel("Recovery code")).toHaveAccessibleDescription(new RegExp(refused));
      await expect(page).toHaveURL("/auth/code");
    }
  }
});

test("ends the session of the other browser immediately when the user signs out everywhere", async ({
  page,
  browser,
}) => {
  const person = await openAccount(page, someone("Sam Ferro"));
  const elsewhere = await otherBrowser(browser, person.email, "/account");
  await signIn(page, person.email, password);
  await page.goto("/account");
  await expect(page.getByText("This device")).toHaveCount(1);
  await expect(page.getByRole("button", { name: /^Sign out (?!everywhere)/ }).first()).toBeVisible();
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page).toHaveURL("/");
  // The open page is notified without any action.
  await expect(elsewhere.getByText("You have been signed out")).toBeVisible();
  await expect(elsewhere).toHaveURL(/\/auth$/);
  await expectSignedOut(elsewhere, "/account");
  await elsewhere.context().close();
});

test("signs a deleted account out in both browsers, and refuses its password", async ({ page, browser }) => {
  const person = await openAccount(page, someone("Tom Iversen"));
  const elsewhere = await otherBrowser(browser, person.email, "/account");
  await signIn(page, person.email, password);
  await page.goto("/account");
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete account" });
  await dialog.getByLabel("Your own password").fill("not the password");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(dialog.getByText("The password is wrong.")).toBeVisible();
  await dialog.getByLabel("Your own password").fill(password);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByText("Account deleted")).toBeVisible();
  await expectSignedOut(elsewhere, "/account");
  await expectRefused(elsewhere, person.email, password);
  expect((await findEmail(page, person.email, "Your account was deleted")).text).toContain("invoices and decisions");
  await elsewhere.context().close();
});
