import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { paymentsHarness } from "#test/harness/payments.ts";
import { sandboxClient, wantedSession } from "#test/harness/provider/sandbox-client.ts";

const app = closeAfterFile(await paymentsHarness());

const get = async (url: string) => app.server.inject({ method: "GET", url });

test("has four buttons, a countdown, no field, and a policy that allows no other script", async () => {
  const { url } = await app.start();
  const page = await get(new URL(url).pathname);
  expect(page.statusCode).toBe(200);
  expect([...page.body.matchAll(/<button[^>]*>([^<]+)</g)].map((match) => match[1])).toEqual([
    "Pay $375",
    "Decline",
    "Cancel",
    "Authenticate",
  ]);
  expect(page.body).toMatch(/>\$375</);
  expect(page.body).toContain("<dt>Paid by</dt><dd>Hannah Whitt</dd>");
  expect(page.body).toMatch(/<summary>Other answers of the bank<\/summary>.*Authenticate/);
  expect(page.body).not.toMatch(
    /<input|<script(?! src="\/sandbox\/countdown\.js" defer><)|<select|<textarea|contenteditable|style=/,
  );
  expect(page.body).toMatch(/held for you for <span [^>]*data-seconds-left="1[78]\d\d">30 more minutes</);
  // A ranked hold of the night outlasts the checkout.
  expect(page.body).toContain("After that you can no longer pay here.");
  expect(page.body).toContain("Deposit for Electric Dreams");
  expect(page.body).toContain("No card is charged.");
  expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
  expect(page.headers["content-security-policy"]).toContain("script-src 'self'");
  expect(page.headers["content-security-policy"]).toContain("form-action 'self' http://localhost:3130");
  expect((await get(`${new URL(url).pathname}?declined=1`)).body).toContain("The bank declined this payment.");
});

test("links to the contract beside its buttons, after the payer's agreement", async () => {
  const contractUrl = "https://stagedoor.example/booking/1#contract";
  const link = `<a href="${contractUrl}" target="_blank" rel="noopener">Read the full contract</a>`;
  const { url } = await app.start({ contractUrl });
  expect((await get(new URL(url).pathname)).body).toContain(`<p class="small">${link}</p>`);
  const kept = await app.start({ contractUrl, saveCardNotice: "The balance is charged to this card." });
  expect((await get(new URL(kept.url).pathname)).body).toContain(`The balance is charged to this card. ${link}`);
});

test("offers the later result of a saved card, if one is saved, and shows the payer's agreement", async () => {
  const { url } = await app.start({ saveCardNotice: "The balance is charged to <this> card." });
  const page = await get(new URL(url).pathname);
  expect([...page.body.matchAll(/<option value="(\w+)"/g)].map((match) => match[1])).toEqual([
    "works",
    "card_declined",
    "authentication_required",
    "expired_card",
  ]);
  expect(page.body).toContain("The balance is charged to &lt;this&gt; card.");
  expect(page.body).not.toMatch(/<input|<textarea|contenteditable|style=/);
});

test("states that it is paid, ended or unknown", async () => {
  const one = await app.start();
  await app.press(one.url, "pay");
  const after = await get(new URL(one.url).pathname);
  expect(after.body).toContain("Already paid");
  for (const text of ["Deposit for Electric Dreams, $375", "Saturday 13 February 2027, 20:30"])
    expect(after.body).toContain(text);
  expect(after.body).not.toMatch(/Balance \$|cancel/i);
  expect(after.body).toMatch(/href="[^"]*session_id=cs_test_\w+">Open the booking</);
  expect((await app.press(one.url, "pay")).location).toBe(new URL(one.url).pathname);
  expect((await get("/sandbox/checkout/cs_test_none")).statusCode).toBe(404);
  expect((await app.server.inject({ method: "POST", url: `${new URL(one.url).pathname}/toString` })).statusCode).toBe(
    404,
  );
});

test("shows markup as text", async () => {
  const nasty = `<img src=x onerror=alert(1)>"'&`;
  const params = wantedSession(app.clock, {
    customer_email: "a@b.test",
    line_items: [
      {
        quantity: 1,
        price_data: { currency: "usd", unit_amount: 500, product_data: { name: nasty, description: nasty } },
      },
    ],
  });
  const session = await sandboxClient(app).checkout.sessions.create(params, { idempotencyKey: "nasty" });
  const page = await get(new URL(session.url ?? "").pathname);
  expect(page.body).not.toContain("<img src=x");
  expect(page.body).toContain("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;");
});

test("includes its own styles and its countdown", async () => {
  expect((await get("/sandbox/checkout.css")).headers["content-type"]).toContain("text/css");
  expect((await get("/sandbox/countdown.js")).headers["content-type"]).toContain("text/javascript");
});
