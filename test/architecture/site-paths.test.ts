/** One list of the site's URLs: each is a route, each route is listed, and no other file contains a URL. */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { paths } from "#platform/site-paths.rules.ts";
import routes from "../../src/web/routes.ts";

const root = path.resolve(import.meta.dirname, "../..");

type Listed = string | ((...parameters: never[]) => string) | { [name: string]: Listed };
type Route = { path?: string | undefined; children?: readonly Route[] | undefined };

/** Replaces parameters by `:`, and removes query and anchor. */
const normalized = (address: string): string =>
  `/${decodeURIComponent(address)
    .replace(/[?#].*$/, "")
    .replace(/^\//, "")
    .replaceAll(/:\w*/g, ":")}`;

function addressesOf(listed: Listed): string[] {
  if (typeof listed === "string") return [normalized(listed)];
  if (typeof listed === "function") return [normalized(listed(":one" as never, ":two" as never))];
  return Object.values(listed).flatMap(addressesOf);
}

const routesOf = (list: readonly Route[], parent = ""): string[] =>
  list.flatMap((one) => {
    const at = one.path === undefined ? parent : `${parent}/${one.path}`;
    return one.children ? routesOf(one.children, at) : [normalized(at)];
  });

const sources = ["src", "sandbox"].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(path.join(root, folder, file), "utf8") })),
);

/** URLs that plugins of the server serve. */
const served = sources.flatMap(({ text }) =>
  [...text.matchAll(/\bapp\.(?:get|post|all)(?:<[^(]*>)?\(\s*"(\/[^"]+)"/g)].map(([, address = ""]) =>
    normalized(address),
  ),
);

const addresses = new Set(addressesOf(paths as Listed));
/** The page for unknown URLs, and the file for search engines. */
const unlisted = new Set(["/*", "/robots.txt"]);

test("one file makes the links to mailboxes, so that every character belongs to the address", () => {
  const makers = sources.filter(({ text }) => text.includes("mailto:")).map(({ file }) => file);
  expect(makers).toEqual(["platform/pages/mailto.rules.ts"]);
});

describe("site paths", () => {
  test("contains only routes", () => {
    expect(addresses.size).toBeGreaterThan(15);
    const known = new Set([...routesOf(routes), ...served]);
    expect([...addresses].filter((address) => !known.has(address))).toEqual([]);
  });

  test("contains every route", () => {
    expect(routesOf(routes).filter((address) => !addresses.has(address) && !unlisted.has(address))).toEqual([]);
    expect(routesOf([{ path: "admin", children: [{ path: "planted" }] }])).toEqual(["/admin/planted"]);
  });
});

/**
 * Finds a URL in a text: a fixed one that ends the text or continues with a query, and one with parameters that continues
 * with a value. The API's URLs are in `api.ts` files, below /api. A plugin declares its own.
 */
function writtenAddresses(text: string): string[] {
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "")
    .replaceAll(/\bapp\.(?:get|post|all|register)(?:<[^(]*>)?\([^\n]*/g, "");
  const fixed = [...addresses].filter((address) => address !== "/" && !address.includes(":"));
  const prefixes = [...addresses].filter((address) => address.includes(":")).map((address) => address.split(":")[0]);
  const pattern = new RegExp(
    String.raw`["'\`}](?:(${fixed.join("|")})(?=["'\`?#\s])|(${prefixes.join("|")})(?=\$\{|["'\`]\s*\+))`,
    "g",
  );
  return [...code.matchAll(pattern)].map(([, address, prefix]) => address ?? prefix ?? "");
}

test("finds no URL in other files", () => {
  expect(writtenAddresses("const link = `${site}/auth/forgot`;")).toEqual(["/auth/forgot"]);
  expect(writtenAddresses("const link = `${site}/book/${slug}`;")).toEqual(["/book/"]);
  expect(writtenAddresses('<a href="/account">')).toEqual(["/account"]);
  expect(writtenAddresses('<Link to={"/artist/" + slug}>')).toEqual(["/artist/"]);
  expect(writtenAddresses('fetch("/auth/v1/settings")')).toEqual([]);
  const violations = sources
    .filter(({ file }) => file !== path.join("platform", "site-paths.rules.ts") && !/(^|[/.])api\.ts$/.test(file))
    .flatMap(({ file, text }) => writtenAddresses(text).map((address) => `${file}: ${address}`));
  expect(violations).toEqual([]);
});
