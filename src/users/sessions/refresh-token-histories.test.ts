/** Generated histories of one session: tabs, lost and late answers, step-ups, sign-outs, and a thief. TEST_DEEP=1 runs thousands. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticate } from "../index.ts";
import { openSession } from "./sessions.store.ts";
import { type AccountsApp, accountsApp } from "#test/harness/accounts.ts";
import { codeAt } from "../mfa/totp.ts";

const deep = process.env["TEST_DEEP"] === "1";
const runs = { numRuns: deep ? 2_000 : 10 };
const patience = deep ? 3_600_000 : 120_000;

let app: AccountsApp;
let person: { id: string; email: string; factorId: string; secret: string };
beforeAll(async () => {
  app = await accountsApp();
  const user = await app.user();
  const { auth } = await app.as(user);
  const enrolled = await auth.mfa.enroll({ factorType: "totp" });
  if (enrolled.error) throw enrolled.error;
  const { id: factorId, totp } = enrolled.data;
  await auth.mfa.challengeAndVerify({ factorId, code: codeAt(totp.secret, app.services.clock.now()) });
  person = { ...user, factorId, secret: totp.secret };
});
afterAll(() => app.close());

type Mode = "cookie" | "body";
/** What comes back: `token` is what the client keeps from now on; undefined when the answer changes no cookie. */
type Answer = { code: string | undefined; token: string | undefined; access: string };

async function post(mode: Mode, path: string, held: { token?: string; access?: string }, body: object = {}) {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (mode === "cookie") headers["x-token-mode"] = "cookie";
  if (mode === "cookie" && held.token) headers["cookie"] = `stagedoor_refresh=${held.token}`;
  if (held.access) headers["authorization"] = `Bearer ${held.access}`;
  const answer = await app.send(`/auth/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const said = (answer.status === 204 ? {} : await answer.json()) as Record<string, string | undefined>;
  const set = answer.headers.getSetCookie().find((line) => line.startsWith("stagedoor_refresh="));
  const token = mode === "cookie" ? set && /=([^;]*)/.exec(set)?.[1] : said["refresh_token"];
  return { code: said["code"], token, access: said["access_token"] ?? "", id: said["id"] ?? "" };
}

const renew = (mode: Mode, token: string): Promise<Answer> =>
  post(mode, "/token?grant_type=refresh_token", { token }, mode === "body" ? { refresh_token: token } : {});

/** Proves the second factor in the session of this access token. */
async function stepUp(mode: Mode, access: string): Promise<Answer> {
  app.clock.advance(31_000);
  const factor = `/factors/${person.factorId}`;
  const { id } = await post(mode, `${factor}/challenge`, { access });
  const code = codeAt(person.secret, app.services.clock.now());
  return post(mode, `${factor}/verify`, { access }, { challenge_id: id, code });
}

/** What a browser, or a program that keeps its session in one place, holds for all its tabs. */
type Client = { mode: Mode; token: string; access: string };

async function signIn(mode: Mode): Promise<Client> {
  const { services } = app;
  const device = { userAgent: "history", ip: "192.0.2.1" };
  const { refreshToken } = await services.database.transaction((tx) =>
    openSession(tx, services, person.id, "password", device),
  );
  const { token = "", access } = await renew(mode, refreshToken);
  return { mode, token, access };
}

function keep(client: Client, answer: Answer): void {
  client.token = answer.token ?? client.token;
  client.access = answer.access || client.access;
}

type Fate = "arrives" | "late" | "lost";
type Round =
  | { kind: "renew"; tabs: readonly Fate[] }
  | { kind: "late request" }
  | { kind: "step-up"; fate: Fate; beside: "none" | "before" | "after" }
  | { kind: "sign-out" }
  | { kind: "sign-in" };

const fate = fc.constantFrom<Fate>("arrives", "arrives", "late", "lost");
const renewal = fc.record({
  kind: fc.constant("renew" as const),
  tabs: fc.array(fate, { minLength: 1, maxLength: 3 }),
});
const strengthening = fc.record({
  kind: fc.constant("step-up" as const),
  fate,
  beside: fc.constantFrom("none" as const, "before" as const, "after" as const),
});
const rounds = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: renewal },
    { weight: 2, arbitrary: strengthening },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("late request" as const) }) },
    { weight: 1, arbitrary: fc.constantFrom({ kind: "sign-out" as const }, { kind: "sign-in" as const }) },
  ),
  { minLength: 1, maxLength: 9 },
);
const modes = fc.constantFrom<Mode>("cookie", "body");

/**
 * The owner: every call must be answered well. A late answer comes in after the next round, a late request is heard after it:
 * one other call may overtake them, and no more (0010).
 */
async function liveThrough(owner: Client, history: readonly Round[]): Promise<void> {
  let late: Answer[] = [];
  let unheard: string | undefined;
  for (const round of history) {
    const before = late;
    const asked = unheard;
    [late, unheard] = [[], undefined];
    const deliver = () => before.splice(0).forEach((answer) => keep(owner, answer));
    if (round.kind !== "late request") late = await goThrough(owner, round, deliver);
    deliver();
    if (asked && round.kind !== "sign-out" && round.kind !== "sign-in") keep(owner, await expectRenewed(owner, asked));
    if (round.kind === "late request") unheard = owner.token;
  }
  for (const answer of late) keep(owner, answer);
}

async function expectRenewed(owner: Client, token = owner.token): Promise<Answer> {
  const answer = await renew(owner.mode, token);
  expect(answer.code).toBeUndefined();
  return answer;
}

/** Goes through one round and returns the answers that are late. `deliver` lets the late ones of the round before come in. */
async function goThrough(owner: Client, round: Round, deliver: () => void): Promise<Answer[]> {
  if (round.kind === "renew") {
    const presented = owner.token;
    const answers = await Promise.all(round.tabs.map(() => expectRenewed(owner)));
    answers.filter((_, at) => round.tabs[at] === "arrives").forEach((answer) => keep(owner, answer));
    // A program that is given its own token back, because a step-up is under way, has to write it down in order (0010).
    return answers.filter((answer, at) => round.tabs[at] === "late" && answer.token !== presented);
  }
  if (round.kind === "step-up") {
    const [answer, other] = await Promise.all([
      stepUp(owner.mode, owner.access),
      round.beside === "none" ? undefined : expectRenewed(owner),
    ]);
    expect(answer.code).toBeUndefined();
    if (other && round.beside === "before") keep(owner, other);
    if (round.fate === "arrives") keep(owner, answer);
    if (other && round.beside === "after") keep(owner, other);
    return round.fate === "late" ? [answer] : [];
  }
  if (round.kind === "sign-out") {
    await post(owner.mode, "/logout?scope=local", owner);
    expect((await renew(owner.mode, owner.token)).code).toBe("refresh_token_not_found");
    deliver();
  }
  Object.assign(owner, await signIn(owner.mode));
  return [];
}

describe("without a thief", () => {
  it(
    "nobody is ever signed out, whatever is lost, late or at the same time",
    async () => {
      await fc.assert(
        fc.asyncProperty(modes, rounds, async (mode, history) => {
          const owner = await signIn(mode);
          await liveThrough(owner, history);
          keep(owner, await expectRenewed(owner));
          await expectRenewed(owner);
        }),
        runs,
      );
    },
    patience,
  );
});

type Act =
  | { who: "owner"; kind: "renew" | "step-up"; lost: boolean }
  | { who: "thief"; kind: "steal" | "renew"; lost: boolean };
const acts = fc.array(
  fc.oneof(
    fc.record({
      who: fc.constant("owner" as const),
      kind: fc.constantFrom("renew" as const, "renew" as const, "renew" as const, "step-up" as const),
      lost: fc.boolean(),
    }),
    fc.record({
      who: fc.constant("thief" as const),
      kind: fc.constantFrom("renew" as const, "renew" as const, "steal" as const),
      lost: fc.boolean(),
    }),
  ),
  { minLength: 1, maxLength: 10 },
);

/** Owner and thief act alternately. False as soon as one was refused: then the session must be over for both. */
async function bothAct(owner: Client, thief: Client, history: readonly Act[]): Promise<boolean> {
  for (const act of history) {
    if (act.kind === "steal") {
      thief.token = owner.token;
      continue;
    }
    const client = act.who === "owner" ? owner : thief;
    const answer = await (act.kind === "step-up" ? stepUp(owner.mode, owner.access) : renew(client.mode, client.token));
    if (answer.code) return false;
    if (!act.lost) keep(client, answer);
  }
  return true;
}

async function isOver(...clients: Client[]): Promise<void> {
  for (const { mode, token, access } of clients) {
    expect((await renew(mode, token)).code).toBe("refresh_token_not_found");
    await expect(authenticate(app.services, access)).rejects.toMatchObject({ code: "session_not_found" });
  }
}

/** Renews until two tokens came back that the other does not hold, or until refused. Once may be needed to catch up. */
async function goOnAlone(client: Client, other: Client): Promise<boolean> {
  for (let fresh = 0, time = 0; fresh < 2; time++) {
    expect(time).toBeLessThan(3);
    const answer = await renew(client.mode, client.token);
    if (answer.code) return false;
    keep(client, answer);
    if (client.token !== other.token) fresh += 1;
  }
  return true;
}

const inBothModes = fc.record({ owner: modes, thief: modes });

describe("with a thief", () => {
  it(
    "who stays behind the owner: the next try ends the session for both, and the owner is notified",
    async () => {
      await fc.assert(
        fc.asyncProperty(inBothModes, acts, async (mode, history) => {
          const owner = await signIn(mode.owner);
          const thief = { ...owner, mode: mode.thief };
          if (!(await bothAct(owner, thief, history))) return isOver(owner, thief);
          if (history.some(({ kind }) => kind === "step-up")) keep(owner, await stepUp(owner.mode, owner.access));
          if (!(await goOnAlone(owner, thief))) return isOver(owner, thief);
          expect((await renew(thief.mode, thief.token)).code).toBe("refresh_token_already_used");
          expect((await app.lastMessage(person.email)).template).toBe("session_stolen");
          await isOver(owner, thief);
        }),
        runs,
      );
    },
    patience,
  );

  it(
    "who runs ahead of the owner: the owner's next renewal ends the session for both",
    async () => {
      await fc.assert(
        fc.asyncProperty(inBothModes, acts, async (mode, history) => {
          const owner = await signIn(mode.owner);
          keep(owner, await stepUp(owner.mode, owner.access));
          keep(owner, await renew(owner.mode, owner.token));
          const thief = { ...owner, mode: mode.thief };
          const withoutStepUps = history.filter((act) => act.kind !== "step-up");
          if (!(await bothAct(owner, thief, withoutStepUps))) return isOver(owner, thief);
          if (await goOnAlone(thief, owner))
            expect((await renew(owner.mode, owner.token)).code).toBe("refresh_token_already_used");
          await isOver(owner, thief);
        }),
        runs,
      );
    },
    patience,
  );

  it(
    "who has a token from before the second factor: it never opens more than the first level",
    async () => {
      await fc.assert(
        fc.asyncProperty(inBothModes, acts, async (mode, history) => {
          const owner = await signIn(mode.owner);
          const thief = { ...owner, mode: mode.thief };
          const withoutStealing = history.filter((act) => act.kind !== "steal");
          await bothAct(owner, thief, withoutStealing);
          await stepUp(owner.mode, owner.access);
          await renew(thief.mode, thief.token).then((answer) => keep(thief, answer));
          await expect(authenticate(app.services, thief.access)).rejects.toMatchObject({
            code: expect.stringMatching(/^(insufficient_aal|session_not_found)$/),
          });
        }),
        runs,
      );
    },
    patience,
  );
});
