/** What every e2e test shares: a page that tolerates no stray complaint, signing in, and the look at accessibility. */
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test as base } from "@playwright/test";

/** A test whose page fails it on console errors, failed scripts and requests to other hosts. */
export const test = base.extend<{ allowedComplaints: RegExp[] }>({
  allowedComplaints: [[], { option: true }],
  page: async ({ page, allowedComplaints, baseURL }, use) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(baseURL ?? "") && !/^(data|blob):/.test(url))
        complaints.push(`request to another host: ${url}`);
    });
    await use(page);
    expect(complaints.filter((text) => !allowedComplaints.some((allowed) => allowed.test(text)))).toEqual([]);
  },
});

export { expect };

export const demoPassword = "demo-password";

/** Signs in through the form and waits for the welcome. */
export async function signIn(page: Page, email: string, password = demoPassword): Promise<void> {
  await page.goto("/auth");
  const panel = page.getByRole("tabpanel", { name: "Sign In" });
  await panel.getByLabel("Email").fill(email);
  await panel.getByLabel("Password", { exact: true }).fill(password);
  await panel.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Welcome! You have been signed in successfully.")).toBeVisible();
  await expect(page).toHaveURL("/");
}

/**
 * Fails on any finding of axe under WCAG 2.2 AA in the first colour scheme. Only colours change with the scheme, so that in the second one
 * contrast is all that is left to check; TEST_DEEP=1 checks everything in both.
 */
export async function expectAccessible(
  page: Page,
  schemes: readonly ("light" | "dark")[] = ["light", "dark"],
): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const axe = new AxeBuilder({ page });
    const onlyContrast = colorScheme !== schemes[0] && process.env["TEST_DEEP"] !== "1";
    const { violations } = await (
      onlyContrast
        ? axe.withRules("color-contrast")
        : axe.withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    ).analyze();
    expect(
      violations.map(
        (found) => `${colorScheme} ${found.id}: ${found.nodes.map((node) => node.target.join(" ")).join(", ")}`,
      ),
    ).toEqual([]);
  }
}

/** A calendar date some days from today, YYYY-MM-DD. */
export function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

export type Email = { to: string; channel: string; subject: string; text: string; html: string; at: string };

/** The emails of an address in the outbox, newest first. */
export async function emailsTo(page: Page, to: string): Promise<Email[]> {
  const answer = await page.request.get(`/api/dev/outbox?to=${encodeURIComponent(to)}`);
  expect(answer.status()).toBe(200);
  return (await answer.json()) as Email[];
}
