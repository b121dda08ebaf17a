import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { get, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { landingBars, linkedTransferSize } from "../../bench/transfer-size.ts";
import { emptyMarketFolder, endAll, type Server, startServer } from "./server.ts";

let server: Server;

beforeAll(async () => {
  // The build is found from every folder.
  server = await startServer({ DATA_DIR: emptyMarketFolder() }, tmpdir());
});
afterAll(endAll);

test("loads the landing page below its size limits", async () => {
  const { scripts, styles } = await linkedTransferSize(`${server.address}/`);
  // Fewer files than those of the packages, the layout and the page mean that some were not measured.
  expect(scripts.files).toBeGreaterThanOrEqual(4);
  expect(styles.files).toBeGreaterThanOrEqual(2);
  expect(scripts.kB).toBeGreaterThan(90);
  expect(scripts.kB).toBeLessThanOrEqual(landingBars.scripts);
  expect(styles.kB).toBeLessThanOrEqual(landingBars.styles);
});

test("loads styles and fonts before scripts and posters", async () => {
  const html = await (await fetch(`${server.address}/`)).text();
  const preloads = [...html.matchAll(/<link rel="(?:module)?preload"[^>]*>/g)].map(([link]) => link);
  const scripts = preloads.filter((link) => link.includes("modulepreload"));
  expect(scripts.length).toBeGreaterThanOrEqual(4);
  for (const link of scripts) expect(link).toContain('fetchPriority="low"');
  // React preloads the first screen's images before anything else, unless other resources have priority.
  expect(preloads.filter((link) => link.includes('as="image"'))).toEqual([]);
  expect(preloads.filter((link) => link.includes('as="font"'))).toHaveLength(2);
});

test("contains the styles of a public page, which waits for no style sheet", async () => {
  const links = async (address: string) => [
    ...(await (await fetch(`${server.address}${address}`)).text()).matchAll(/(.{9})(<link [^>]*stylesheet[^>]*>)/gs),
  ];
  const inlined = await links("/contact");
  expect(inlined.length).toBeGreaterThanOrEqual(2);
  for (const [, before, link] of inlined) {
    expect(before).toBe("}</style>");
    expect(link).toContain(' disabled=""');
  }
  for (const [, , link] of await links("/promoter/bookings")) expect(link).not.toContain("disabled");
});

test.each([
  ["br", brotliDecompressSync],
  ["gzip", gunzipSync],
] as const)("sends scripts as compressed by the build, in %s", async (encoding, decompress) => {
  const html = await (await fetch(`${server.address}/`)).text();
  const script =
    /src="(\/assets\/[^"]+\.js)"|href="(\/assets\/framework[^"]+\.js)"/.exec(html)?.slice(1).find(Boolean) ?? "";
  const { status, headers, body } = await received(`${server.address}${script}`, encoding);
  const stored = path.resolve(import.meta.dirname, "../../build/client", `.${script}`);
  expect(status).toBe(200);
  expect(headers).toMatchObject({ "content-encoding": encoding, vary: expect.stringMatching(/accept-encoding/i) });
  expect(headers["content-type"]).toContain("javascript");
  expect(headers["cache-control"]).toContain("immutable");
  expect(body.equals(readFileSync(`${stored}.${encoding === "br" ? "br" : "gz"}`))).toBe(true);
  expect(decompress(body).equals(readFileSync(stored))).toBe(true);
  expect((await received(`${server.address}${script}`, "identity")).body.equals(readFileSync(stored))).toBe(true);
});

/** Returns the response as received. fetch would decompress it. */
const received = (address: string, encoding: string) =>
  new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    get(address, { headers: { "accept-encoding": encoding } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
      );
    }).on("error", reject);
  });

const getPage = (version: string) =>
  fetch(`${server.address}/__manifest?${new URLSearchParams({ paths: "/contact", version })}`);

test("contains a page's own routes, and serves the others with permanent caching", async () => {
  const html = await (await fetch(`${server.address}/`)).text();
  const version = /"version": ?"(\w+)"/.exec(html)?.[1] ?? "";
  expect(html).not.toContain("/assets/contact-page-");
  const response = await getPage(version);
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(await response.text()).toContain("/assets/contact-page-");
});

test("loads the list of all routes with a dashboard", async () => {
  const html = await (await fetch(`${server.address}/promoter/bookings`)).text();
  const list = /"(\/assets\/manifest-[^"]+\.js)"/.exec(html)?.[1] ?? "";
  expect(await (await fetch(`${server.address}${list}`)).text()).toContain("/assets/contact-page-");
});

test("shows no payment of an unknown checkout, and waits for the browser of a possible account", async () => {
  for (const [cookie, text] of [
    ["", "We cannot show this payment here"],
    ["signed_in=1", "the payment is being looked up"],
  ] as const) {
    const response = await fetch(`${server.address}/booking-success?session_id=cs_1`, { headers: { cookie } });
    expect(response.status).toBe(200);
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.text()).toContain(text);
  }
});

test.each([
  ["/auth/confirm?type=magiclink", "Press the button to sign in on this device.", "/auth/confirm"],
  ["/auth/undo?", "Undo the change", "/auth/undo"],
])("contains what the link %s does, without its secret, and is not cached", async (link, text, incomplete) => {
  const response = await fetch(`${server.address}${link}&token_hash=s3cretOfTheLink`);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  const html = await response.text();
  expect(html).toContain(text);
  expect(html).not.toContain("s3cretOfTheLink");
  expect(await (await fetch(`${server.address}${incomplete}`)).text()).toContain("This link is not complete");
});

test("refuses a visitor's unknown contract link with its page, and waits for the browser of a possible account", async () => {
  const address = `${server.address}/sign/${"A".repeat(32)}`;
  const refused = await fetch(address);
  expect(refused.status).toBe(404);
  expect(refused.headers.get("cache-control")).toBe("no-store");
  expect(await refused.text()).toContain("No contract here");
  const open = await fetch(address, { headers: { cookie: "signed_in=1" } });
  expect(open.status).toBe(200);
  expect(await open.text()).toContain("Loading the contract");
});

const unknownId = "00000000-0000-4000-8000-000000000002";

test("refuses an unknown payment link with its page", async () => {
  const address = `${server.address}/pay/${unknownId}/deposit`;
  const unknown = await fetch(`${address}?key=${"A".repeat(32)}`);
  expect(unknown.status).toBe(404);
  expect(unknown.headers.get("cache-control")).toBe("no-store");
  expect(await unknown.text()).toContain("This payment link does not work here");
  expect((await fetch(address)).status).toBe(200);
});

test("does not load the script of the reviews with a guest's booking", async () => {
  const booking = await (await fetch(`${server.address}/booking/${unknownId}`)).text();
  expect(booking).toContain("/assets/guest-booking-page-");
  expect(booking).not.toContain("/assets/review-section-");
});

test("names the platform's time zone, in which the dashboards show days", async () => {
  const html = await (await fetch(`${server.address}/promoter/payments`)).text();
  expect(html).toContain('<html lang="en" data-time-zone="America/New_York"');
});

test("reloads a page of an older build by a response that is not cached", async () => {
  const response = await getPage("0");
  expect(response.status).toBe(204);
  expect(response.headers.get("x-remix-reload-document")).toBe("true");
  expect(response.headers.get("cache-control")).toContain("max-age=0");
});

test.each(["/", "/contact", "/auth", "/nothing-here"])("allows every script in %s by its policy", async (address) => {
  const response = await fetch(`${server.address}${address}`);
  const html = await response.text();
  const policy = response.headers.get("content-security-policy") ?? "";
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)([^>]*)>([\s\S]*?)<\/script>/g)].filter(
    ([, attributes = ""]) => !attributes.includes("ld+json"),
  );
  expect(inline.length).toBeGreaterThan(1);
  for (const [, , script = ""] of inline)
    expect(policy).toContain(`'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  expect(html).not.toContain("nonce=");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
});
