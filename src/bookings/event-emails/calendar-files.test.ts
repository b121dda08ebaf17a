import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { deliverMessages } from "#delivery/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { peopleOf, press } from "#test/harness/bookings.ts";
import { calendarClient } from "#test/harness/calendars/client.ts";
import { startMailServer } from "#test/harness/servers/mail-server.ts";
import { testApp } from "#test/test-app.ts";

const mail = closeAfterFile(await startMailServer());
const app = closeAfterFile(await testApp({ env: { SMTP_URL: mail.url } }));
const { artist, held, person } = peopleOf(() => app);

/** Returns the calendar files of the emails to an address, ordered by SEQUENCE, because emails of one moment are sent concurrently. */
async function filesTo(address: string) {
  await deliverMessages(app.services, {
    readAttachment: async () => undefined,
    isErased: () => false,
    isAccountNotice: () => false,
    isSecret: () => false,
    templateTitle: (name) => name,
  });
  const emails = await Promise.all(mail.received.map((text) => PostalMime.parse(text)));
  return emails
    .filter((email) => email.to?.[0]?.address === address)
    .flatMap((email) => email.attachments.filter((file) => file.mimeType === "text/calendar").slice(0, 1))
    .map((file) => ({ text: new TextDecoder().decode(file.content as ArrayBuffer), method: file.method }))
    .toSorted((one, other) => Number(lineOf(one.text, "SEQUENCE")) - Number(lineOf(other.text, "SEQUENCE")));
}

const lineOf = (text: string, name: string) => new RegExp(`^${name}[;:](.*)$`, "m").exec(text)?.[1]?.trim();

test("emails invite both sides to a confirmed show, and remove a canceled one from the calendar before it is booked again", async () => {
  const player = await person("artist");
  const act = await artist({ userId: player.user.id, name: "Cold Harbor" });
  const promoter = await person("promoter");
  const book = async () => {
    const { booking } = await held({
      artist: act,
      promoterUserId: promoter.user.id,
      promoterEmail: String(promoter.user.email),
      now: app.clock.now(),
    });
    const { body } = await promoter.at.checkout(booking);
    await press(app, body["checkout_url"], "pay");
    await app.settle();
    return booking;
  };
  const booking = await book();
  // A calendar accepts updates only from the organizer that it knows.
  const sender = `shows-${booking.number.toLowerCase()}@venue.example`;
  await sql`insert into settings (scope, value) values ('platform', ${{ fromEmail: sender }})
    on conflict (scope, owner_id) do update set value = settings.value || excluded.value`.execute(app.database.db);
  const preview = (await promoter.at.json(`/api/bookings/${booking.id}/cancellation`)).body;
  const canceled = await promoter.at.json(`/api/bookings/${booking.id}/cancel`, {
    code: "plans_changed",
    expected_refund_cents: preview["refund_cents"],
  });
  expect(canceled.status).toBe(200);
  await app.settle();
  const sides = [
    ["artist", player.user.email],
    ["promoter", promoter.user.email],
  ] as const;
  for (const [side, address] of sides) {
    const files = await filesTo(String(address));
    expect(files.map(({ text, method }) => [method, lineOf(text, "METHOD"), lineOf(text, "STATUS")])).toEqual([
      ["REQUEST", "REQUEST", "CONFIRMED"],
      ["CANCEL", "CANCEL", "CANCELLED"],
    ]);
    const [confirmed, canceled] = files.map(({ text }) => text);
    expect(lineOf(String(canceled), "UID")).toBe(lineOf(String(confirmed), "UID"));
    expect(lineOf(String(canceled), "ORGANIZER")).toBe(lineOf(String(confirmed), "ORGANIZER"));
    expect(mail.received.join()).toContain(sender);
    expect(Number(lineOf(String(canceled), "SEQUENCE"))).toBeGreaterThan(Number(lineOf(String(confirmed), "SEQUENCE")));
    expect(String(confirmed).replaceAll("\r\n ", "")).toContain(`mailto:${address}`);
    expect(lineOf(String(confirmed), "SUMMARY")).toBe(
      side === "artist" ? "Wedding: The Waterworks\\, Austin" : "Cold Harbor\\, wedding",
    );
  }

  const organizers = app.database.db.selectFrom("bookings").select("calendar_organizer as email");
  const { email: first } = await organizers.where("id", "=", booking.id).executeTakeFirstOrThrow();
  expect(first).not.toBe(sender);
  const migration = await readFile(
    new URL("../../../migrations/1310_organizer_of_calendar_entries.sql", import.meta.url),
    "utf8",
  );
  await sql`update bookings set calendar_organizer = null`.execute(app.database.db);
  await sql.raw(migration.slice(migration.indexOf("update bookings"))).execute(app.database.db);
  expect(await organizers.where("id", "=", booking.id).execute()).toEqual([{ email: first }]);

  const again = await book();
  for (const [, address] of sides) {
    const client = calendarClient();
    for (const { text } of await filesTo(String(address))) client.receive(text);
    expect(client.entriesNow()).toEqual([expect.objectContaining({ from: again.starts_at, to: again.ends_at })]);
  }
});
