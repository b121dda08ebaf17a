import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { emailsFor, follow, peopleOf, press } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());

const { artist, held, person } = peopleOf(() => app);

/** Books an artist by a paid deposit, or requests one without a price, and returns the alarms to admins. */
async function alarmsOf(act: { slug: string }, isPaid: boolean): Promise<string[]> {
  const { visitor } = await held();
  const { body: booking } = await visitor.requestBooking({ artistId: act.slug });
  if (isPaid) await press(app, (await visitor.checkout(booking)).body["checkout_url"], "pay");
  await follow(app);
  return (await emailsFor(app, booking.id)).flatMap(({ template, text }) =>
    template === "money_alarm" ? text.replaceAll(/\s+/g, " ") : [],
  );
}

test("admins are alarmed of a booking or a request by which no email reaches the artist", async () => {
  await person("admin");
  const { user } = await person("artist");
  for (const [baseRate, isPaid, what] of [
    [150_000, true, /could not email the artist about the booking SD-\w{6} .* mark the contract as signed/],
    [0, false, /could not email the artist about the request SD-\w{6} .* answer the promoter\./],
  ] as const) {
    expect(await alarmsOf(await artist({ userId: null, baseRate }), isPaid)).toEqual([expect.stringMatching(what)]);
  }
  expect(await alarmsOf(await artist({ userId: user.id }), true)).toEqual([]);
});
