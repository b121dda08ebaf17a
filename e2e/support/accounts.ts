import type { Browser, Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { expect, expectAccessible, type Email, emailsTo, signIn } from "./browser.ts";

/** The first password of every user, and the second one. */
export const password = "a quiet lamp backstage";
export const another = "another door behind the curtain";
export type Someone = { name: string; email: string };

let made = 0;
export const someone = (name: string): Someone => ({
  name,
  email: `${name.toLowerCase().replaceAll(" ", ".")}-${Date.now()}-${(made += 1)}@example.test`,
});

/** Waits for the newest email to an address with this subject. */
export async function findEmail(page: Page, to: string, subject: string | RegExp): Promise<Email> {
  const find = async () =>
    (await emailsTo(page, to)).find((one) =>
      typeof subject === "string" ? one.subject === subject : subject.test(one.subject),
    );
  await expect.poll(find, { message: `an email "${String(subject)}" to ${to}` }).toBeTruthy();
  const found = await find();
  if (!found) throw new Error(`no email to ${to}`);
  return found;
}

/** The subjects of account emails with a link, by template. test/architecture requires an e2e test of each. */
export const subjects = {
  confirm_sign_up: "Confirm your address",
  sign_up_known: "You already have an account",
  recovery: "Set a new password",
  magic_link: "Your sign-in link",
  email_change_new: "Confirm your new address",
  email_change_old: "Confirm the change of your address",
  email_changed: "Your address was changed",
  phone_changed: /^Your phone number was/,
  password_changed: "Your password was changed",
  session_stolen: "A device of yours was signed out",
  second_factor_changed: /^Two-factor sign-in is o/,
  recovery_codes_changed: "New recovery codes were created",
  recovery_code_used: "A recovery code was used",
  identity_added: /^You can now sign in with /,
  account_change_undone: "A change of your account was undone",
  role_changed: /^Your role is now/,
  account_suspended: "Your account is suspended",
  account_restored: "Your account is reopened",
  admin_notice: "Done in your name",
  request_waits: "Action required: review a request",
  admin_request_refused: "Your request to become an admin",
  claim_decided: /( is yours|^Your request for )/,
} as const;
export type Template = keyof typeof subjects;

/** Returns the URL of an email's button. Throws if there is none. */
export const linkIn = ({ html }: Pick<Email, "html">): string => {
  const link = /href="(http[^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
  if (!link) throw new Error("the email holds no link");
  return link;
};

export const linkFrom = async (page: Page, to: string, template: Template): Promise<string> =>
  linkIn(await findEmail(page, to, subjects[template]));

export const openEmail = async (page: Page, to: string, template: Template): Promise<void> =>
  void (await page.goto(await linkFrom(page, to, template)));

/** Returns the six digits of an email, or an empty string. */
export const codeIn = ({ text }: Email): string => /(?<![\w-])\d{6}(?![\w-])/.exec(text)?.[0] ?? "";

/** Makes an account with a verified address by API calls. Its screens are tested separately. */
export async function openAccount(
  page: Page,
  person: Someone,
  role: "promoter" | "artist" | "admin" = "promoter",
): Promise<Someone> {
  const signUp = await page.request.post("/auth/v1/signup", {
    data: { email: person.email, password, data: { name: person.name, role } },
  });
  expect(signUp.status()).toBe(200);
  const link = new URL(await linkFrom(page, person.email, "confirm_sign_up"));
  const verified = await page.request.post("/auth/v1/verify", {
    data: { type: "signup", token_hash: link.searchParams.get("token_hash") },
  });
  expect(verified.status()).toBe(200);
  return person;
}

/** Signs up by the form, in the given role or the first one. */
export async function fillSignUp(page: Page, { name, email }: Someone, role?: RegExp): Promise<void> {
  await page.goto("/auth?tab=sign-up");
  const panel = page.getByRole("tabpanel", { name: "Sign Up" });
  await panel.getByLabel("Full name").fill(name);
  await panel.getByLabel("Email").fill(email);
  await panel.getByLabel("Password", { exact: true }).fill(password);
  if (role) await panel.getByLabel(role).check();
  await panel.getByRole("button", { name: "Sign Up" }).click();
  await expect(page.getByText("Account created!")).toBeVisible();
}

/** Sends the sign-in form without checking the result. */
export async function tryPassword(page: Page, email: string, typed: string): Promise<void> {
  await page.goto("/auth");
  const panel = page.getByRole("tabpanel", { name: "Sign In" });
  await panel.getByLabel("Email").fill(email);
  await panel.getByLabel("Password", { exact: true }).fill(typed);
  await panel.getByRole("button", { name: "Sign In" }).click();
}

/** Fails unless the sign-in form refuses this password. */
export async function expectRefused(page: Page, email: string, typed: string): Promise<void> {
  await tryPassword(page, email, typed);
  await expect(page.getByText("Error", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign Out" }).first().click();
  await expect(page.getByRole("button", { name: "Sign Out" })).toHaveCount(0);
}

/** Signs in in a separate browser. */
export async function otherBrowser(browser: Browser, email: string, home: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, email, password);
  await page.goto(home);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  return page;
}

/** Fails unless a guarded page redirects this browser to the sign-in. */
export async function expectSignedOut(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page).toHaveURL(/\/auth$/);
}

/** Fails on any axe violation on desktop in light and on the phone in dark. TEST_DEEP=1 checks both in both. */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  const before = page.viewportSize();
  const all = process.env["TEST_DEEP"] === "1";
  for (const [width, scheme] of [
    [1280, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await expectAccessible(page, all ? undefined : [scheme]);
  }
  if (before) await page.setViewportSize(before);
}

/** Makes a list fetch again by a search. The page may already have changed. */
export async function refetchList(page: Page): Promise<void> {
  const search = page.getByRole("main").getByRole("searchbox");
  if (await search.isVisible()) await search.fill("x", { timeout: 3_000 }).catch(() => page.waitForLoadState());
}

/** Sets up an authenticator on the account page, with the given or the proposed name. Returns the app. */
export async function addAuthenticator(page: Page, name?: string): Promise<TOTP> {
  await page.getByRole("button", { name: /^(Set up|Add another)$/ }).click();
  if (name !== undefined) await page.getByLabel("Name of the authenticator").fill(name);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByAltText("QR code for your authenticator app")).toBeVisible();
  const key = /[A-Z2-7 ]{20,}$/.exec((await page.getByText(/Type this key:/).innerText()).trim())?.[0] ?? "";
  const app = new TOTP({ secret: Secret.fromBase32(key.replaceAll(" ", "")) });
  await page.getByLabel("Type the code it shows").fill(app.generate());
  await page.getByRole("button", { name: "Turn on" }).click();
  return app;
}

/** Confirms the dialog of the recovery codes. Returns the codes. */
export async function keepRecoveryCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole("dialog", { name: "Save your recovery codes" });
  await expect(dialog).toBeVisible();
  const codes = await dialog.locator("li").allInnerTexts();
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  return codes;
}
