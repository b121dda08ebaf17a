import { expect, test } from "vitest";
import { isLocalRequest, passedUnlistedProxy } from "./request-headers.ts";

test.each(["localhost", "localhost:3000", "127.0.0.1:3000", "127.8.9.1", "[::1]:3000", "stagedoor.localhost:80"])(
  "reads Host %s as this machine",
  (host) => {
    expect(isLocalRequest({ host, cookie: "a=b", "x-token-mode": "cookie" })).toBe(true);
  },
);

test.each([
  undefined,
  "",
  "evil.example",
  "localhost.evil.example",
  "localhost@evil.example",
  "evil.example/localhost",
  "127.0.0.1.nip.io",
  "192.168.1.4:3000",
  "0.0.0.0",
  "[::2]",
])("reads Host %s as another machine", (host) => {
  expect(isLocalRequest(host === undefined ? {} : { host })).toBe(false);
});

test.each([
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "cf-connecting-ip",
  "true-client-ip",
  "x-original-for",
  "x-proxyuser-ip",
  "x-request-start",
])("detects a proxy by %s", (name) => {
  expect(isLocalRequest({ host: "localhost:3000", [name]: "" })).toBe(false);
});

test("detects an unlisted proxy only by its header and its own network", () => {
  const headers = { "x-forwarded-for": "203.0.113.7" };
  for (const peer of ["127.0.0.1", "::ffff:10.0.0.4", "172.17.0.1", "fd00::1"])
    expect(passedUnlistedProxy(headers, peer, []), peer).toBe(true);
  expect(passedUnlistedProxy(headers, "203.0.113.9", [])).toBe(false);
  expect(passedUnlistedProxy({}, "10.0.0.4", [])).toBe(false);
  expect(passedUnlistedProxy(headers, "10.0.0.4", ["10.0.0.0/8"])).toBe(false);
  expect(passedUnlistedProxy(headers, undefined, [])).toBe(false);
});
