import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import {
  addAuthenticator,
  another,
  codeIn,
  expectAccessibleEverywhere,
  expectRefused,
  fillSignUp,
  keepRecoveryCodes,
  findEmail,
  linkFrom,
  openAccount,
  openEmail,
  password,
  signOut,
  someone,
  tryPassword,
} from "../support/accounts.ts";
import { expect, emailsTo, signIn, test } from "../support/browser.ts";
import { daily } from "../support/tier.ts";

test.use({ allowedComplaints: [/status of 4\d\d/] });

let numbers = 0;
const somePhone = () => `+1512${String(5_550_000 + (numbers += 1)).padStart(7, "0")}`;

/** Returns the newest SMS code of a number other than `known`. */
async function smsCode(page: Page, phone: string, known = ""): Promise<string> {
  const newest = async () => {
    const [message] = await emailsTo(page, phone);
    return message ? codeIn(message) : "";
  };
  await expect.poll(async () => ["", known].includes(await newest())).toBe(false);
  return newest();
}

test("adds a number with its code, requests another code, and signs in both ways", async ({ page }) => {
  const person = someone("Pia Lorenz");
  const phone = somePhone();
  await openAccount(page, person);
  await signIn(page, person.email, password);
  await page.clock.install();
  await page.goto("/account");
  await page.getByLabel("Phone (optional)").fill(phone);
  await page.getByRole("button", { name: "Save Changes" }).click();
  const field = page.getByLabel(`Code from the message to ${phone}`);
  await expect(field).toBeVisible();
  const first = await smsCode(page, phone);
  await expect(page.getByRole("button", { name: /^Send it again in \d+ s$/ })).toBeDisabled();
  await page.clock.fastForward(61_000);
  await page.getByRole("button", { name: "Send it again" }).click();
  const second = await smsCode(page, phone, first);
  await expectAccessibleEverywhere(page);
  await field.fill(second);
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(field).toHaveCount(0);
  await expect(page.getByLabel("Phone (optional)")).toHaveValue(phone);
  await signOut(page);

  await page.goto("/auth");
  await page.getByRole("link", { name: "use your phone instead" }).click();
  await expect(page).toHaveURL("/auth/phone");
  await expectAccessibleEverywhere(page);
  await page.getByLabel("Phone").fill(phone);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Error", { exact: true })).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Welcome!")).toBeVisible();
  await page.goto("/account");
  await signOut(page);

  await page.goto("/auth/phone");
  await page.getByLabel("Phone").fill(phone);
  await page.getByRole("button", { name: "Get a code by SMS instead" }).click();
  await page.getByRole("button", { name: "Send the code" }).click();
  await expect(page.getByLabel("Code from the message")).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.getByLabel("Code from the message").fill(await smsCode(page, phone, second));
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Welcome!")).toBeVisible();
  await expect(page).toHaveURL("/");

  await page.goto("/account");
  await page.getByLabel("Phone (optional)").fill("");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("Your phone number is removed.")).toBeVisible();
  await findEmail(page, person.email, "Your phone number was removed");
  await openEmail(page, person.email, "phone_changed");
  await expect(page.getByRole("heading", { name: "This was not you?" })).toBeVisible();
});

test("confirms a sign-up by the emailed code, and sets the password again", async ({ page }) => {
  const person = someone("Runa Falk");
  await fillSignUp(page, person);
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.reload();
  await page
    .getByLabel("Or enter the code from the email")
    .fill(codeIn(await findEmail(page, person.email, "Confirm your address")));
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page).toHaveURL("/auth/reset");
  await page.getByLabel("New password").fill(another);
  await page.getByRole("button", { name: "Save the new password" }).click();
  await expect(page).toHaveURL("/promoter/bookings");
  await signOut(page);
  await expectRefused(page, person.email, password);
  await signIn(page, person.email, another);
});

test("displays a pending address change, withdraws it, and voids its links", async ({ page }) => {
  const person = someone("Olga Reiter");
  const next = someone("Olga Reiter").email;
  await openAccount(page, person);
  await signIn(page, person.email, password);
  await page.goto("/account");
  await page.getByLabel("Email", { exact: true }).fill(next);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText(`${next} is not confirmed yet`)).toBeVisible();
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(person.email);
  const link = await linkFrom(page, next, "email_change_new");
  await page.getByRole("button", { name: "Withdraw the change" }).click();
  await expect(page.getByText(`${next} waits`)).toHaveCount(0);
  await page.goto(link);
  await page.getByRole("button", { name: "Confirm the change" }).click();
  await expect(page.getByRole("heading", { name: "This link has ended" })).toBeVisible();
});

test(
  "signs in with each of several authenticators, and removes each after confirmation and reauthentication",
  { tag: daily },
  async ({ page }) => {
    const person = await openAccount(page, someone("Nils Aaby"));
    await signIn(page, person.email, password);
    await page.goto("/account");
    await addAuthenticator(page, "My phone");
    await keepRecoveryCodes(page);
    const tablet = await addAuthenticator(page, "Old tablet");
    await expect(page.getByText("Old tablet is added.")).toBeVisible();
    await expectAccessibleEverywhere(page);
    await signOut(page);

    await tryPassword(page, person.email, password);
    await expect(page).toHaveURL("/auth/code");
    await expectAccessibleEverywhere(page);
    await page.getByLabel("Authenticator").selectOption("Old tablet");
    // The code of this half-minute was used at the setup. The next one is already valid.
    await page.getByLabel("Six-digit code").fill(tablet.generate({ timestamp: Date.now() + 30_000 }));
    await expect(page.getByText("Welcome!")).toBeVisible();

    await page.goto("/account");
    // Simulates a reauthentication older than ten minutes: the first removal fails.
    await page.route(
      /\/auth\/v1\/factors\/(?!recovery-codes)[^/]+$/,
      (route) =>
        route.fulfill({
          status: 403,
          json: { error_code: "reauthentication_needed", message: "Please prove yourself." },
        }),
      { times: 1 },
    );
    await page.getByRole("button", { name: "Remove My phone" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    const proof = page.getByRole("dialog", { name: "Confirm it's you" });
    await expect(proof).toBeVisible();
    await expectAccessibleEverywhere(page);
    await proof.getByLabel("Your own password").fill("not the password");
    await proof.getByRole("button", { name: "Continue" }).click();
    await expect(proof.getByText("The password is wrong.")).toBeVisible();
    await proof.getByRole("button", { name: "Use a code from an email instead" }).click();
    await proof.getByRole("button", { name: "Send the code" }).click();
    await proof
      .getByLabel("Confirmation code")
      .fill(codeIn(await findEmail(page, person.email, "Your confirmation code")));
    await proof.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("button", { name: "Remove My phone" })).toHaveCount(0);

    await page.getByRole("button", { name: "Remove Old tablet" }).click();
    await page.getByRole("button", { name: "Turn off" }).click();
    await expect(page.getByRole("button", { name: "Set up" })).toBeVisible();
    await findEmail(page, person.email, "Two-factor sign-in is off");
    await signOut(page);
    await signIn(page, person.email, password);
  },
);

test("exports the stored data without credentials", async ({ page }) => {
  const person = await openAccount(page, someone("Ugo Serra"));
  await signIn(page, person.email, password);
  await page.goto("/account");
  const arrives = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export data" }).click();
  const file = await arrives;
  expect(file.suggestedFilename()).toBe("stagedoor-my-data.json");
  const text = await readFile(await file.path(), "utf8");
  const copy = JSON.parse(text) as { tables: Record<string, object[]> };
  expect(copy.tables["profiles"]).toMatchObject([{ email: person.email, name: person.name, role: "promoter" }]);
  expect(Object.keys(copy.tables)).toContain("sessions");
  expect(text).not.toMatch(/argon2|refresh_token|BEGIN PRIVATE/);
});

test("deletes an account without a password by an emailed code", async ({ page, browser }) => {
  const person = someone("Wanda Kohl");
  const stranger = await (await browser.newContext()).newPage();
  await fillSignUp(stranger, person);
  await stranger.context().close();
  // Confirmed in another browser, so the chosen password does not count and none is set here.
  await openEmail(page, person.email, "confirm_sign_up");
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await page.getByRole("link", { name: "Set a new password" }).click();
  await page.getByRole("link", { name: "Not now" }).click();
  await expect(page).toHaveURL("/promoter/bookings");
  await page.goto("/account");
  await expect(page.getByRole("button", { name: "Set Password" })).toBeVisible();
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete account" });
  await expect(dialog.getByLabel("Your own password")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Send the code" }).click();
  await dialog.getByLabel("Confirmation code").fill("000000");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(dialog.getByText(/wrong or has expired/)).toBeVisible();
  await expectAccessibleEverywhere(page);
  await dialog
    .getByLabel("Confirmation code")
    .fill(codeIn(await findEmail(page, person.email, "Your confirmation code")));
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByText("Account deleted")).toBeVisible();
  await expectRefused(page, person.email, password);
});
