import { expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { changeArtistSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, dayAhead, emailsFor, peopleOf, press } from "#test/harness/bookings.ts";
import { attestSignatures } from "#test/harness/contracts.ts";
import { testApp } from "#test/test-app.ts";
import { sendContract } from "../contract/sending.ts";

const app = closeAfterFile(await testApp());

/** Makes a played show without a deposit and with an unpaid balance, whose artist is reported as absent. */
async function reported() {
  const { artist, person } = peopleOf(() => app);
  const [player, promoter, admin] = [await person("artist"), await person("promoter"), await person("admin")];
  const act = await artist({ userId: player.user.id });
  await app.database.transaction((tx) => changeArtistSettings(tx, act.id, { requireDeposit: false }, player.user.id));
  const asked = await promoter.at.requestBooking({ artistId: act.slug, eventDate: dayAhead(app, 60) });
  const id = String(asked.body["id"]);
  expect((await player.at.json(`/api/artist/bookings/${id}/accept`, {})).status).toBe(200);
  await sendContract(app.services, id);
  await attestSignatures(app, id, admin.user.id);
  const now = app.clock.now().getTime();
  const times = { starts_at: new Date(now - 4 * hourMs), ends_at: new Date(now - hourMs) };
  await app.database.db.updateTable("bookings").set(times).where("id", "=", id).execute();
  const note = "Nobody came to the stage.";
  expect((await promoter.at.json(`/api/bookings/${id}/no-show`, { note })).status).toBe(200);
  const decide = (appeared: boolean, more = {}) =>
    admin.at.json(`/api/admin/bookings/${id}/no-show`, {
      release_cents: 0,
      appeared,
      decision: "As we have found.",
      ...more,
    });
  const pay = async () => {
    const opened = await promoter.at.json("/api/functions/create-checkout", { bookingId: id, isDeposit: false });
    await press(app, opened.body["url"], "pay");
  };
  return { id, decide, pay };
}

test("a decision that the artist appeared closes the report of a show without held money, and the balance stays due", async () => {
  const { id, decide } = await reported();
  const decided = await decide(true);
  expect(decided.body).toMatchObject({
    status: "contract_signed",
    completion_block: "balance",
    can: { decide_no_show: false },
  });
  await app.settle();
  const sent = (await emailsFor(app, id)).filter(({ template }) => template === "no_show_decided");
  expect(sent).toHaveLength(2);
  for (const { text } of sent)
    expect(text.replaceAll(/\s+/g, " ")).toContain("The report is closed. The balance is still due.");
});

test("a decision that the artist did not appear cancels a show without held money", async () => {
  const { id, decide } = await reported();
  expect((await decide(false)).status).toBe(200);
  await app.settle();
  expect(await bookingRow(app, id)).toMatchObject({ status: "canceled", cancel_code: "no_show" });
  expect((await emailsFor(app, id)).map(({ template }) => template)).not.toContain("no_show_decided");
});

test("a decision about other amounts than those that are held now is refused, and changes nothing", async () => {
  const { id, decide, pay } = await reported();
  await pay();
  const changed = { status: 409, body: { message: expect.stringContaining("The amounts have changed.") } };
  expect(await decide(true)).toMatchObject(changed);
  expect(await decide(false, { expected_held_cents: 0 })).toMatchObject(changed);
  const { fee_cents: held, status } = await bookingRow(app, id);
  expect(status).toBe("contract_signed");
  const release = { release_cents: held, expected_held_cents: held };
  expect(await decide(false, release)).toMatchObject({ status: 200, body: { status: "completed" } });
});
