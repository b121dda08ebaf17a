import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testApp, type TestApp } from "#test/test-app.ts";
import { endpoints } from "./routing/endpoints.ts";

let app: TestApp;
let slug: string;

beforeAll(async () => {
  app = await testApp();
  ({ slug } = await app.make.artist({ name: "Cached Band", baseRate: 120_000 }));
});
afterAll(() => app.close());

const price = async () =>
  ((await (await app.request(`/api/artists/${slug}`)).json()) as { base_rate: number }).base_rate;
const setPrice = (cents: number) => sql`update artists set base_rate = ${cents} where slug = ${slug}`;

/** The statements that reach the database while something happens. */
async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(app.database.db.getExecutor(), "executeQuery");
  try {
    await work();
    return spy.mock.calls.map(([query]) => query.sql);
  } finally {
    spy.mockRestore();
  }
}

test("only public reads of artists are cacheable", () => {
  const cacheable = endpoints().filter((endpoint) => endpoint.cacheable);
  expect(cacheable.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual([
    "GET /artists",
    "GET /artists/:slug",
    "GET /artists/:slug/reviews",
    "GET /artists/compare",
    "GET /artists/count",
    "GET /artists/featured",
  ]);
});

test("a change is seen at once, also one that did not come through this server", async () => {
  for (const cents of [130_000, 140_000, 150_000]) {
    await price();
    await setPrice(cents).execute(app.database.db);
    expect(await price()).toBe(cents);
  }
});

test("a change that is not committed is not seen, and is seen once it is", async () => {
  expect(await price()).toBe(150_000);
  const changed = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const change = app.database.transaction(async (tx) => {
    await setPrice(160_000).execute(tx);
    changed.resolve();
    await goOn.promise;
  });
  await changed.promise;
  // The embedded engine has one connection: a read waits there until the change is committed.
  if (app.database.engine === "postgres") expect(await price()).toBe(150_000);
  goOn.resolve();
  await change;
  expect(await price()).toBe(160_000);
});

test("the same request is answered from the cache, byte for byte, after asking only whether anything changed", async () => {
  const address = "/api/artists?limit=5";
  let [first, second] = [new Response(), new Response()];
  // A snapshot belongs to the whole PostgreSQL server: a test of another database may change it between the two requests.
  const askTwice = async () => {
    first = await app.request(address);
    return statementsDuring(async () => (second = await app.request(address)));
  };
  await expect.poll(askTwice).toEqual([expect.stringContaining("pg_current_snapshot")]);
  expect(await second.text()).toBe(await first.text());
  for (const name of ["content-type", "cache-control", "x-content-type-options"])
    expect(second.headers.get(name)).toBe(first.headers.get(name));
});

test("a request with an access token is not answered from the cache", async () => {
  const address = "/api/artists?limit=5";
  const person = await app.make.user({ role: "promoter" });
  const headers = await app.signIn(person);
  await app.request(address);
  const statements = await statementsDuring(() => app.request(address, { headers }));
  expect(statements.some((statement) => statement.includes("from artists"))).toBe(true);
});

test("a missing artist is asked for again, and found as soon as there is one", async () => {
  expect((await app.request("/api/artists/late-band")).status).toBe(404);
  await app.make.artist({ name: "Late Band" });
  expect((await app.request("/api/artists/late-band")).status).toBe(200);
});
