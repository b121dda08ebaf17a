import { expect, test } from "vitest";
import { byteRangeOf } from "./byte-range.ts";

test.each([
  [undefined, undefined],
  ["bytes=0-", { first: 0, last: 99 }],
  ["bytes=10-19", { first: 10, last: 19 }],
  ["bytes=90-500", { first: 90, last: 99 }],
  ["bytes=-10", { first: 90, last: 99 }],
  ["bytes=-500", { first: 0, last: 99 }],
  ["bytes=100-", null],
  ["bytes=20-10", null],
  ["bytes=-0", null],
  ["bytes=-", undefined],
  ["bytes=0-1,5-6", undefined],
  ["lines=0-1", undefined],
])("byteRangeOf reads %s of 100 bytes", (header, range) => {
  expect(byteRangeOf(header, 100)).toEqual(range);
});
