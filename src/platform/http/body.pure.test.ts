import { expect, test } from "vitest";
import { addressBlock } from "../security/limits.ts";
import { parseBody } from "./body.ts";

const parse = (text: string) => parseBody(Buffer.from(text));

test("reads a plain body", () => {
  expect(parse('{"a":[1,{"b":"ü"}]}')).toEqual({ a: [1, { b: "ü" }] });
  expect(parse("  ")).toBeUndefined();
});

test.each([
  ["bad JSON", '{"a":', "not valid JSON"],
  ["a name twice", '{"a":1,"a":2}', 'The name "a" occurs twice'],
  ["a name twice, once escaped", '{"a":1,"\\u0061":2}', 'The name "a" occurs twice'],
  ["a prototype key", '{"__proto__":{"role":"admin"}}', "is not allowed"],
  ["a prototype key deep inside", '{"x":[{"constructor":1}]}', "is not allowed"],
  ["NUL", '{"a":"x\\u0000y"}', "NUL"],
  ["NUL in a name", '{"a\\u0000":1}', "NUL"],
  ["half of a surrogate pair", '{"a":"\\ud800"}', "invalid Unicode"],
  ["deep nesting", "[".repeat(20_000) + "]".repeat(20_000), "nested deeper"],
  ["deep nesting that never ends", '{"a":'.repeat(9_000), "nested deeper"],
])("refuses %s with a message", (_name, text, message) => {
  expect(() => parse(text)).toThrow(message);
});

test("refuses a body in another encoding than UTF-8", () => {
  expect(() => parseBody(Buffer.from('{"name":"J\xf6rg"}', "latin1"))).toThrow("not encoded as UTF-8");
});

test("names the field of a text that cannot be stored", () => {
  const fields = [expect.objectContaining({ field: "guest.name" })];
  expect(() => parse('{"guest":{"name":"\\ud800"}}')).toThrow(expect.objectContaining({ data: { fields } }));
});

test("counts no brackets inside text as nesting", () => {
  expect(parse(JSON.stringify({ a: '"['.repeat(100) }))).toEqual({ a: '"['.repeat(100) });
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("addressBlock of %s is %s", (ip, block) => {
  expect(addressBlock(ip)).toBe(block);
});
