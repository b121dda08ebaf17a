import { paths } from "../../src/platform/site-paths.rules.ts";
import { makeRecording } from "../../test/factories/recordings.ts";
import { dayFromNow, expect, expectAccessible, signIn, test } from "../support/browser.ts";

test("uploads and renames a sample, and plays it on while the visitor changes pages", async ({ page }) => {
  await page.goto(paths.home);
  const requests: string[] = [];
  page.on("request", (request) => void (request.url().endsWith(".mp3") && requests.push(request.url())));
  await signIn(page, "artist@demo.test");
  await page.goto(paths.artistArea.media);
  const samples = page.getByRole("region", { name: "Samples" });
  const rows = samples.getByRole("list", { name: "Your samples" }).getByRole("listitem");
  await expect(rows).toHaveCount(3);
  await samples.getByLabel("Drop your tracks here").setInputFiles({
    name: "harbor_lights.mp3",
    mimeType: "audio/mpeg",
    buffer: await makeRecording("mp3", { seconds: 60 }),
  });
  await expect(rows).toHaveCount(4);
  await samples.getByRole("button", { name: "Actions: harbor lights" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Harbor Lights");
  await page.getByRole("button", { name: "Rename sample" }).click();
  await samples.getByRole("button", { name: /^Harbor Lights, 4 of 4/ }).press("Home");
  await expect(rows.first()).toContainText("Harbor Lights");
  await expectAccessible(page);

  await page.goto(paths.artist("electric-dreams"));
  const play = page.getByRole("button", { name: "Play Harbor Lights by Electric Dreams" });
  await expect(play).toBeVisible();
  expect(requests).toEqual([]);
  await play.click();
  const player = page.getByRole("region", { name: "Player" });
  await expect(player.getByRole("button", { name: "Pause Harbor Lights by Electric Dreams" })).toBeVisible();
  const position = player.getByRole("slider", { name: "Position" });
  await position.press("ArrowRight");
  await expect(position).toHaveAttribute("aria-valuetext", /^0:0[5-9] of 1:00$/);
  await page.getByRole("link", { name: "Contact" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Contact");
  const before = Number(await position.inputValue());
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(before);
  await expect(player.getByRole("button", { name: "Pause Harbor Lights by Electric Dreams" })).toBeVisible();
  await expectAccessible(page);
  await player.getByRole("button", { name: "Close player" }).click();
  await expect(player).toHaveCount(0);
});

test("compares marked acts for the date, and stores the selection in the URL", async ({ page }) => {
  await page.goto(paths.browse({ night: dayFromNow(200), town: "Austin" }));
  const ticks = page.getByRole("checkbox", { name: /^Compare / });
  await expect(ticks.nth(1)).toBeEnabled();
  // Both clicks precede the rendering of the first one.
  await ticks.evaluateAll(([first, second]) => [first, second].forEach((tick) => (tick as HTMLElement).click()));
  const tray = page.getByRole("region", { name: "Acts to compare" });
  await expect(tray.getByRole("status")).toHaveText("2 of 4");
  await expect(page).toHaveURL(/compare=/);
  await page.reload();
  await expect(tray.getByRole("status")).toHaveText("2 of 4");
  await expectAccessible(page);
  await tray.getByRole("link", { name: "Compare" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Compare two acts" })).toBeVisible();
  await expect(page.getByRole("columnheader")).toHaveCount(2);
  await expectAccessible(page);
  await page
    .getByRole("link", { name: /^Remove / })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Choose at least two acts" })).toBeVisible();
});
