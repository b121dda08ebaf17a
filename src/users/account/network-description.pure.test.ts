import { expect, test } from "vitest";
import { placeWords } from "./network-description.ts";

test("the place of a sign-in is what its address says, and no more", () => {
  const here = "203.0.113.7";
  expect(placeWords("203.0.113.7", here)).toBe("From 203.0.113.7, same network as now");
  expect(placeWords("198.51.100.4", here)).toBe("From 198.51.100.4");
  expect(placeWords("192.168.1.20", here)).toBe("Local network, 192.168.1.20");
  expect(placeWords("192.168.1.20", "192.168.1.20")).toBe("Local network, 192.168.1.20, same network as now");
  expect(placeWords("fe80::1", here)).toBe("Local network, fe80::1");
  expect(placeWords("fd00::7", here)).toBe("Local network, fd00::7");
  expect(placeWords(null, here)).toBe("Place not known");
});

test("the machine itself is this computer only for who sits at it", () => {
  expect(placeWords("127.0.0.1", "127.0.0.1")).toBe("This computer");
  expect(placeWords("::1", "::ffff:127.0.0.1")).toBe("This computer");
  expect(placeWords("127.0.0.1", "203.0.113.7")).toBe("The computer that runs this site");
});

test("an IPv6 network is its /64: two devices of one home are the same network", () => {
  expect(placeWords("2001:db8:1:2::5", "2001:db8:1:2:aaaa::9")).toBe("From 2001:db8:1:2::5, same network as now");
  expect(placeWords("2001:db8:1:3::5", "2001:db8:1:2:aaaa::9")).toBe("From 2001:db8:1:3::5");
});
