import { expect, test } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";
import { endpoints } from "./endpoints.ts";

const app = closeAfterFile(await testApp());
const slug = (await app.make.artist()).slug;

const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const booking = (more: object = {}) => ({
  artistId: slug,
  clientName: "Robin Vale",
  clientEmail: "robin@example.test",
  clientPhone: "+1 512 555 0142",
  eventDate: day(60),
  eventTime: "20:00",
  eventLocation: "The Lantern Room, Austin",
  eventType: "Concert",
  guestCount: 120,
  duration: "2 hours",
  specialRequests: "A quiet first half hour.",
  ...more,
});
const contact = (more: object = {}) => ({
  name: "Robin",
  email: "robin@example.test",
  subject: "Hello",
  message: "A question.",
  ...more,
});

const strange: unknown[] = [
  "",
  " ",
  "\n",
  "\t\r\n",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "x\udfffy",
  "\u202eevil",
  "\u200b",
  "\ufeff",
  "\uffff",
  "é".repeat(300),
  "a".repeat(5_000),
  "🎸".repeat(200),
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '"><svg/onload=alert(1)>',
  "javascript:alert(1)",
  "{{7*7}}",
  "${7*7}",
  "<%= 1 %>",
  "%s%n",
  "%00",
  "%ff",
  "%",
  "' or 1=1 --",
  "'; drop table bookings; --",
  "\\",
  "\\u0000",
  "../../etc/passwd",
  "..\\..\\",
  "C:\\con",
  "=cmd|' /C calc'!A0",
  "+1+1",
  "@SUM(1)",
  "\r\nBcc: evil@example.test",
  "null",
  "undefined",
  "NaN",
  "true",
  "[]",
  "{}",
  "0",
  "-1",
  "1e309",
  "1.5",
  "9007199254740993",
  "0x10",
  "１２",
  "२०२७-०१-०१",
  "2027-02-30",
  "0000-00-00",
  "9999-99-99",
  "-2027-01-01",
  "+002027-01-01",
  "2027-13-01",
  "2027-1-1",
  "99999-01-01",
  "1970-01-01",
  "2027-01-01T00:00:00Z",
  "24:00",
  "23:60",
  "-1:00",
  "8pm",
  "20:00:00.000",
  "20.00",
  "٢٠:٠٠",
  "a@b",
  "a@b@c.test",
  "a b@c.test",
  "a@[127.0.0.1]",
  '"a\\"b"@c.test',
  "a@c.test\nbcc:x@y.test",
  "a@münchen.test",
  "a@c..test",
  ".@c.test",
  "4242 4242 4242 4242",
  "5555555555554444",
  "admin",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  [],
  [[]],
  [null],
  ["a"],
  {},
  { a: 1 },
  { $ne: null },
  { toString: 1 },
  { length: 1e9 },
];

type ErrorResponse = { code?: string; message?: string };

async function expectCalm(response: Response, about: string): Promise<void> {
  const text = await response.text();
  expect(response.status, `${about} → ${text.slice(0, 200)}`).toBeLessThan(500);
  if (response.status < 400) return;
  const body = JSON.parse(text) as ErrorResponse;
  expect(body.message, about).toMatch(/\w+ \w+/);
  expect(text, about).not.toMatch(/at \w+ \(|node_modules|select |insert into/i);
}

const bases = { "/api/bookings": booking, "/api/contact": contact } as const;

for (const [address, base] of Object.entries(bases)) {
  test(`returns no server error for strange values in every field of ${address}`, async () => {
    for (const field of Object.keys(base())) {
      for (const value of strange)
        await expectCalm(
          await app.request(address, { body: base({ [field]: value }) }),
          `${field} = ${JSON.stringify(value)}`,
        );
      const { [field]: _left, ...without } = base() as Record<string, unknown>;
      await expectCalm(await app.request(address, { body: without }), `${field} left out`);
    }
  });
}

test("stores only complete rows", async () => {
  const rows = await app.database.db.selectFrom("bookings").selectAll().execute();
  // Some strange values are valid: a name of one emoji, a long text.
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) {
    for (const text of [row.promoter_name, row.promoter_email, row.promoter_phone, row.event_type, row.venue_name])
      expect(text.trim()).not.toBe("");
    expect(row.status).toBe("initiated");
    expect(row.deposit_cents + row.balance_cents).toBe(row.fee_cents);
  }
});

test.each([
  ["an unknown key", () => booking({ price: 1 }), "price"],
  ["a money field", () => booking({ fee_cents: 1 }), "fee_cents"],
  ["a status", () => booking({ status: "deposit_paid" }), "status"],
])("refuses %s by name, and stores nothing", async (_what, body, name) => {
  const before = await count();
  const response = await app.request("/api/bookings", { body: body() });
  expect(response.status).toBe(400);
  expect(((await response.json()) as ErrorResponse).message).toContain(name);
  expect(await count()).toBe(before);
});

const count = async () =>
  Number(
    (
      await app.database.db
        .selectFrom("bookings")
        .select((one) => one.fn.countAll<number>().as("n"))
        .executeTakeFirstOrThrow()
    ).n,
  );

test.each([
  ["no JSON at all", "{"],
  ["an array", "[]"],
  ["a number", "1"],
  ["a key twice", '{"artistId":"a","artistId":"b"}'],
  ["a prototype", '{"__proto__":{"role":"admin"}}'],
  ["ten thousand levels", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
  ["a megabyte", JSON.stringify({ clientName: "x".repeat(1_048_576) })],
])("refuses %s as the body of any endpoint", async (_what, body) => {
  for (const endpoint of endpoints().filter((one) => one.method === "POST" && !one.path.includes("{"))) {
    const response = await app.request(`/api${endpoint.path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(response.status, endpoint.operationId).toBeGreaterThanOrEqual(400);
    await expectCalm(response, endpoint.operationId);
  }
});

test("returns no server error for strange words in queries", async () => {
  const words = strange.filter((one): one is string => typeof one === "string" && one.isWellFormed());
  for (const word of words) {
    const text = encodeURIComponent(word).slice(0, 2_000);
    for (const address of [
      `/api/artists?search=${text}`,
      `/api/artists?genre=${text}&limit=${text}&cursor=${text}&sort=${text}&minPrice=${text}&freeOn=${text}`,
      `/api/artists/${text}`,
      `/api/bookings/00000000-0000-4000-8000-000000000000?link=${text}`,
      `/api/artists/${text}/reviews`,
      `/api/artists/electric-dreams/reviews?cursor=${text}&limit=${text}`,
      `/api/bookings/${text}/reviews`,
      `/api/bookings/by-session/${text}`,
      `/api/search?q=${text}`,
      `/api/dev/outbox?to=${text}`,
    ]) {
      await expectCalm(await app.request(address), address);
    }
  }
});

test("shows a page and the common headers to a browser for an address that cannot be read", async () => {
  for (const address of ["/caf%e9", "/artist/%00"]) {
    const response = await app.request(address, { headers: { accept: "text/html,*/*" } });
    expect([response.status, response.headers.get("x-content-type-options")], address).toEqual([400, "nosniff"]);
    expect(await response.text(), address).toContain("<h1>This page was not found</h1>");
  }
});

test("refuses a URL that cannot be decoded with a message and a reference", async () => {
  for (const address of ["/api/artists/%", "/artist/%E0%A4", "/auth/v1/%zz", "/%"]) {
    const response = await app.request(address);
    expect(response.status, address).toBe(400);
    expect(await response.json()).toEqual({
      code: "invalid",
      message: expect.stringContaining("invalid % sign"),
      requestId: expect.stringMatching(/^[\w-]{36}$/),
    });
  }
});
