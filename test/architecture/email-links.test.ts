/** Every letter of the accounts that carries a link has a story in the browser that walks it. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

/** The templates that are told with a link, by the source that tells them. */
function linkedTemplates(source: string): string[] {
  const told = source.split(/^export (?:const|async function|function) /m).flatMap((part) => {
    if (!/\blink\b|proofParams/.test(part)) return [];
    return [...part.matchAll(/template: "(\w+)"/g)].map(([, template]) => template ?? "");
  });
  return [...new Set(told)];
}

/** The templates whose links the stories open. */
const walkedTemplates = (stories: string): Set<string> =>
  new Set([...stories.matchAll(/\b(?:linkFrom|openLetter)\([^()]*?"(\w+)"\)/g)].map(([, template]) => template ?? ""));

const unwalked = (source: string, stories: string): string[] =>
  linkedTemplates(source).filter((template) => !walkedTemplates(stories).has(template));

const letters = readFileSync(path.join(root, "src/users/emails.ts"), "utf8");
const stories = readdirSync(path.join(root, "e2e"))
  .filter((name) => name.endsWith(".spec.ts"))
  .map((name) => readFileSync(path.join(root, "e2e", name), "utf8"))
  .join("\n");

test("the judge sees every letter that is told, and finds a planted one that nobody walks", () => {
  const told = [...letters.matchAll(/template: "(\w+)"/g)].map(([, template]) => template);
  const without = told.filter((template) => !linkedTemplates(letters).includes(template ?? ""));
  expect(without).toEqual(["email_changed", "reauthentication", "one_time_code"]);
  const planted = `${letters}\nexport const sendPlanted = (tx: Tx, to: string) =>\n  enqueueMessage(tx, { template: "planted", channel: "email", to, params: { link: to } });\n`;
  expect(unwalked(planted, stories)).toEqual(["planted"]);
  expect(unwalked(letters, stories.replaceAll('"session_stolen"', '"another"'))).toEqual(["session_stolen"]);
});

test("every letter with a link is walked to its end", () => {
  expect(unwalked(letters, stories)).toEqual([]);
});
