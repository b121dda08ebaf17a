import { describe, expect, it } from "vitest";
import { checkPassword } from "./passwords.ts";

const own = ["Lind Karlsson", "lind.karlsson@people.test"];

describe("new password", () => {
  it.each([
    ["Stagedoor1", "context"],
    ["Stagedoor2026!", "context"],
    ["lind.karlsson@people.test", "context"],
    ["Karlsson2026!", "context"],
    ["Passw0rd!", "common"],
    ["p@55w0rd", "common"],
    ["Welcome2026!", "common"],
    ["Password123!", "common"],
    ["abcdefgh", "sequence"],
    ["11111112", "repeat"],
    ["123123123", "repeat"],
    ["Hunter2Hunter2", "repeat"],
    ["password password", "repeat"],
    ["Backstage-backstage", "repeat"],
    ["asdfghjkl;'", "keyboard"],
    ["!@#$%^&*", "keyboard"],
  ])("is refused: %s as %s", async (password, issue) => {
    expect(await checkPassword(password, own)).toContain(issue);
  });

  it.each([
    "a quiet lamp backstage",
    "correct horse battery staple",
    "another door behind",
    "purple-llama-7",
    "kT7#pq2Z",
    "s3cure-enough-pw",
  ])("accepts %s", async (password) => {
    expect(await checkPassword(password, own)).toEqual([]);
  });

  it("is checked by its first 32 characters, which limits the time for a long one", async () => {
    expect(await checkPassword("p4ssw0rd".repeat(32), own)).toContain("repeat");
    expect(await checkPassword(`a quiet lamp backstage ${"p4ssw0rd".repeat(20)}`, own)).toEqual([]);
  });
});
