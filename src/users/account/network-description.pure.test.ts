import { expect, test } from "vitest";
import { describeNetwork } from "./network-description.ts";

test("describes a sign-in's address without a town", () => {
  const here = "203.0.113.7";
  expect(describeNetwork("203.0.113.7", here)).toBe("From 203.0.113.7, same network as now");
  expect(describeNetwork("198.51.100.4", here)).toBe("From 198.51.100.4");
  expect(describeNetwork("192.168.1.20", here)).toBe("Local network, 192.168.1.20");
  expect(describeNetwork("192.168.1.20", "192.168.1.20")).toBe("Local network, 192.168.1.20, same network as now");
  expect(describeNetwork("fe80::1", here)).toBe("Local network, fe80::1");
  expect(describeNetwork("fd00::7", here)).toBe("Local network, fd00::7");
  expect(describeNetwork(null, here)).toBe("Place not known");
});

test("shows This computer for the server's own address only to a user on the same computer", () => {
  expect(describeNetwork("127.0.0.1", "127.0.0.1")).toBe("This computer");
  expect(describeNetwork("::1", "::ffff:127.0.0.1")).toBe("This computer");
  expect(describeNetwork("127.0.0.1", "203.0.113.7")).toBe("The computer that runs this site");
});

test("compares IPv6 addresses by their /64 network", () => {
  expect(describeNetwork("2001:db8:1:2::5", "2001:db8:1:2:aaaa::9")).toBe("From 2001:db8:1:2::5, same network as now");
  expect(describeNetwork("2001:db8:1:3::5", "2001:db8:1:2:aaaa::9")).toBe("From 2001:db8:1:3::5");
});
