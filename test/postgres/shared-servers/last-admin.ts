/** Two admins, two processes, and fifty concurrent attempts to remove both. TEST_DEEP=1 runs more rounds. */

import { expect, test } from "vitest";
import { makeUser } from "#test/factories/users.ts";
import { servers } from "./servers.ts";

const rounds = process.env["TEST_DEEP"] === "1" ? 20 : 3;
const password = "a quiet lamp backstage";

async function request(turn: number, path: string, body: object | undefined, bearer = ""): Promise<Response> {
  return fetch(`${servers.servers[turn % 2]?.url()}${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      ...(body ? { "content-type": "application/json" } : {}),
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(60_000),
  });
}

async function signIn(turn: number, email: string): Promise<string | undefined> {
  const response = await request(turn, "/auth/v1/token?grant_type=password", { email, password });
  return ((await response.json()) as { access_token?: string }).access_token;
}

type Admin = { id: string; email: string; bearers: readonly string[] };

/** Makes two admins, and removes all others. */
async function twoAdmins(): Promise<[Admin, Admin]> {
  await servers.database.db.updateTable("profiles").set({ role: "promoter" }).execute();
  const make = async (): Promise<Admin> => {
    const { id, email } = await servers.database.transaction((tx) => makeUser(tx, { role: "admin", password }));
    return { id, email, bearers: [(await signIn(0, email)) ?? "", (await signIn(1, email)) ?? ""] };
  };
  return [await make(), await make()];
}

type AdminCommand = (actor: Admin, other: Admin) => [path: string, body: object];
const commands: readonly AdminCommand[] = [
  (_, other) => [`/api/admin/users/${other.id}/role`, { role: "promoter" }],
  (_, other) => [`/api/admin/users/${other.id}/suspend`, { reason: "A race" }],
  (actor) => [`/api/admin/users/${actor.id}/role`, { role: "artist" }],
  () => ["/api/me/delete", {}],
];

async function adminsWithAccess(admins: readonly Admin[]): Promise<Admin[]> {
  const able = await Promise.all(
    admins.map(async ({ email }) => {
      const bearer = await signIn(1, email);
      return bearer !== undefined && (await request(1, "/api/admin/users", undefined, bearer)).status === 200;
    }),
  );
  return admins.filter((_, at) => able[at]);
}

export function lastAdmin(): void {
  test(
    `removes one of two admins, never both, with fifty concurrent attempts through two servers in ${rounds} rounds`,
    { timeout: 300_000 },
    async () => {
      for (let round = 0; round < rounds; round++) {
        const [one, two] = await twoAdmins();
        expect(await adminsWithAccess([one, two])).toHaveLength(2);
        const tries = Array.from({ length: 50 }, async (_, at) => {
          const [actor, other] = at % 2 === 0 ? [one, two] : [two, one];
          const [path, body] = commands[(Math.floor(at / 4) + round) % commands.length]?.(actor, other) ?? ["", {}];
          const turn = Math.floor(at / 2) % 2;
          return (await request(turn, path, body, actor.bearers[turn])).status;
        });
        const statuses = await Promise.all(tries);
        expect(statuses.filter((status) => status >= 500)).toEqual([]);
        expect(statuses.filter((status) => status === 200).length, String(statuses)).toBeGreaterThanOrEqual(1);
        expect(statuses.filter((status) => status !== 200).length, String(statuses)).toBeGreaterThanOrEqual(1);
        expect(await adminsWithAccess([one, two]), String(statuses)).toHaveLength(1);
      }
    },
  );
}
