import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccountsApp, testPassword, accountsApp } from "#test/harness/accounts.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp();
});
afterAll(() => app.close());

/** Makes an artist without an owner. Only tests of this module may write one. */
async function makeArtist(name: string): Promise<string> {
  const slug = `artist-${crypto.randomUUID().slice(0, 8)}`;
  const { id } = await app.services.database.db
    .insertInto("artists")
    .values({ name, slug, genre: "jazz" })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
const evidence = "We play at the Waterworks every May; see our own site.";
type Signed = {
  call: Awaited<ReturnType<AccountsApp["as"]>>["call"];
  change(table: "users" | "profiles", change: Record<string, string | Date | null>): Promise<void>;
};
const ownerOf = async (id: string) =>
  (await app.services.database.db.selectFrom("artists").select("user_id").where("id", "=", id).executeTakeFirst())
    ?.user_id;

describe("claim to an artist", () => {
  it("is offered for the same name only, and ends with an admin's decision", async () => {
    const name = `Nova ${crypto.randomUUID().slice(0, 8)}`;
    const artistId = await makeArtist(name);
    const person = await app.user({ role: "artist", name: name.toUpperCase() });
    const artist = await app.as(person);
    expect((await artist.call("GET", "/me/claimable-artists")).body.items).toMatchObject([{ artistId }]);
    const claim = await artist.call("POST", "/me/claims", { artistId, evidence });
    expect(claim.status).toBe(200);
    expect((await artist.call("POST", "/me/claims", { artistId, evidence })).status).toBe(409);
    expect(await ownerOf(artistId)).toBeNull();
    const admin = await app.as(await app.user({ role: "admin" }));
    const url = `/admin/claims/${String(claim.body["id"])}`;
    expect((await admin.call("GET", "/admin/claims")).body.items?.some((item) => item["userId"] === person.id)).toBe(
      true,
    );
    expect((await admin.call("POST", url, { granted: false })).status).toBe(400);
    expect(await admin.call("POST", url, { granted: true })).toMatchObject({ status: 200, body: { granted: true } });
    expect((await admin.call("POST", url, { granted: true })).status).toBe(409);
    const event = await app.services.database.db
      .selectFrom("event_outbox")
      .select("body")
      .where("topic", "=", "claim.granted")
      .executeTakeFirst();
    expect(event?.body).toEqual({ artistId, userId: person.id });
    expect((await app.lastMessage(person.email)).template).toBe("claim_decided");
  });

  it("is refused to a user without a verified mailbox", async () => {
    const name = `Unproven ${crypto.randomUUID().slice(0, 8)}`;
    const artistId = await makeArtist(name);
    const person = await app.user({ role: "artist", name });
    const { call } = await app.as(person);
    const prove = (email_confirmed_at: Date | null) =>
      app.services.database.db.updateTable("users").set({ email_confirmed_at }).where("id", "=", person.id).execute();
    await prove(null);
    const refused = await call("POST", "/me/claims", { artistId, evidence });
    expect([refused.status, refused.body["message"]]).toEqual([403, "Confirm your email address first."]);
    await prove(new Date());
    expect((await call("POST", "/me/claims", { artistId, evidence })).status).toBe(200);
  });

  it.each([
    ["deleted", async (person: Signed) => void (await person.call("POST", "/me/delete", { password: testPassword }))],
    ["suspended", (person: Signed) => person.change("users", { banned_until: new Date("9999-01-01") })],
    ["demoted", (person: Signed) => person.change("profiles", { role: "promoter" })],
    ["unproven again", (person: Signed) => person.change("users", { email_confirmed_at: null })],
  ])("cannot be granted to a claimant who is now %s", async (how, become) => {
    const name = `Late ${crypto.randomUUID().slice(0, 8)}`;
    const artistId = await makeArtist(name);
    const person = await app.user({ role: "artist", name });
    const { call } = await app.as(person);
    const claim = await call("POST", "/me/claims", { artistId, evidence });
    const { db } = app.services.database;
    await become({
      call,
      change: async (table, change) =>
        void (table === "users"
          ? await db.updateTable("users").set(change).where("id", "=", person.id).execute()
          : await db.updateTable("profiles").set(change).where("user_id", "=", person.id).execute()),
    });
    const admin = await app.as(await app.user({ role: "admin" }));
    const waiting = (await admin.call("GET", "/admin/claims")).body.items ?? [];
    expect(waiting.some((item) => item["userId"] === person.id)).toBe(how === "unproven again");
    const granted = await admin.call("POST", `/admin/claims/${String(claim.body["id"])}`, { granted: true });
    expect(granted.status).toBe(how === "deleted" ? 404 : 409);
    const events = await db.selectFrom("event_outbox").select("body").where("topic", "=", "claim.granted").execute();
    expect(JSON.stringify(events)).not.toContain(person.id);
    expect(await ownerOf(artistId)).toBeNull();
  });

  it("is reported to every admin who can sign in, and its evidence is deleted with the account", async () => {
    const name = `Claimed ${crypto.randomUUID().slice(0, 8)}`;
    const [first, second] = [await makeArtist(name), await makeArtist(name)];
    const [admin, away] = [await app.user({ role: "admin" }), await app.user({ role: "admin", confirmed: false })];
    const person = await app.user({ role: "artist", name });
    const { call } = await app.as(person);
    const refused = await call("POST", "/me/claims", { artistId: first, evidence });
    const mail = await app.lastMessage(admin.email);
    expect(mail.template).toBe("request_waits");
    expect(mail.text.replaceAll(/\s+/g, " ")).toContain(`${name} (${person.email}) claims the artist ${name}.`);
    expect(mail.text).toContain("/admin/users");
    await expect(app.lastMessage(away.email)).rejects.toThrow("nothing was sent");
    const as = await app.as(admin);
    await as.call("POST", `/admin/claims/${String(refused.body["id"])}`, { granted: false, note: "not convincing" });
    expect((await app.lastMessage(person.email)).text).toMatch(/\/artist\n/);
    await call("POST", "/me/claims", { artistId: second, evidence });
    await call("POST", "/me/delete", { password: testPassword });
    const left = await app.services.database.db
      .selectFrom("profile_claims")
      .select(["artist_id", "evidence"])
      .where("user_id", "=", person.id)
      .execute();
    expect(left).toEqual([{ artist_id: first, evidence: "Removed with the account." }]);
  });

  it("is refused for look-alike names, owned artists and other roles", async () => {
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
      const { call } = await app.as(await app.user({ role: "artist", name: look }));
      expect((await call("GET", "/me/claimable-artists")).body.items, look).toEqual([]);
      expect((await call("POST", "/me/claims", { artistId, evidence })).status, look).toBe(404);
    }
    const promoter = await app.as(await app.user({ name }));
    expect((await promoter.call("POST", "/me/claims", { artistId, evidence })).status).toBe(403);
    const owner = await app.user({ role: "artist", name });
    await app.services.database.db
      .updateTable("artists")
      .set({ user_id: owner.id })
      .where("id", "=", artistId)
      .execute();
    const late = await app.as(await app.user({ role: "artist", name }));
    expect((await late.call("POST", "/me/claims", { artistId, evidence })).status).toBe(404);
    expect(await ownerOf(artistId)).toBe(owner.id);
  });
});
