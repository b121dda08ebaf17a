import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, openStage } from "#test/accounts-stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** An artist without an owner. This room may not write it elsewhere than in its tests. */
async function makeArtist(name: string): Promise<string> {
  const slug = `artist-${crypto.randomUUID().slice(0, 8)}`;
  const { id } = await stage.services.database.db
    .insertInto("artists")
    .values({ name, slug, genre: "jazz" })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
const evidence = "We play at the Waterworks every May; see our own site.";
const ownerOf = async (id: string) =>
  (await stage.services.database.db.selectFrom("artists").select("user_id").where("id", "=", id).executeTakeFirst())
    ?.user_id;

describe("claiming an artist", () => {
  it("is offered for the same name only, and ends with an admin's decision", async () => {
    const name = `Nova ${crypto.randomUUID().slice(0, 8)}`;
    const artistId = await makeArtist(name);
    const person = await stage.user({ role: "artist", name: name.toUpperCase() });
    const artist = await stage.as(person);
    expect((await artist.call("GET", "/me/claimable-artists")).body.items).toMatchObject([{ artistId }]);
    const claim = await artist.call("POST", "/me/claims", { artistId, evidence });
    expect(claim.status).toBe(200);
    expect((await artist.call("POST", "/me/claims", { artistId, evidence })).status).toBe(409);
    expect(await ownerOf(artistId)).toBeNull();
    const admin = await stage.as(await stage.user({ role: "admin" }));
    const url = `/admin/claims/${String(claim.body["id"])}`;
    expect((await admin.call("GET", "/admin/claims")).body.items?.some((item) => item["userId"] === person.id)).toBe(
      true,
    );
    expect((await admin.call("POST", url, { granted: false })).status).toBe(400);
    expect(await admin.call("POST", url, { granted: true })).toMatchObject({ status: 200, body: { granted: true } });
    expect((await admin.call("POST", url, { granted: true })).status).toBe(409);
    const event = await stage.services.database.db
      .selectFrom("outbox")
      .select("body")
      .where("topic", "=", "claim.granted")
      .executeTakeFirst();
    expect(event?.body).toEqual({ artistId, userId: person.id });
    expect((await stage.lastMessage(person.email)).template).toBe("claim_decided");
  });

  it("is not for look-alike names, unproven mailboxes, owned artists or other roles", async () => {
    const name = `Electric ${crypto.randomUUID().slice(0, 8)}`;
    const artistId = await makeArtist(name);
    const alike = [
      `${name}\u200b`,
      name.replace("E", "\u0415"),
      name.replace("e", "\u0435"),
      name.replace("c", "\u217d"),
      `${name}.`,
      `The ${name}`,
      name.replace(" ", "-"),
      name.replace("l", "I"),
      name.normalize("NFKD") + "\u0301",
    ];
    for (const look of alike) {
      const { call } = await stage.as(await stage.user({ role: "artist", name: look }));
      expect((await call("GET", "/me/claimable-artists")).body.items, look).toEqual([]);
      expect((await call("POST", "/me/claims", { artistId, evidence })).status, look).toBe(404);
    }
    const promoter = await stage.as(await stage.user({ name }));
    expect((await promoter.call("POST", "/me/claims", { artistId, evidence })).status).toBe(403);
    const owner = await stage.user({ role: "artist", name });
    await stage.services.database.db
      .updateTable("artists")
      .set({ user_id: owner.id })
      .where("id", "=", artistId)
      .execute();
    const late = await stage.as(await stage.user({ role: "artist", name }));
    expect((await late.call("POST", "/me/claims", { artistId, evidence })).status).toBe(404);
    expect(await ownerOf(artistId)).toBe(owner.id);
  }, 60_000);
});
