import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";
import { endpoints } from "../routing/endpoints.ts";

const app = closeAfterFile(await testApp());

const { slug } = await app.make.artist({ name: "Cached Band", baseRate: 120_000 });

const price = async () =>
  ((await (await app.request(`/api/artists/${slug}`)).json()) as { base_rate: number }).base_rate;
const setPrice = (cents: number) => sql`update artists set base_rate = ${cents} where slug = ${slug}`;

async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(app.database.db.getExecutor(), "executeQuery");
  try {
    await work();
    return spy.mock.calls.map(([query]) => query.sql);
  } finally {
    spy.mockRestore();
  }
}

test("marks only public reads of artists as cacheable", () => {
  const cacheable = endpoints().filter((endpoint) => endpoint.meta.cacheable);
  expect(cacheable.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual([
    "GET /artists",
    "GET /artists/:slug",
    "GET /artists/:slug/reviews",
    "GET /artists/compare",
    "GET /artists/count",
    "GET /artists/featured",
  ]);
});

test("returns a change immediately, even one of another process", async () => {
  for (const cents of [130_000, 140_000, 150_000]) {
    await price();
    await setPrice(cents).execute(app.database.db);
    expect(await price()).toBe(cents);
  }
});

test("returns an uncommitted change only after its commit", async () => {
  expect(await price()).toBe(150_000);
  const changed = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const change = app.database.transaction(async (tx) => {
    await setPrice(160_000).execute(tx);
    changed.resolve();
    await goOn.promise;
  });
  await changed.promise;
  // The embedded engine has one connection: a read waits until the change is committed.
  if (app.database.engine === "postgres") expect(await price()).toBe(150_000);
  goOn.resolve();
  await change;
  expect(await price()).toBe(160_000);
});

test("answers the same request from the cache, byte for byte, after one query for changes", async () => {
  const address = "/api/artists?limit=5";
  let [first, second] = [new Response(), new Response()];
  // A snapshot covers the whole PostgreSQL server: a test of another database may change it between the two requests.
  const requestTwice = async () => {
    first = await app.request(address);
    return statementsDuring(async () => (second = await app.request(address)));
  };
  await expect.poll(requestTwice).toEqual([expect.stringContaining("pg_current_snapshot")]);
  expect(await second.text()).toBe(await first.text());
  for (const name of ["content-type", "cache-control", "x-content-type-options"])
    expect(second.headers.get(name)).toBe(first.headers.get(name));
});

test("does not answer a request with an access token from the cache", async () => {
  const address = "/api/artists?limit=5";
  const person = await app.make.user({ role: "promoter" });
  const headers = await app.signIn(person);
  await app.request(address);
  const statements = await statementsDuring(() => app.request(address, { headers }));
  expect(statements.some((statement) => statement.includes("from artists"))).toBe(true);
});

test("queries a missing artist again, and finds it once it exists", async () => {
  expect((await app.request("/api/artists/late-band")).status).toBe(404);
  await app.make.artist({ name: "Late Band" });
  expect((await app.request("/api/artists/late-band")).status).toBe(200);
});
