/** For every email about accounts that carries a link, an e2e test opens the link. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

/** The templates that are sent with a link, by the source that sends them. */
function linkedTemplates(source: string): string[] {
  const sent = source.split(/^export (?:const|async function|function) /m).flatMap((part) => {
    if (!/\blink\b|linkParams/.test(part)) return [];
    return [...part.matchAll(/template: "(\w+)"/g)].map(([, template]) => template ?? "");
  });
  return [...new Set(sent)];
}

/** The templates whose links the e2e tests open. */
const openedTemplates = (specs: string): Set<string> =>
  new Set([...specs.matchAll(/\b(?:linkFrom|openEmail)\([^()]*?"(\w+)"\)/g)].map(([, template]) => template ?? ""));

const unopened = (source: string, specs: string): string[] =>
  linkedTemplates(source).filter((template) => !openedTemplates(specs).has(template));

const emails = readFileSync(path.join(root, "src/users/emails.ts"), "utf8");
const specs = readdirSync(path.join(root, "e2e"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".spec.ts"))
  .map((name) => readFileSync(path.join(root, "e2e", name), "utf8"))
  .join("\n");

test("every email is seen, and a planted one that no test opens is found", () => {
  const sent = [...emails.matchAll(/template: "(\w+)"/g)].map(([, template]) => template);
  const without = sent.filter((template) => !linkedTemplates(emails).includes(template ?? ""));
  expect([...new Set(without)]).toEqual(["reauthentication", "one_time_code"]);
  const planted = `${emails}\nexport const sendPlanted = (tx: Tx, to: string) =>\n  enqueueMessage(tx, { template: "planted", channel: "email", to, params: { link: to } });\n`;
  expect(unopened(planted, specs)).toEqual(["planted"]);
  expect(unopened(emails, specs.replaceAll('"session_stolen"', '"another"'))).toEqual(["session_stolen"]);
});

test("every link in an email is opened by an e2e test", () => {
  expect(unopened(emails, specs)).toEqual([]);
});
