import type { Page } from "@playwright/test";
import {
  expectAccessibleEverywhere,
  findEmail,
  openAccount,
  openEmail,
  password,
  signOut,
  someone,
  tryPassword,
} from "../support/accounts.ts";
import { expect, signIn, test } from "../support/browser.ts";

test.use({ allowedComplaints: [/status of 4\d\d/] });

/** Adds a virtual authenticator that stores passkeys. `verifies` false: the user does not verify. */
async function addDevice(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verifies: (isUserVerified: boolean) =>
      devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

test("adds a passkey, signs in with it alone and after the password, also after a change of the address, and removes it", async ({
  page,
}) => {
  const device = await addDevice(page);
  const person = await openAccount(page, someone("Vera Holm"));
  await signIn(page, person.email, password);
  await page.goto("/account");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Save your recovery codes" });
  await expect(dialog.locator("li")).toHaveCount(10);
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: /^Rename / }).click();
  const name = page.getByRole("dialog", { name: "Rename this passkey" }).getByLabel("Name");
  await name.fill("My laptop");
  await name.press("Enter");
  await expect(page.getByText("My laptop")).toBeVisible();
  await expect(page.getByText("Not used yet")).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("This device already has a passkey for your account.")).toBeVisible();
  await findEmail(page, person.email, "A passkey was added");
  await signOut(page);

  await page.goto("/auth");
  await expectAccessibleEverywhere(page);
  await device.verifies(false);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("No passkey was used:")).toBeVisible();
  await device.verifies(true);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("Welcome!")).toBeVisible();
  await page.goto("/account");
  await expect(page.getByText(/Last used/).first()).toBeVisible();

  const next = someone("Vera Lind").email;
  await page.getByLabel("Email", { exact: true }).fill(next);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText(`${next} is not confirmed yet`)).toBeVisible();
  await openEmail(page, person.email, "email_change_old");
  await page.getByRole("button", { name: "Confirm the change" }).click();
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
  await openEmail(page, next, "email_change_new");
  await page.getByRole("button", { name: "Confirm the change" }).click();
  await expect(page.getByText("Your new address is confirmed.")).toBeVisible();
  await page.goto("/account");
  // The confirmation opened a session of the first level.
  await expect(page.getByRole("heading", { name: "Use your passkey" })).toBeVisible();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("Welcome!")).toBeVisible();
  await signOut(page);
  await page.goto("/auth");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("Welcome!")).toBeVisible();
  await page.goto("/account");
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(next);
  await signOut(page);

  await tryPassword(page, next, password);
  await expect(page).toHaveURL("/auth/code");
  await expectAccessibleEverywhere(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("Welcome!")).toBeVisible();

  await page.goto("/account");
  await page.getByRole("button", { name: "Remove My laptop" }).click();
  await page.getByRole("dialog", { name: "Remove passkey" }).getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("The passkey was removed.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Remove My laptop" })).toHaveCount(0);
  await findEmail(page, next, "A passkey was removed");
  await signOut(page);
  await page.goto("/auth");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("This passkey belongs to no account here.")).toBeVisible();
  await signIn(page, next, password);
});
