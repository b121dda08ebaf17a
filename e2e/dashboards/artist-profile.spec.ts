import sharp from "sharp";
import { paths } from "../../src/platform/site-paths.rules.ts";
import { fillSignUp, openEmail, someone } from "../support/accounts.ts";
import { expect, expectAccessible, signIn, test } from "../support/browser.ts";

const picture = (background: string) =>
  sharp({ create: { width: 900, height: 1200, channels: 3, background } })
    .png()
    .toBuffer();

test("publishes a new artist's profile with uploaded pictures", async ({ page }) => {
  const person = someone(`Harbour ${Date.now()}`);
  const { name } = person;
  const slug = name.toLowerCase().replace(" ", "-");
  await fillSignUp(page, person, /Artist/);
  await openEmail(page, person.email, "confirm_sign_up");
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page.getByText("You have been signed in successfully.")).toBeVisible();

  await page.goto(paths.artistArea.profile);
  await expect(page.getByLabel("Artist Name")).toHaveValue(name);
  await page.getByLabel("Genre").selectOption("folk");
  await page.getByRole("combobox", { name: "Location" }).fill("oakl");
  await page.getByRole("option", { name: "Oakland, California" }).click();
  await page.getByLabel("Experience").fill("12");
  await page.getByLabel("Biography").fill("Two voices and a harmonium.");
  await page.getByRole("textbox", { name: "Specialties" }).fill("Second lines");
  await page.getByRole("textbox", { name: "Specialties" }).press("Enter");
  await page.getByLabel("Base Rate (in cents)").fill("90000");
  await expect(page.getByText("$810.00")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save Profile" }).click();
  await expect(page.getByText("Your profile has been updated successfully.")).toBeVisible();
  await expect(page.getByRole("link", { name: paths.artist(slug) })).toBeVisible();

  await page.getByRole("link", { name: "Media & Portfolio" }).first().click();
  await page.getByLabel("Upload a new photo").setInputFiles({
    name: "me.png",
    mimeType: "image/png",
    buffer: await picture("teal"),
  });
  await expect(page.getByText("Photo uploaded successfully!")).toBeVisible();
  await page.getByLabel("Add pictures").setInputFiles([
    { name: "one.png", mimeType: "image/png", buffer: await picture("crimson") },
    { name: "two.png", mimeType: "image/png", buffer: await picture("gold") },
  ]);
  await expect(page.getByLabel("Caption (optional)")).toHaveCount(2);
  await page.getByLabel("Caption (optional)").nth(1).fill("The gold one");
  await page.getByLabel("Alt text").nth(1).fill("A golden wall");
  await page.getByRole("button", { name: /Picture 2 of 2/ }).press("ArrowUp");
  await expect(page.getByLabel("Caption (optional)").first()).toHaveValue("The gold one");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("Your media has been updated successfully.")).toBeVisible();

  await page.goto(paths.artist(slug));
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByText("Two voices and a harmonium.")).toBeVisible();
  await expect(page.getByText("Oakland, California").first()).toBeVisible();
  const photo = page.getByAltText(`Photo of ${name}`);
  await expect(photo).toHaveAttribute("src", /\/storage\/artist-media\/.+\/photo_\d+\.webp$/);
  await expect.poll(() => photo.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0);
  const golden = page.getByAltText("A golden wall");
  await golden.scrollIntoViewIfNeeded();
  await expectAccessible(page);
  await golden.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("The gold one")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("ArrowRight");
  await expect(dialog.getByText("Picture 2 of 2")).toBeAttached();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("fills in the demo artist's profile, and displays a save in another window", async ({ page, context }) => {
  await signIn(page, "artist@demo.test");
  await page.goto(paths.artistArea.profile);
  await expect(page.getByLabel("Artist Name")).toHaveValue("Electric Dreams");
  const other = await context.newPage();
  await other.goto(paths.artistArea.profile);
  await expect(other.getByLabel("Phone")).toHaveValue("");
  await page.getByLabel("Phone").fill("+1 512 555 0199");
  await page.getByRole("button", { name: "Save Profile" }).click();
  await expect(other.getByLabel("Phone")).toHaveValue("+1 512 555 0199");
  await page.getByLabel("Phone").fill("");
  await page.getByRole("button", { name: "Save Profile" }).click();
  await expect(other.getByLabel("Phone")).toHaveValue("");
});
