import { describe, expect, it } from "vitest";
import { setUpAccounts, testPassword } from "#test/harness/accounts.ts";

const app = setUpAccounts();

const makeArtist = async (name: string) => (await app.make.artist({ name, userId: null })).id;
const evidence = "We play at the Waterworks every May; see our own site.";
const unique = (name: string) => `${name} ${crypto.randomUUID().slice(0, 8)}`;
/** Makes an artist without an owner, and a user of the same name. */
async function namesakes(name = unique("Nova"), userName = name) {
  const artistId = await makeArtist(name);
  const person = await app.user({ role: "artist", name: userName });
  const { call } = await app.as(person);
  const claim = () => call("POST", "/me/claims", { artistId, evidence });
  return { name, artistId, person, call, claim };
}
async function signedInAdmin() {
  const user = await app.user({ role: "admin" });
  const { call } = await app.as(user);
  const claims = async () => (await call("GET", "/admin/claims")).body.items ?? [];
  const decide = (id: unknown, decision: object) => call("POST", `/admin/claims/${String(id)}`, decision);
  return { ...user, claims, decide };
}
const ownerOf = async (id: string) =>
  (await app.db.selectFrom("artists").select("user_id").where("id", "=", id).executeTakeFirst())?.user_id;
const become: Record<string, (userId: string) => Promise<unknown>> = {
  suspended: (id) =>
    app.db
      .updateTable("users")
      .set({ banned_until: new Date("9999-01-01") })
      .where("id", "=", id)
      .execute(),
  demoted: (id) => app.db.updateTable("profiles").set({ role: "promoter" }).where("user_id", "=", id).execute(),
  "unproven again": (id) =>
    app.db.updateTable("users").set({ email_confirmed_at: null }).where("id", "=", id).execute(),
};

describe("claim to an artist", () => {
  it("is offered for the same name only, and ends with an admin's decision", async () => {
    const name = unique("Nova");
    const { artistId, person, call, claim } = await namesakes(name, name.toUpperCase());
    expect((await call("GET", "/me/claimable-artists")).body.items).toMatchObject([{ artistId }]);
    const { status, body } = await claim();
    expect(status).toBe(200);
    expect((await claim()).status).toBe(409);
    expect(await ownerOf(artistId)).toBeNull();
    const admin = await signedInAdmin();
    expect(await admin.claims()).toContainEqual(expect.objectContaining({ userId: person.id }));
    expect((await admin.decide(body["id"], { granted: false })).status).toBe(400);
    const granted = { status: 200, body: { granted: true } };
    expect(await admin.decide(body["id"], { granted: true })).toMatchObject(granted);
    expect((await admin.decide(body["id"], { granted: true })).status).toBe(409);
    await app.settle();
    expect(await ownerOf(artistId)).toBe(person.id);
    expect((await app.lastMessage(person.email)).template).toBe("claim_decided");
  });

  it("assigns the artist before the claimant can save a first profile, or is refused after that", async () => {
    const admin = await signedInAdmin();
    const profile = { name: unique("Own"), genre: "jazz", bio: "We play.", base_rate: 100_000, photo_url: null };
    const save = ({ call }: Pick<Awaited<ReturnType<typeof namesakes>>, "call">) =>
      call("PUT", "/artist/profile", { ...profile, name: unique("Own"), video_url: null });
    const first = await namesakes();
    const { body } = await first.claim();
    expect((await admin.decide(body["id"], { granted: true })).status).toBe(200);
    expect(await ownerOf(first.artistId)).toBe(first.person.id);
    expect((await save(first)).status).toBe(200);
    for (let round = 0; round < 5; round++) {
      const claimant = await namesakes();
      const claim = await claimant.claim();
      const [granted, saved] = await Promise.all([admin.decide(claim.body["id"], { granted: true }), save(claimant)]);
      expect([granted.status, saved.status]).toEqual([
        expect.toSatisfy((status) => status === 200 || status === 409),
        200,
      ]);
      expect(await ownerOf(claimant.artistId)).toBe(granted.status === 200 ? claimant.person.id : null);
    }
  });

  it("is declined by email when the claim of another user is granted", async () => {
    const { name, artistId, claim } = await namesakes();
    const other = await app.user({ role: "artist", name });
    await (await app.as(other)).call("POST", "/me/claims", { artistId, evidence });
    const admin = await signedInAdmin();
    expect((await admin.decide((await claim()).body["id"], { granted: true })).status).toBe(200);
    const mail = await app.lastMessage(other.email);
    expect(mail.template).toBe("claim_decided");
    expect(mail.text).toContain("Another claim was granted.");
    expect(mail.text).not.toContain("reviewed your evidence");
  });

  it("is refused to a user without a verified mailbox", async () => {
    const { person, claim } = await namesakes();
    await become["unproven again"]?.(person.id);
    const message = "Confirm your email address first.";
    expect(await claim()).toMatchObject({ status: 403, body: { message } });
  });

  it.each(["deleted", "suspended", "demoted", "unproven again"])(
    "cannot be granted to a claimant who is now %s",
    async (how) => {
      const { artistId, person, call, claim } = await namesakes();
      const { body } = await claim();
      await (become[how]?.(person.id) ?? call("POST", "/me/delete", { password: testPassword }));
      const admin = await signedInAdmin();
      const isWaiting = (await admin.claims()).some((item) => item["userId"] === person.id);
      expect(isWaiting).toBe(how === "unproven again");
      expect((await admin.decide(body["id"], { granted: true })).status).toBe(how === "deleted" ? 404 : 409);
      await app.settle();
      expect(await ownerOf(artistId)).toBeNull();
    },
  );

  it("is reported to every admin who can sign in, and its evidence is deleted with the account", async () => {
    const { name, artistId: first, person, call, claim } = await namesakes();
    const second = await makeArtist(name);
    const [admin, away] = [await signedInAdmin(), await app.user({ role: "admin", confirmed: false })];
    const { body } = await claim();
    const mail = await app.lastMessage(admin.email);
    expect(mail.template).toBe("request_waits");
    expect(mail.text.replaceAll(/\s+/g, " ")).toContain(`${name} (${person.email}) claims the artist ${name}.`);
    expect(mail.text).toContain("/admin/users");
    expect(await app.messagesTo(away.email)).toEqual([]);
    await admin.decide(body["id"], { granted: false, note: "not convincing" });
    expect((await app.lastMessage(person.email)).text).toMatch(/\/artist\n/);
    await call("POST", "/me/claims", { artistId: second, evidence });
    await call("POST", "/me/delete", { password: testPassword });
    const left = app.db.selectFrom("profile_claims").select(["artist_id", "evidence"]).where("user_id", "=", person.id);
    expect(await left.execute()).toEqual([{ artist_id: first, evidence: "Removed with the account." }]);
  });

  it("is refused for look-alike names, owned artists and other roles", async () => {
    const name = unique("Electric");
    const artistId = await makeArtist(name);
    const alike = [
      name.replace("E", "\u0415"),
      name.replace("e", "\u0435"),
      name.replace("c", "\u217d"),
      `${name}.`,
      `The ${name}`,
      name.replace(" ", "-"),
      name.replace("l", "I"),
      name.normalize("NFKD") + "\u0301",
    ];
    const claimAs = async (userName: string, role: "artist" | "promoter" = "artist") => {
      const { call } = await app.as(await app.user({ role, name: userName }));
      const { items } = (await call("GET", "/me/claimable-artists")).body;
      return { items, status: (await call("POST", "/me/claims", { artistId, evidence })).status };
    };
    for (const look of alike) expect(await claimAs(look), look).toEqual({ items: [], status: 404 });
    expect((await claimAs(name, "promoter")).status).toBe(403);
    const owner = await app.user({ role: "artist", name });
    await app.db.updateTable("artists").set({ user_id: owner.id }).where("id", "=", artistId).execute();
    expect((await claimAs(name)).status).toBe(404);
    expect(await ownerOf(artistId)).toBe(owner.id);
  });
});
