import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findActor } from "../index.ts";
import { type Stage, goodPassword, openStage, sessionOf } from "#test/accounts-stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const headers = { "content-type": "application/json" };
type Renewed = { refresh_token: string; access_token: string; code?: string };

async function renew(token: string): Promise<Renewed> {
  const answer = await stage.send("/auth/v1/token?grant_type=refresh_token", {
    method: "POST",
    headers,
    body: JSON.stringify({ refresh_token: token }),
  });
  return (await answer.json()) as Renewed;
}

async function newSession() {
  const user = await stage.user();
  return sessionOf(await stage.client().auth.signInWithPassword({ email: user.email, password: goodPassword }));
}

describe("renewing a session", () => {
  it("gives parallel calls the same child", async () => {
    const { refresh_token } = await newSession();
    const children = await Promise.all(Array.from({ length: 8 }, () => renew(refresh_token)));
    expect(new Set(children.map((child) => child.refresh_token)).size).toBe(1);
    expect(children[0]?.refresh_token).not.toBe(refresh_token);
  });

  it("tells the client by its event, and keeps the session's id", async () => {
    const user = await stage.user();
    const { auth, events } = stage.client();
    const before = sessionOf(await auth.signInWithPassword({ email: user.email, password: goodPassword }));
    const after = sessionOf(await auth.refreshSession());
    expect(events).toContain("TOKEN_REFRESHED");
    const [old, fresh] = await Promise.all(
      [before, after].map((session) => findActor(stage.services, session.access_token)),
    );
    expect(old?.sessionId).toBe(fresh?.sessionId);
  });

  it("refuses a token that was never given out, and an empty one", async () => {
    expect((await renew("made-up")).code).toBe("refresh_token_not_found");
    expect((await renew("")).code).toBe("refresh_token_not_found");
  });

  it("takes an older ancestor for theft and ends the session for everybody who holds it", async () => {
    const first = await newSession();
    const second = await renew(first.refresh_token);
    const third = await renew(second.refresh_token);
    expect((await renew(first.refresh_token)).code).toBe("refresh_token_already_used");
    expect((await renew(third.refresh_token)).code).toBe("refresh_token_not_found");
    await expect(findActor(stage.services, third.access_token)).rejects.toMatchObject({ code: "session_not_found" });
  });

  it("tells the owner of a stolen session by mail, once, and leaves the other devices alone", async () => {
    const user = await stage.user();
    const signIn = async () =>
      sessionOf(await stage.client().auth.signInWithPassword({ email: user.email, password: goodPassword }));
    const [first, untouched] = [await signIn(), await signIn()];
    await renew((await renew(first.refresh_token)).refresh_token);
    expect((await renew(first.refresh_token)).code).toBe("refresh_token_already_used");
    await renew(first.refresh_token);
    const told = await stage.services.database.db
      .selectFrom("messages")
      .select(["template", "text"])
      .where("recipient", "=", user.email)
      .execute();
    expect(told.map(({ template }) => template)).toEqual(["session_stolen"]);
    expect(told[0]?.text).toContain("/auth/forgot");
    expect((await renew(untouched.refresh_token)).code).toBeUndefined();
  });

  it("ends after 30 days without use, and lives on when used", async () => {
    const used = await newSession();
    const idle = await newSession();
    stage.clock.advance(29 * 86_400_000);
    const renewed = await renew(used.refresh_token);
    stage.clock.advance(2 * 86_400_000);
    expect((await renew(idle.refresh_token)).code).toBe("session_expired");
    expect((await renew(renewed.refresh_token)).code).toBeUndefined();
    await expect(findActor(stage.services, renewed.access_token)).rejects.toMatchObject({ code: "bad_jwt" });
  });
});

/** One step of a history: who renews, and whether the answer gets through. */
type Step = { who: "tab A" | "tab B" | "thief"; lost: boolean };
const step = (who: fc.Arbitrary<Step["who"]>): fc.Arbitrary<Step> => fc.record({ who, lost: fc.boolean() });

describe("generated histories", () => {
  it("never sign out a person whose answers get lost and whose tabs share one cookie", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step(fc.constantFrom("tab A" as const, "tab B" as const)), { minLength: 1, maxLength: 12 }),
        async (steps) => {
          let cookie = (await newSession()).refresh_token;
          for (const { lost } of steps) {
            const both = await Promise.all([renew(cookie), renew(cookie)]);
            expect(both.map((one) => one.code)).toEqual([undefined, undefined]);
            if (!lost) cookie = both[0]?.refresh_token ?? "";
          }
          expect((await renew(cookie)).code).toBeUndefined();
        },
      ),
      { numRuns: 12 },
    );
  });

  it("throw out a thief as soon as either side is two steps behind the other, and never serve two chains", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step(fc.constantFrom("tab A" as const, "thief" as const)), { minLength: 1, maxLength: 14 }),
        async (steps) => {
          const stolen = (await newSession()).refresh_token;
          const held = { "tab A": stolen, "tab B": stolen, thief: stolen };
          const depth = { "tab A": 0, "tab B": 0, thief: 0 };
          let newest = 0;
          let ended = false;
          for (const { who, lost } of steps) {
            const answer = await renew(held[who]);
            const isTheft: boolean = !ended && depth[who] < newest - 1;
            if (ended) expect(answer.code).toBe("refresh_token_not_found");
            else if (isTheft) expect(answer.code).toBe("refresh_token_already_used");
            else expect(answer.code).toBeUndefined();
            ended ||= isTheft;
            if (ended) continue;
            newest = Math.max(newest, depth[who] + 1);
            if (!lost) {
              held[who] = answer.refresh_token;
              depth[who] += 1;
            }
          }
          if (ended)
            for (const token of Object.values(held)) expect((await renew(token)).code).toBe("refresh_token_not_found");
        },
      ),
      { numRuns: 20 },
    );
  });
});
