/** Generated histories of one session: tabs, lost and late responses, step-ups, sign-outs, and a thief. TEST_DEEP=1 runs thousands. */

import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { setUpAccounts } from "#test/harness/accounts.ts";
import { codeAt } from "../mfa/totp.ts";
import { openSession } from "./sessions.store.ts";

const deep = process.env["TEST_DEEP"] === "1";
const runs = { numRuns: deep ? 2_000 : 10 };
const patience = deep ? 3_600_000 : 120_000;

const app = setUpAccounts();
let person: { id: string; email: string; factorId: string; secret: string };
beforeAll(async () => {
  const { user, ...browser } = await app.signedIn();
  const { factorId, totp } = await app.addFactor(browser);
  person = { ...user, factorId, secret: totp.secret };
});

type Mode = "cookie" | "body";
/** A response: `token` is what the client stores from now on. Undefined if the response changes no cookie. */
type Answer = { code: string | undefined; token: string | undefined; access: string };

async function post(mode: Mode, path: string, held: { token?: string; access?: string }, body: object = {}) {
  const headers: Record<string, string> = {};
  if (mode === "cookie") headers["x-token-mode"] = "cookie";
  if (mode === "cookie" && held.token) headers["cookie"] = `stagedoor_refresh=${held.token}`;
  const response = await app.send(`/auth/v1${path}`, { headers, body, ...(held.access ? { token: held.access } : {}) });
  const json = (response.status === 204 ? {} : await response.json()) as Record<string, string | undefined>;
  const set = response.headers.getSetCookie().find((line) => line.startsWith("stagedoor_refresh="));
  const token = mode === "cookie" ? set && /=([^;]*)/.exec(set)?.[1] : json["refresh_token"];
  return { code: json["code"], token, access: json["access_token"] ?? "", id: json["id"] ?? "" };
}

const renew = (mode: Mode, token: string): Promise<Answer> =>
  post(mode, "/token?grant_type=refresh_token", { token }, mode === "body" ? { refresh_token: token } : {});

async function stepUp(mode: Mode, access: string): Promise<Answer> {
  app.clock.advance(31_000);
  const factor = `/factors/${person.factorId}`;
  const { id } = await post(mode, `${factor}/challenge`, { access });
  const code = codeAt(person.secret, app.services.clock.now());
  return post(mode, `${factor}/verify`, { access }, { challenge_id: id, code });
}

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

function keep(client: Client, response: Answer): void {
  client.token = response.token ?? client.token;
  client.access = response.access || client.access;
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

/** Runs the owner's history: every call must succeed. A late response arrives after the next round, and a late request is handled after it: at most one other call may overtake them (0010). */
async function liveThrough(owner: Client, history: readonly Round[]): Promise<void> {
  let late: Answer[] = [];
  let unheard: string | undefined;
  for (const round of history) {
    const before = late;
    const presented = unheard;
    [late, unheard] = [[], undefined];
    const deliver = () => before.splice(0).forEach((response) => keep(owner, response));
    if (round.kind !== "late request") late = await goThrough(owner, round, deliver);
    deliver();
    if (presented && round.kind !== "sign-out" && round.kind !== "sign-in")
      keep(owner, await expectRenewed(owner, presented));
    if (round.kind === "late request") unheard = owner.token;
  }
  for (const response of late) keep(owner, response);
}

async function expectRenewed(owner: Client, token = owner.token): Promise<Answer> {
  const response = await renew(owner.mode, token);
  expect(response.code).toBeUndefined();
  return response;
}

/** Runs one round and returns the late responses. `deliver` applies the late ones of the round before. */
async function goThrough(owner: Client, round: Round, deliver: () => void): Promise<Answer[]> {
  if (round.kind === "renew") {
    const presented = owner.token;
    const answers = await Promise.all(round.tabs.map(() => expectRenewed(owner)));
    answers.filter((_, at) => round.tabs[at] === "arrives").forEach((response) => keep(owner, response));
    // A program that gets its own token back during a step-up must store the responses in order (0010).
    return answers.filter((response, at) => round.tabs[at] === "late" && response.token !== presented);
  }
  if (round.kind === "step-up") {
    const [response, other] = await Promise.all([
      stepUp(owner.mode, owner.access),
      round.beside === "none" ? undefined : expectRenewed(owner),
    ]);
    expect(response.code).toBeUndefined();
    if (other && round.beside === "before") keep(owner, other);
    if (round.fate === "arrives") keep(owner, response);
    if (other && round.beside === "after") keep(owner, other);
    return round.fate === "late" ? [response] : [];
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
    "never signs the owner out, for lost, late and concurrent calls",
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

type Action =
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

/** Owner and thief act alternately. Returns false as soon as one was refused: then the session must be over for both. */
async function actBoth(owner: Client, thief: Client, history: readonly Action[]): Promise<boolean> {
  for (const act of history) {
    if (act.kind === "steal") {
      thief.token = owner.token;
      continue;
    }
    const client = act.who === "owner" ? owner : thief;
    const response = await (act.kind === "step-up"
      ? stepUp(owner.mode, owner.access)
      : renew(client.mode, client.token));
    if (response.code) return false;
    if (!act.lost) keep(client, response);
  }
  return true;
}

async function isOver(...clients: Client[]): Promise<void> {
  for (const { mode, token, access } of clients) {
    expect((await renew(mode, token)).code).toBe("refresh_token_not_found");
    await expect(app.authenticate(access)).rejects.toMatchObject({ code: "session_not_found" });
  }
}

/** Renews until two tokens were returned that the other does not have, or until refused. One may be needed to catch up. */
async function goOnAlone(client: Client, other: Client): Promise<boolean> {
  for (let fresh = 0, time = 0; fresh < 2; time++) {
    expect(time).toBeLessThan(3);
    const response = await renew(client.mode, client.token);
    if (response.code) return false;
    keep(client, response);
    if (client.token !== other.token) fresh += 1;
  }
  return true;
}

const inBothModes = fc.record({ owner: modes, thief: modes });

describe("with a thief", () => {
  it(
    "ends the session for both when the thief stays behind the owner, and notifies the owner",
    async () => {
      await fc.assert(
        fc.asyncProperty(inBothModes, acts, async (mode, history) => {
          const owner = await signIn(mode.owner);
          const thief = { ...owner, mode: mode.thief };
          if (!(await actBoth(owner, thief, history))) return isOver(owner, thief);
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
    "ends the session for both at the owner's next renewal when the thief is ahead",
    async () => {
      await fc.assert(
        fc.asyncProperty(inBothModes, acts, async (mode, history) => {
          const owner = await signIn(mode.owner);
          keep(owner, await stepUp(owner.mode, owner.access));
          keep(owner, await renew(owner.mode, owner.token));
          const thief = { ...owner, mode: mode.thief };
          const withoutStepUps = history.filter((act) => act.kind !== "step-up");
          if (!(await actBoth(owner, thief, withoutStepUps))) return isOver(owner, thief);
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
    "never gives the thief more than the first level with a token from before the second factor",
    async () => {
      await fc.assert(
        fc.asyncProperty(inBothModes, acts, async (mode, history) => {
          const owner = await signIn(mode.owner);
          const thief = { ...owner, mode: mode.thief };
          const withoutStealing = history.filter((act) => act.kind !== "steal");
          await actBoth(owner, thief, withoutStealing);
          await stepUp(owner.mode, owner.access);
          await renew(thief.mode, thief.token).then((response) => keep(thief, response));
          await expect(app.authenticate(thief.access)).rejects.toMatchObject({
            code: expect.stringMatching(/^(insufficient_aal|session_not_found)$/),
          });
        }),
        runs,
      );
    },
    patience,
  );
});
