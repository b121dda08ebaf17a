/** Layout rules from the screen reviews that only a real browser can test. */

import { paths } from "../../src/platform/site-paths.rules.ts";
import { password } from "../support/accounts.ts";
import { expect, hydrated, signIn, test } from "../support/browser.ts";
import { doubleText } from "../support/layout.ts";

const phone = { width: 390, height: 844 };

test("displays the chosen genre on a phone, and each genre as a target of 44 px", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto("/?genre=soul");
  const genre = page.getByRole("group", { name: "Genre" }).locator("label").filter({ hasText: "soul" });
  const shown = () =>
    genre.evaluate((label) => {
      const [own, strip] = [label.getBoundingClientRect(), label.parentElement?.getBoundingClientRect()];
      return own.left >= (strip?.left ?? 0) - 1 && own.right <= (strip?.right ?? 0) + 1;
    });
  await expect.poll(shown).toBe(true);
  const heights = await page
    .getByRole("group", { name: "Genre" })
    .locator("label")
    .evaluateAll((labels) => labels.map((label) => Math.round(label.getBoundingClientRect().height)));
  expect(heights.length).toBe(12);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
});

test("aligns the search fields with the list below them", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/");
  const fields = page.getByRole("search");
  const edges = await fields.evaluate((form) => {
    const boxes = Array.from(form.querySelectorAll("input[type=search], input[type=date], select"), (field) =>
      field.getBoundingClientRect(),
    );
    const bottoms = boxes.map((box) => Math.round(box.bottom));
    return {
      left: Math.round(Math.min(...boxes.map((box) => box.left))),
      right: Math.round(Math.max(...boxes.map((box) => box.right))),
      bottoms: [...new Set(bottoms)],
    };
  });
  const section = await page
    .locator("#browse")
    .getByRole("list")
    .first()
    .evaluate((list) => {
      const { left, right } = list.getBoundingClientRect();
      return { left: Math.round(left), right: Math.round(right) };
    });
  expect(edges.bottoms).toHaveLength(1);
  expect(Math.abs(edges.left - section.left)).toBeLessThanOrEqual(1);
  expect(Math.abs(edges.right - section.right)).toBeLessThanOrEqual(1);
});

test("does not load a style sheet that is in the page", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("checkbox", { name: /^Compare / }).first()).toBeVisible();
  const sheets = await page
    .locator("link[rel=stylesheet]")
    .evaluateAll((links: HTMLLinkElement[]) =>
      links.map(({ href, disabled }) => ({ address: href.split("#")[0], disabled })),
    );
  const addresses = (disabled: boolean) =>
    sheets.flatMap((sheet) => (sheet.disabled === disabled ? sheet.address : []));
  expect(addresses(true).length).toBeGreaterThan(0);
  expect(addresses(true).filter((address) => addresses(false).includes(address))).toEqual([]);
});

test("draws the sticky header opaque", async ({ page }) => {
  await page.goto("/");
  const header = page.locator("header").first();
  const style = await header.evaluate((element) => {
    const { backgroundColor, opacity, position } = getComputedStyle(element);
    return { backgroundColor, opacity, position };
  });
  expect(style.position).toBe("sticky");
  expect(style.opacity).toBe("1");
  expect(style.backgroundColor).toMatch(/^rgb\(|^oklch\([^/]*\)$|^color\([^/]*\)$/);
});

test("prints a profile on white in a dark browser", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark", media: "print" });
  await page.goto("/artist/electric-dreams");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const lightness = await page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const shade = (color: string) => {
      if (!canvas) return -1;
      canvas.fillStyle = "#fff";
      canvas.fillRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return Math.round((red + green + blue) / 3);
    };
    const heading = document.querySelector("h1") ?? document.body;
    return {
      page: shade(getComputedStyle(document.body).backgroundColor),
      text: shade(getComputedStyle(heading).color),
    };
  });
  expect(lightness.page).toBeGreaterThan(240);
  expect(lightness.text).toBeLessThan(100);
});

test("follows the system's color scheme on a page that a link of the dashboard opened", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await signIn(page, "promoter@demo.test");
  await page.goto("/promoter/bookings");
  await page.getByRole("link", { name: "Stagedoor", exact: true }).click();
  await expect(page).toHaveURL("/");
  const textColor = () => page.evaluate(() => getComputedStyle(document.body).color);
  const light = await textColor();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(textColor).not.toBe(light);
});

test("displays the time zone in the outbox", async ({ page, request }) => {
  const someone = "zone-of-the-outbox@example.test";
  const response = await request.post("/auth/v1/signup", { data: { email: someone, password } });
  expect(response.status()).toBe(200);
  await page.goto(`/dev/outbox?q=${someone}`);
  await expect(page.getByRole("navigation", { name: "Messages" })).toContainText(/\d\d:\d\d (?:[A-Z]{2,5}|GMT[+-]\d+)/);
});

test("links a signed-in user from the hero to their dashboard", async ({ page }) => {
  await signIn(page, "promoter@demo.test");
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Dashboard" })).toHaveCount(1);
  await page.getByRole("link", { name: "Get Started" }).click();
  await expect(page).toHaveURL("/promoter/bookings");
});

for (const [what, viewport] of [
  ["a laptop", { width: 1280, height: 800 }],
  ["a phone", phone],
] as const)
  test(`fits the sign-in into the window of ${what}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.goto("/auth");
    const button = page.getByRole("tabpanel", { name: "Sign In" }).getByRole("button", { name: "Sign In" });
    await expect(button).toBeInViewport({ ratio: 1 });
    const beyond = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
    expect(beyond).toBeLessThanOrEqual(0);
  });

test("leaves half of a phone to the booking form at doubled text, and covers no focused field of a low window", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(paths.book("electric-dreams"));
  await hydrated(page);
  await doubleText(page, true);
  const bar = page.getByRole("button", { name: "Request booking" }).locator("..");
  await expect.poll(async () => (await bar.boundingBox())?.height).toBeLessThan(400);
  await doubleText(page, false);
  await page.setViewportSize({ width: 320, height: 256 });
  for (const label of [
    "Event location",
    "Guest count (optional)",
    "Full name",
    "Email",
    "Special requests (optional)",
  ]) {
    const field = page.getByLabel(label, { exact: true });
    await field.focus();
    const isVisible = () =>
      field.evaluate((element) => {
        const { left, top, width } = element.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + 10) === element;
      });
    await expect.poll(isVisible, { message: label }).toBe(true);
  }
});

test("marks a pressed length and the chosen genre in forced colors", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  const backgrounds = (of: string) =>
    page.locator(of).evaluateAll((all) => new Set(all.map((one) => getComputedStyle(one).backgroundColor)).size);
  await page.goto("/?genre=soul");
  await expect.poll(() => backgrounds("fieldset[aria-label=Genre] label > span")).toBe(2);
  await page.goto(paths.book("electric-dreams"));
  await hydrated(page);
  await page.getByRole("button", { name: "2 hours" }).click();
  await expect.poll(() => backgrounds("[aria-label='Usual set lengths'] button")).toBe(2);
});
