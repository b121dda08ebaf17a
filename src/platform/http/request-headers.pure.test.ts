import { expect, test } from "vitest";
import { bearerOf, siteOf } from "./request-headers.ts";

test.each([
  ["Bearer abc.def", "abc.def"],
  ["bearer abc", "abc"],
  ["Bearer ", undefined],
  ["Bearer a b", undefined],
  ["Basic abc", undefined],
  ["", undefined],
  [undefined, undefined],
])("reads from the header %j the token %j", (authorization, token) => {
  expect(bearerOf(authorization === undefined ? {} : { authorization })).toBe(token);
});

test.each([
  ["127.0.0.1:3000", "http://localhost:3000", "http://127.0.0.1:3000"],
  ["[::1]:3000", "http://localhost:3000", "http://[::1]:3000"],
  ["localhost:3000", "http://localhost:3000", "http://localhost:3000"],
  ["localhost:3000", "https://stagedoor.example", "https://stagedoor.example"],
  ["evil.example", "http://localhost:3000", "http://localhost:3000"],
  ["localhost:3000/x", "http://localhost:3000", "http://localhost:3000"],
  ["localhost@evil.example", "http://localhost:3000", "http://localhost:3000"],
  [undefined, "http://localhost:3000", "http://localhost:3000"],
])("begins links of a request to %j with the address %j with %j", (host, publicUrl, site) => {
  expect(siteOf(host, publicUrl)).toBe(site);
});
