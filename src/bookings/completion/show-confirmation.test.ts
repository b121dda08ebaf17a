import { describe, expect, test } from "vitest";
import { paths } from "#platform/site-paths.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { savePromoterSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, emailsFor } from "#test/harness/bookings.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { requestShowConfirmations } from "./show-confirmation.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));

type Given = Parameters<TestApp["make"]["booking"]>[0] & { promoterId?: string };

async function show(endedHoursAgo: number, { promoterId, ...given }: Given = {}) {
  const { id, promoter_email } = await app.make.booking({
    keys: app.services.keys,
    status: "contract_signed",
    balancePaid: true,
    fee: 150_000,
    ...given,
  });
  const end = app.clock.now().getTime() - endedHoursAgo * hourMs;
  await app.database.db
    .updateTable("bookings")
    .set({
      starts_at: new Date(end - 3 * hourMs),
      ends_at: new Date(end),
      time_zone: "UTC",
      ...(promoterId ? { promoter_user_id: promoterId } : {}),
    })
    .where("id", "=", id)
    .execute();
  return { id, promoter_email, page: `/api/bookings/${id}` };
}

const emails = async (id: string) =>
  (await emailsFor(app, id))
    .filter(({ template }) => template === "show_confirmation")
    .map(({ text, ...rest }) => ({ ...rest, text: text.replaceAll(/\s+/g, " ") }));

/** Opens the link of the booking's only email in a new browser. */
async function openEmail({ id, page }: { id: string; page: string }) {
  const [email, ...others] = await emails(id);
  expect(others).toEqual([]);
  const link = new RegExp(`${paths.guestBooking(id)}\\?link=(\\S+)`).exec(email?.text ?? "")?.[1];
  const guest = browser(app);
  const opened = await guest.json(`${page}/open`, { link: decodeURIComponent(link ?? "") });
  expect(opened.status, email?.text).toBe(200);
  return { guest, opened: opened.body };
}

describe("requestShowConfirmations", () => {
  test("sends a guest one email whose link confirms the show", async () => {
    const played = await show(0);
    await requestShowConfirmations(app.services);
    await requestShowConfirmations(app.services);
    const [email] = await emails(played.id);
    expect(email?.recipient).toBe(played.promoter_email);
    expect(email?.text).toContain("report a no-show on the booking page by Sunday 22 November 2026, 12:00 (UTC)");
    expect(email?.text).toContain("If you do neither, we confirm the show on Monday 23 November 2026, 12:00 (UTC)");
    const { guest, opened } = await openEmail(played);
    expect(opened).toMatchObject({ viewer: "guest", can: { complete: true, report_no_show: true } });
    const confirmed = await guest.json(`${played.page}/complete`, {});
    expect(confirmed).toMatchObject({ status: 200, body: { status: "completed" } });
  });

  test("sends a guest a link that reports a no-show, and no second email after the report", async () => {
    const missed = await show(23);
    await requestShowConfirmations(app.services);
    const { guest } = await openEmail(missed);
    const reported = await guest.json(`${missed.page}/no-show`, { note: "Nobody came to the stage." });
    expect(reported).toMatchObject({ status: 200, body: { no_show: { decided_at: null } } });
    await requestShowConfirmations(app.services);
    expect(await emails(missed.id)).toHaveLength(1);
  });

  test("requests the unpaid balance with its last day, and only a report", async () => {
    const unpaid = await show(1, { balancePaid: false });
    await requestShowConfirmations(app.services);
    const [email] = await emails(unpaid.id);
    expect(email?.text).toContain("report a no-show on the booking page by");
    expect(email?.text).not.toContain("confirm the show");
    expect(email?.text).toContain(
      "The balance of $1,125 is not paid. Pay it on the booking page by Monday 21 December 2026, 11:00 (UTC). Otherwise the booking ends and the cancellation terms apply.",
    );
  });

  test("sends a promoter with an account the page of the account, with every preference off", async () => {
    const promoter = await app.make.user({ role: "promoter" });
    const played = await show(1, { promoterId: promoter.id });
    const values = { emailBookingConfirmations: false, emailContractUpdates: false, emailPaymentNotifications: false };
    await app.database.transaction((tx) => savePromoterSettings(tx, promoter.id, { values, version: 0, by: null }));
    await requestShowConfirmations(app.services);
    expect((await emails(played.id)).map(({ text }) => text)).toEqual([
      expect.stringContaining(paths.promoterArea.booking(played.id)),
    ]);
  });

  test("sends nothing during the show, after the time to report, or for a booking that is not signed", async () => {
    const others = [await show(-1), await show(24), await show(1, { status: "contract_sent", balancePaid: false })];
    await requestShowConfirmations(app.services);
    for (const { id } of others) expect(await emails(id)).toEqual([]);
  });
});
