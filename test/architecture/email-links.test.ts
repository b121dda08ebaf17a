import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { catalog } from "#notifications/catalog/catalog.ts";
import type { TemplateName } from "#notifications/index.ts";
import { linkDestinations } from "../data/link-destinations.ts";

const root = path.resolve(import.meta.dirname, "../..");

const aboutAccounts = (Object.keys(catalog) as TemplateName[]).filter((name) => "account" in catalog[name].to);
/** Requires a provider, which no e2e test has. src/users/oidc/oidc.test.ts uses its link, which opens the page of the other undo links. */
const openedWithoutBrowser: readonly TemplateName[] = ["identity_added"];
const withLink = aboutAccounts.filter(
  (name) => linkDestinations[name].length > 0 && !openedWithoutBrowser.includes(name),
);

function unopened(specs: string): string[] {
  const opened = [...specs.matchAll(/\b(?:linkFrom|openEmail)\([^()]*?"(\w+)"\)/g)].map(([, template]) => template);
  return withLink.filter((name) => !opened.includes(name));
}

const specs = readdirSync(path.join(root, "e2e"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".spec.ts"))
  .map((name) => readFileSync(path.join(root, "e2e", name), "utf8"))
  .join("\n");

test("opens the link of every account email in an e2e test", () => {
  expect(aboutAccounts.filter((name) => !withLink.includes(name))).toEqual([
    "reauthentication",
    "one_time_code",
    ...openedWithoutBrowser,
    "account_deleted",
  ]);
  expect(unopened(specs)).toEqual([]);
  expect(unopened(specs.replaceAll('"session_stolen"', '"another"'))).toEqual(["session_stolen"]);
});
