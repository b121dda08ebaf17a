import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findActor, rotateSigningKeys } from "../index.ts";
import { type Stage, goodPassword, openStage, sessionOf } from "#test/accounts-stage.ts";
import { publishedKeys, tendSigningKeys } from "./signing-keys.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const kidOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;
const kids = async () => (await publishedKeys(stage.services)).keys.map((key) => key.kid);
const signIn = async () => {
  const user = await stage.user();
  return sessionOf(await stage.client().auth.signInWithPassword({ email: user.email, password: goodPassword }))
    .access_token;
};

describe("a change of the signing key", () => {
  it("publishes two keys for a while and signs nobody out", async () => {
    const [old] = await kids();
    const before = await signIn();
    const fresh = await rotateSigningKeys(stage.services);
    expect(new Set(await kids())).toEqual(new Set([old, fresh]));
    expect(kidOf(await signIn())).toBe(old);
    stage.clock.advance(21 * 60_000);
    const after = await signIn();
    expect(kidOf(after)).toBe(fresh);
    expect(await findActor(stage.services, before)).not.toBeNull();
    expect(await findActor(stage.services, after)).not.toBeNull();
    stage.clock.advance(80 * 60_000);
    await tendSigningKeys(stage.services);
    stage.clock.advance(61_000);
    expect(await kids()).toEqual([fresh]);
    await expect(findActor(stage.services, before)).rejects.toMatchObject({ code: "bad_jwt" });
  });

  it("comes by itself after 90 days", async () => {
    const [old] = await kids();
    await tendSigningKeys(stage.services);
    expect(await kids()).toEqual([old]);
    stage.clock.advance(91 * 86_400_000);
    await tendSigningKeys(stage.services);
    expect(await kids()).toHaveLength(2);
  });

  it("keeps the private part encrypted", async () => {
    const rows = await stage.services.database.db.selectFrom("signing_keys").select("private_key").execute();
    for (const { private_key } of rows) expect(private_key).not.toContain('"d"');
  });
});

describe("a token", () => {
  it.each([
    ["without a signature", (token: string) => token.split(".").slice(0, 2).join(".") + "."],
    [
      "with algorithm none",
      (token: string) => [Buffer.from('{"alg":"none"}').toString("base64url"), token.split(".")[1], ""].join("."),
    ],
    [
      "with a changed claim",
      (token: string) => {
        const [header, , signature] = token.split(".");
        const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
        return [
          header,
          Buffer.from(JSON.stringify({ ...claims, sub: crypto.randomUUID() })).toString("base64url"),
          signature,
        ].join(".");
      },
    ],
    [
      "of another installation",
      async () => {
        const other = await openStage();
        try {
          const user = await other.user();
          return sessionOf(await other.client().auth.signInWithPassword({ email: user.email, password: goodPassword }))
            .access_token;
        } finally {
          await other.close();
        }
      },
    ],
  ])("%s is refused", async (_what, change) => {
    await expect(findActor(stage.services, await change(await signIn()))).rejects.toMatchObject({
      status: 401,
      code: "bad_jwt",
    });
  });
});
