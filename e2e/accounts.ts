/** What the stories about accounts share: people, their letters, and the forms of signing up, in and out. */
import type { Browser, Page } from "@playwright/test";
import { expect, type Letter, lettersTo, signIn } from "./browser.ts";

/** What everybody in these stories chooses first, and what they choose next. */
export const password = "a quiet lamp backstage";
export const another = "another door behind the curtain";
export type Someone = { name: string; email: string };

let made = 0;
/** A person with an address that nobody has used before. */
export const someone = (name: string): Someone => ({
  name,
  email: `${name.toLowerCase().replaceAll(" ", ".")}-${Date.now()}-${(made += 1)}@example.test`,
});

/** The newest letter to an address whose subject is this one; waits until it has been written. */
export async function letter(page: Page, to: string, subject: string | RegExp): Promise<Letter> {
  const find = async () =>
    (await lettersTo(page, to)).find((one) =>
      typeof subject === "string" ? one.subject === subject : subject.test(one.subject),
    );
  await expect.poll(find, { message: `a letter "${String(subject)}" to ${to}` }).toBeTruthy();
  const found = await find();
  if (!found) throw new Error(`no letter to ${to}`);
  return found;
}

/** The link of a letter; throws when there is none. */
export const linkIn = ({ text }: Letter): string => {
  const link = /https?:\/\/\S+\/auth\/confirm\?\S+/.exec(text)?.[0];
  if (!link) throw new Error("the letter holds no link");
  return link;
};
/** The six figures of a letter, or nothing. */
export const codeIn = ({ text }: Letter): string => /(?<![\w-])\d{6}(?![\w-])/.exec(text)?.[0] ?? "";

/** An account whose mailbox is proven, made by calls; the screens of that have a story of their own. */
export async function openAccount(page: Page, person: Someone): Promise<void> {
  const signUp = await page.request.post("/auth/v1/signup", {
    data: { email: person.email, password, data: { name: person.name, role: "promoter" } },
  });
  expect(signUp.status()).toBe(200);
  const link = new URL(linkIn(await letter(page, person.email, "Confirm your address")));
  const verified = await page.request.post("/auth/v1/verify", {
    data: { type: "signup", token_hash: link.searchParams.get("token_hash") },
  });
  expect(verified.status()).toBe(200);
}

/** Signs up through the form, in the role that is chosen or the first one. */
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

/** Sends the sign-in form, whatever comes of it. */
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

/** Presses Sign Out in one of the areas. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign Out" }).first().click();
  await expect(page.getByRole("button", { name: "Sign Out" })).toHaveCount(0);
}

/** Another browser, with cookies of its own. */
export async function otherBrowser(browser: Browser, email: string, home: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, email, password);
  await page.goto(home);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  return page;
}

/** Fails unless a guarded page sends this browser to sign in. */
export async function expectSignedOut(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page).toHaveURL(/\/auth$/);
}
