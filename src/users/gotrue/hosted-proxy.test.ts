import { createServer, request as httpRequest } from "node:http";
import { type AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { gotrueDouble } from "#test/gotrue/double.ts";
import { testPassword, accountsApp } from "#test/harness/accounts.ts";

const service = closeAfterFile(await gotrueDouble());
const app = closeAfterFile(await accountsApp({ GOTRUE_URL: service.url, GOTRUE_API_KEY: "public-key" }));
const port = Number(new URL(await app.listen()).port);

const raw = (path: string, method = "GET"): Promise<{ status: number; location: string | undefined; text: string }> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: "127.0.0.1", port, path, method, headers: { authorization: "Bearer x" } },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, location: response.headers.location, text }),
        );
      },
    );
    request.once("error", reject).end();
  });

const tricks = [
  "/admin/users",
  "/x/../admin/users",
  "//admin/users",
  "/%61dmin/users",
  "/x/%2e%2e/admin/users",
  "/x/..%2fadmin/users",
  "/x/..%5cadmin/users",
  "/user/../admin/users",
  "/user/%2e%2e/admin/users",
  "/user%2f..%2fadmin/users",
  "/.%2e/auth/v1/admin/users",
  "/user;/../admin/users",
  "/user\\..\\admin\\users",
  "/ADMIN/users",
  "/./admin/users",
  "/admin%2fusers",
  "/x/../../../rest/v1/users",
  "/..%2f..%2frest/v1/users",
  "/@evil.example/user",
  "//evil.example/user",
  "/http:%2f%2fevil.example",
  "/factors/../admin/users",
  "/factors/..%2f..%2fadmin%2fusers/challenge",
  "/factors/%2e%2e/verify",
  "/factors/00000000-0000-4000-8000-000000000000%2f..%2f..%2fadmin/challenge",
  "/invite",
  "/generate_link",
  "/sso",
  "/authorize?provider=github",
  "/callback",
  "/user/identities/authorize",
  "/oauth/token",
  "/scim/v2/Users",
  "/user%00",
  "/user?x=/../admin",
  "/health/../settings/../admin/users",
];

describe("proxy to a hosted service", () => {
  it.each(tricks)("forwards only the fronted calls: %s", async (path) => {
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      service.reached.length = 0;
      const { text } = await raw(`/auth/v1${path}`, method);
      expect(text).not.toContain("users");
      for (const one of service.reached) expect(one).toMatch(/^(GET|PUT) \/auth\/v1\/user$/);
    }
  });

  it("builds the address of a call from its own table, with the allowed parameters", async () => {
    service.reached.length = 0;
    await raw("/auth/v1/token?grant_type=password&grant_type=refresh_token", "POST");
    await raw("/auth/v1/token?grant_type=pkce", "POST");
    await raw("/auth/v1/logout?scope=everything", "POST");
    expect(service.reached).toEqual([]);
    await raw("/auth/v1/recover?redirect_to=https://evil.example&to=x", "POST");
    await raw("/auth/v1/logout", "POST");
    await raw("/auth/v1/user?redirect_to=https://evil.example/%0d%0aset-cookie:x", "PUT");
    expect(service.reached).toEqual([
      `POST /auth/v1/recover?redirect_to=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
      "POST /auth/v1/logout?scope=global",
      `PUT /auth/v1/user?redirect_to=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
    ]);
  });

  it("does not use a link when it is opened, and redirects to the page with the button", async () => {
    const email = "scanned@people.test";
    await app.client().auth.signUp({ email, password: testPassword });
    const { tokenHash } = service.lastMail(email);
    service.reached.length = 0;
    for (const path of [
      `/verify?token=${tokenHash}&type=signup`,
      `/verify?token_hash=${tokenHash}&type=signup`,
      `/%76erify?token=${tokenHash}&type=signup`,
    ]) {
      for (const method of ["GET", "HEAD"]) {
        const { status, location } = await raw(`/auth/v1${path}`, method);
        expect([status, location]).toEqual([303, `/auth/confirm?token_hash=${tokenHash}&type=signup`]);
      }
    }
    expect(service.reached).toEqual([]);
    expect((await app.client().auth.verifyOtp({ token_hash: tokenHash, type: "signup" })).error).toBeNull();
  });

  it("returns no response that is not JSON, follows no redirect, and never returns its key", async () => {
    const seen: (string | undefined)[] = [];
    const odd = createServer((request, reply) => {
      seen.push(request.headers["apikey"]?.toString());
      if (request.url?.endsWith("/settings")) reply.writeHead(302, { location: "http://127.0.0.1:1/secret" }).end();
      else reply.writeHead(200, { "content-type": "text/html", "set-cookie": "a=b" }).end("<script>alert(1)</script>");
    });
    await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}/auth/v1`;
    const front = await accountsApp({ GOTRUE_URL: url, GOTRUE_API_KEY: "public-key" }, app);
    for (const path of ["/settings", "/health"]) {
      const response = await front.send(`/auth/v1${path}`, { headers: { apikey: "of the caller" } });
      expect(response.status).toBe(503);
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(await response.text()).not.toMatch(/script|public-key/);
    }
    expect(new Set(seen)).toEqual(new Set(["public-key"]));
    await new Promise((resolve) => odd.close(resolve));
  });
});
