import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { standardTemplate } from "#contracts/rules.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { dayAhead } from "#test/harness/bookings.ts";
import { issueDocuments } from "#test/harness/documents.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());
const headers = await app.signIn(await app.make.user({ role: "admin", name: "Ines Halvorsen" }));

const read = async (address: string) => {
  const response = await app.request(`/api/admin/${address}`, { headers });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return { response, lines: text.replace("\uFEFF", "").trimEnd().split("\r\n") };
};

test("exports bookings with the filters of the list, amounts as decimals and texts without formulas", async () => {
  await app.make.booking({ promoterName: "=HYPERLINK(1)", venue: 'The "Old" Mill, Austin', fee: 150_050 });
  await app.make.booking({ promoterName: "Dele Okafor", status: "deposit_paid", fee: 100_000 });
  const { response, lines } = await read("bookings.csv");
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="bookings-\d{4}-\d\d-\d\d\.csv"$/);
  expect(lines[0]).toContain("Number,Status,Artist");
  expect(lines).toHaveLength(3);
  const formula = lines.find((line) => line.includes("HYPERLINK")) ?? "";
  expect(formula).toContain(",'=HYPERLINK(1),");
  expect(formula).toContain('"The ""Old"" Mill, Austin"');
  expect(formula).toContain(",1500.50,");
  const paid = (await read("bookings.csv?status=deposit_paid&search=okafor&page=3&sort=event")).lines;
  expect(paid).toHaveLength(2);
  expect(paid[1]).toContain(",1000.00,250.00,750.00,250.00,0.00,0.00,");
  expect((await read("bookings.csv?search=nobody")).lines).toHaveLength(1);
});

test("writes the day of a request in the time zone of its filter, and names the file after the filter's days", async () => {
  const createdAt = new Date("2020-12-01T05:30:00Z");
  const { number, time_zone: zone } = await app.make.booking({ createdAt });
  expect(zone).toBe("America/Chicago");
  const { lines, response } = await read("bookings.csv?from=2020-12-01&to=2020-12-01");
  expect(response.headers.get("content-disposition")).toContain('"bookings-2020-12-01-to-2020-12-01.csv"');
  expect(lines[1]).toMatch(new RegExp(`^${number},.*,2020-12-01 00:30:00,America/New_York$`));
});

test("exports payments and logs, and logs the export", async () => {
  const { lines } = await read("payments.csv?status=succeeded");
  expect(lines[1]).toMatch(/^SD-\w{6},.*,deposit,succeeded,usd,250\.00,0\.00,0\.00,sandbox,cs_/);
  expect((await read("payments.csv?status=failed")).lines).toHaveLength(1);
  const log = (await read("logs.csv?type=system")).lines;
  expect(log.some((line) => line.includes("The list of payments was exported,payments,Ines Halvorsen"))).toBe(true);
});

test("exports documents with net, tax and gross, and a name without formulas", async () => {
  const promoterName = "=1+1";
  const { number } = await app.make.booking({ promoterName, status: "deposit_paid", fee: 100_000 });
  await issueDocuments(app.services);
  const { lines } = await read("documents.csv");
  expect(lines[0]).toMatch(/^Number,Date,Kind,Seller,Buyer,Net,Tax,Gross,Currency,/);
  const line = lines.find((one) => one.includes(number)) ?? "";
  expect(line).toMatch(/^A-\d+-00001,\d{4}-\d\d-\d\d,Receipt,Act \w+,'=1\+1,250\.00,0\.00,250\.00,usd,,0,/);
});

test("exports a list longer than one batch in full, newest first", async () => {
  await app.database.db
    .insertInto("activity")
    .values(
      Array.from({ length: 2_300 }, (_, at) => ({
        type: "notification",
        message: `Long ${String(at).padStart(4, "0")}`,
        created_at: new Date(1_700_000_000_000 + Math.floor(at / 7)),
      })),
    )
    .execute();
  const { lines } = await read("logs.csv?search=long");
  expect(lines).toHaveLength(2_301);
  expect(new Set(lines).size).toBe(2_301);
});

test.each([
  "bookings.csv",
  "payments.csv",
  "documents.csv",
  "ledger.csv",
  "logs.csv",
  "contracts.csv",
  "contract-templates.csv",
  "users.csv",
  "artists.csv",
  "holds.csv",
])("restricts %s to admins", async (file) => {
  const at = `/api/admin/${file}`;
  expect((await app.request(at)).status).toBe(401);
  for (const role of ["artist", "promoter"] as const) {
    const who = await app.signIn(await app.make.user({ role }));
    expect((await app.request(at, { headers: who })).status).toBe(403);
  }
  expect((await app.request(`${at}?search=${encodeURIComponent("\0")}`, { headers })).status).toBe(400);
});

test("exports only the own rows of promoters and artists, and only the selected ones", async () => {
  const [promoter, artist, other] = await Promise.all([
    app.make.user({ role: "promoter" }),
    app.make.user({ role: "artist" }),
    app.make.user({ role: "promoter" }),
  ]);
  const act = await app.make.artist({ userId: artist.id });
  const make = (promoterUserId: string, days: number) =>
    app.make.booking({ promoterUserId, artistId: act.id, status: "deposit_paid", eventDate: dayAhead(app, days) });
  const [one, two, theirs] = [await make(promoter.id, 60), await make(promoter.id, 61), await make(other.id, 62)];
  const numbersIn = async (user: typeof promoter, address: string, ids?: string[]) => {
    const body = ids && { body: { ids } };
    const response = await app.request(`/api/${address}`, { headers: await app.signIn(user), ...body });
    expect(response.status).toBe(200);
    const lines = (await response.text()).trimEnd().split("\r\n").slice(1);
    return lines.map((line) => line.split(",")[0] ?? "").toSorted();
  };
  const own = [one.number, two.number].toSorted();
  expect(await numbersIn(promoter, "promoter/bookings.csv?show=upcoming")).toEqual(own);
  expect(await numbersIn(promoter, "promoter/bookings.csv", [one.id])).toEqual([one.number]);
  expect(await numbersIn(promoter, "promoter/bookings.csv", [theirs.id])).toEqual([]);
  expect(await numbersIn(promoter, "promoter/payments.csv?status=succeeded")).toEqual(own);
  const { paid } = await app.database.db
    .selectFrom("payments")
    .select(({ ref }) => [
      sql<string>`to_char(${ref("payment_date")} at time zone 'America/New_York', 'YYYY-MM-DD HH24:MI:SS')`.as("paid"),
    ])
    .where("booking_id", "=", one.id)
    .executeTakeFirstOrThrow();
  const csv = await app.request(`/api/promoter/payments.csv`, { headers: await app.signIn(promoter) });
  const line = (await csv.text()).split("\r\n").find((row) => row.startsWith(one.number));
  expect(line).toContain(`,${paid},`);
  expect(line).toMatch(/,America\/New_York$/);
  expect(await numbersIn(artist, "artist/bookings.csv")).toEqual([...own, theirs.number].toSorted());
  expect((await app.request("/api/artist/bookings.csv", { headers: await app.signIn(promoter) })).status).toBe(403);
  const many = Array.from({ length: 9_999 }, () => randomUUID());
  expect(await numbersIn(promoter, "promoter/bookings.csv", [...many, two.id])).toEqual([two.number]);
  const headers = await app.signIn(promoter);
  const invalid = { headers, body: { ids: ["x"] } };
  expect((await app.request("/api/promoter/bookings.csv", invalid)).status).toBe(400);
  for (const query of [`ids=${two.id}`, "form=2026-01-01", "from=01.01.2026"])
    expect((await app.request(`/api/promoter/bookings.csv?${query}`, { headers })).status).toBe(400);
  const mistyped = await app.request("/api/promoter/payments.csv?form=2026-01-01", { headers });
  expect(await mistyped.json()).toMatchObject({ message: "Not known here: form." });
});

test("exports contracts, their templates and users", async () => {
  await app.make.user({ role: "promoter", name: "Zelda Quill" });
  expect((await read("users.csv?search=quill")).lines[1]).toMatch(/,Zelda Quill,[^,]+,promoter,no,/);
  expect((await read("contracts.csv")).lines[0]).toMatch(/^Booking,Artist,Promoter,/);
  const { title, sections } = standardTemplate;
  for (const from of [0, 1]) {
    const saved = { method: "POST", headers, body: { from, title, sections } };
    expect((await app.request("/api/admin/contract-templates/club", saved)).status).toBe(200);
  }
  const templates = (await read("contract-templates.csv")).lines;
  expect(templates).toHaveLength(3);
  expect(templates[0]).toBe("Name,Title,Version,Saved by,Saved,Time zone");
  expect(templates[1]).toMatch(/^club,[^,]+,2,Ines Halvorsen,/);
  expect(templates[2]).toMatch(/^standard,[^,]+,\d,shipped with the product,/);
});

test("exports selected templates, and refuses ids of another type than the list's", async () => {
  const post = (file: string, id: string) =>
    app.request(`/api/admin/${file}.csv`, { method: "POST", headers, body: { ids: [id] } });
  const csv = await (await post("contract-templates", "standard")).text();
  expect(csv.trim().split("\r\n").slice(1)).toEqual([expect.stringMatching(/^standard,/)]);
  const entry = await app.database.db.selectFrom("ledger_entries").select("id").executeTakeFirstOrThrow();
  expect((await (await post("ledger", String(entry.id))).text()).trim().split("\r\n")).toHaveLength(2);
  for (const [file, id] of [
    ["ledger", randomUUID()],
    ["ledger", "9".repeat(19)],
    ["bookings", "standard"],
  ] as const)
    expect([file, id, (await post(file, id)).status]).toEqual([file, id, 400]);
});

test("exports artists with the filters of their list, and holds", async () => {
  const owner = await app.make.user({ role: "artist", email: "owner@example.test" });
  await app.make.artist({ name: "Quartz Lake", userId: owner.id, baseRate: 123_450 });
  const other = await app.make.artist({ name: "Quartz Hill" });
  await app.database.db.updateTable("artists").set({ is_active: false }).where("id", "=", other.id).execute();
  const active = (await read("artists.csv?search=quartz&active=active")).lines;
  expect(active).toHaveLength(2);
  expect(active[1]).toMatch(/,Quartz Lake,jazz,"Austin, Texas",owner@example\.test,yes,no,usd,1234\.50,0,/);
  expect((await read("artists.csv?search=quartz")).lines).toHaveLength(3);
  const night = dayAhead(app, 40);
  const held = await app.request("/api/artist/holds", {
    method: "POST",
    headers: await app.signIn(owner),
    body: {
      nights: [night],
      until: new Date(app.clock.now().getTime() + dayMs),
      name: "Holly Reyes",
      eventTime: "21:00",
      eventLocation: "Hall",
      eventType: "Concert",
    },
  });
  expect(held.status, await held.text()).toBe(201);
  const deadline = "2026-12-03T12:00:00.000Z";
  await app.database.db
    .updateTable("hold_nights")
    .set({ challenge_ends_at: deadline })
    .where("night", "=", night)
    .execute();
  expect((await read("holds.csv")).lines[1]).toContain(
    `${night},Quartz Lake,Holly Reyes,1,active,2026-12-03 07:00:00,`,
  );
});
