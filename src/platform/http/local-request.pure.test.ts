import { expect, test } from "vitest";
import { isLocalRequest } from "./local-request.ts";

test.each(["localhost", "localhost:3000", "127.0.0.1:3000", "127.8.9.1", "[::1]:3000", "stagedoor.localhost:80"])(
  "Host %s is this machine",
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
])("Host %s is another", (host) => {
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
])("%s says that a proxy passed the request on", (name) => {
  expect(isLocalRequest({ host: "localhost:3000", [name]: "" })).toBe(false);
});
