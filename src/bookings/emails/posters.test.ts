import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, follow, press } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());

async function emailTo(recipient: string, template: string) {
  const { html, text } = await app.database.db
    .selectFrom("messages")
    .select(["html", "text"])
    .where("template", "=", template)
    .where("channel", "=", "email")
    .where("recipient", "=", recipient)
    .executeTakeFirstOrThrow();
  return { text, pictures: [...(html ?? "").matchAll(/<img [^>]*>/g)].map(([tag]) => tag) };
}

async function request(name: string) {
  const [owner, promoter] = [await app.make.user({ role: "artist" }), await app.make.user({ role: "promoter" })];
  const artist = await app.make.artist({ name, userId: owner.id, location: "Austin, Texas" });
  const guest = browser(app, await app.signIn(promoter));
  const { body, status } = await guest.requestBooking({ artistId: artist.slug, clientEmail: promoter.email });
  expect(status, JSON.stringify(body)).toBe(201);
  const { body: checkout } = await guest.checkout(body);
  await follow(app);
  const pay = async () => {
    await press(app, checkout["checkout_url"], "pay");
    await follow(app);
  };
  return { artist, owner, promoter, pay };
}

test("the emails to both sides have the artist's poster, and its URL returns an image", async () => {
  const { owner, promoter, pay } = await request("Poster & Sons");
  await pay();
  for (const [to, template] of [
    [promoter.email, "request_received"],
    [promoter.email, "booking_confirmation"],
    [owner.email, "booking_confirmation"],
  ] as const) {
    const { text, pictures } = await emailTo(to, template);
    expect(pictures, `${template} to ${to}`).toHaveLength(1);
    expect(pictures[0]).toContain('alt="Poster &amp; Sons"');
    expect(text).not.toContain("/art/");
    const address = new URL(/ src="([^"]+)"/.exec(pictures[0] ?? "")?.[1] ?? "");
    expect(address.origin).toBe(new URL(app.services.config.publicUrl).origin);
    const response = await app.request(`${address.pathname}${address.search}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(response.headers.get("cache-control")).toContain("immutable");
  }
});

test.each([{ is_public: false }, { is_active: false }])(
  "the emails of an artist with %j have no image",
  async (state) => {
    const { artist, promoter, pay } = await request(`Hidden ${JSON.stringify(state)}`);
    expect((await emailTo(promoter.email, "request_received")).pictures).toHaveLength(1);
    await app.database.db.updateTable("artists").set(state).where("id", "=", artist.id).execute();
    await pay();
    expect((await emailTo(promoter.email, "deposit_received")).pictures).toEqual([]);
  },
);
