import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandHelp, usageReply } from "./usage.ts";

test("the help and docs/operate/commands.md list the same commands", () => {
  const helped = [...commandHelp().matchAll(/^ {2}(npm run .*?) {2,}/gm)].map(([, usage]) => usage);
  const page = readFileSync(new URL("../../../docs/operate/commands.md", import.meta.url), "utf8");
  const documented = [...page.matchAll(/^\| `(npm run [^`]*)`/gm)].map(([, usage]) => usage);
  expect(helped.length).toBeGreaterThan(10);
  expect(new Set(helped)).toEqual(new Set(documented));
});

test.each([
  [["rotate-keys", "--help"], false, "npm run admin -- rotate-keys\n"],
  [["backup", "-h"], false, "npm run backup -- FILE\n"],
  [["backup", "verify", "--help"], false, "npm run backup -- verify FILE\n"],
  [["help"], false, "Commands:"],
  [[], false, "Commands:"],
  [["rotate"], true, 'There is no command "rotate".\n'],
  [["make-admin"], true, "EMAIL is missing. Use: npm run admin -- make-admin EMAIL\n"],
  [["make-admin", "a@b.test", "c"], true, "Too many arguments: c. Use: "],
  [["first-admin", "now"], true, "Too many arguments: now. Use: "],
  [["export", "--all"], true, "There is no option --all. Use: npm run admin -- export [FILE]\n"],
])("prints the use of a command instead of running it: %j", (words, failed, text) => {
  const reply = usageReply(words);
  expect(reply?.failed).toBe(failed);
  expect(reply?.text.startsWith(text), reply?.text).toBe(true);
});

test.each([
  [["export", "-"]],
  [["dump"]],
  [["verify", "12:ab", "13:cd"]],
  [["backup", "verify", "a.tar"]],
  [["copy-files", "to-folder"]],
])("runs a command with arguments that fit: %j", (words) => expect(usageReply(words)).toBeNull());
