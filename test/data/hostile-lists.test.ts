/** Invalid cursors, days and other query values: every list returns 200 or 400, never 5xx. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { openApiDocument } from "#app/http/docs.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());
const slug = (await app.make.artist()).slug;
const callers = [{}];
for (const role of ["admin", "artist", "promoter"] as const)
  callers.push(await app.signIn(await app.make.user({ role })));

type Parameter = { name: string; in: string };
type Operation = { operationId: string; parameters?: Parameter[] };

/** Returns every GET operation with query parameters, and their names. Streams are excluded (realtime/streams.test.ts). */
async function lists(): Promise<{ path: string; names: string[] }[]> {
  const { paths } = (await openApiDocument()) as { paths: Record<string, { get?: Operation }> };
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const names = (get?.parameters ?? []).filter((one) => one.in === "query").map((one) => one.name);
    return names.length > 0 && path !== "/events" ? [{ path, names }] : [];
  });
}

const id = "00000000-0000-4000-8000-000000000000";
const leaves = [
  "2026-99-99 00:00:00+00",
  "2026-99-99 00:00:00Z",
  "2026-02-30 00:00:00Z",
  "0000-01-01 00:00:00Z",
  "0000-01-01 00:00:00+00",
  "9999-12-31 23:59:59.999999+14",
  "2026-01-01 25:61:61+99",
  "2026-01-01 00:00:00.123456+00",
  "0000-01-01",
  "0999-12-31",
  "2026-02-30",
  "9999-12-31",
  "infinity",
  "now",
  "",
  "\0",
  "__proto__",
  "1e999",
  -1,
  0,
  0.5,
  2_147_483_648,
  Number.MAX_SAFE_INTEGER,
  1e308,
  null,
  {},
] as const;
const leaf = fc.oneof(fc.constantFrom(...leaves), fc.string({ unit: "binary", maxLength: 20 }));
const sorts = ["booked", "rating", "price", "newest", "__proto__"];
const tuple = fc.oneof(
  fc.tuple(leaf, fc.constant(id)),
  fc.tuple(fc.constantFrom(...sorts), leaf, fc.constant(id)),
  fc.array(leaf, { maxLength: 4 }),
);
const cursor = fc.oneof(
  tuple.map((values) => Buffer.from(JSON.stringify(values)).toString("base64url")),
  leaf.map(String),
);
const value = (name: string) => {
  if (name === "cursor") return cursor;
  if (name === "sort") return fc.constantFrom(...sorts);
  return leaf.map(String);
};
const runs = process.env["TEST_DEEP"] ? 1_000 : 60;

test("finds lists with a cursor", async () => {
  expect((await lists()).filter(({ names }) => names.includes("cursor")).length).toBeGreaterThan(4);
});

test("returns no server error for any invalid query value", async () => {
  const statuses = new Set<number>();
  for (const { path, names } of await lists()) {
    const query = fc.record(Object.fromEntries(names.map((name) => [name, value(name)])), { requiredKeys: [] });
    const address = `/api${path.replace("{slug}", slug).replaceAll(/\{\w+\}/g, id)}`;
    await fc.assert(
      fc.asyncProperty(query, fc.nat(callers.length - 1), async (given, caller) => {
        const search = new URLSearchParams(given as Record<string, string>);
        const response = await app.request(`${address}?${search}`, { headers: callers[caller] ?? {} });
        statuses.add(response.status);
        expect(response.status, `${address}?${search}`).toBeLessThan(500);
      }),
      { numRuns: runs },
    );
  }
  for (const status of [200, 400, 401, 403]) expect(statuses).toContain(status);
});

test.each([
  "/api/artists?freeOn=0000-01-01",
  `/api/artists?sort=newest&cursor=${Buffer.from(JSON.stringify(["newest", "2026-99-99 00:00:00Z", id])).toString("base64url")}`,
  `/api/admin/users?cursor=${Buffer.from(JSON.stringify(["yesterday", id])).toString("base64url")}`,
  `/api/admin/users?cursor=${Buffer.from(JSON.stringify(["0000-01-01 00:00:00+00", id])).toString("base64url")}`,
])("refuses %s with a message", async (address) => {
  const response = await app.request(address, { headers: callers[1] ?? {} });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "invalid", message: expect.stringMatching(/\w/) });
});

test.each(["__proto__", "constructor", "toString", ""])("refuses a verification of the type %s", async (type) => {
  const response = await app.request("/auth/v1/verify", { body: { type, token_hash: "x".repeat(40) } });
  expect(response.status).toBe(400);
});
