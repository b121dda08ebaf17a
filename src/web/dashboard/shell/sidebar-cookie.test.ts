import { expect, test } from "vitest";
import { isSidebarCollapsed, sidebarCookie } from "./sidebar-cookie.ts";

test("stores the sidebar's state for seven days", () => {
  expect(sidebarCookie(true)).toContain("max-age=604800");
});

test.each([
  ["", false],
  ["sidebar_state=expanded", false],
  ["a=1; sidebar_state=collapsed; b=2", true],
  ["not_sidebar_state=collapsed", false],
])("reads %j as collapsed: %s", (cookies, collapsed) => {
  expect(isSidebarCollapsed(cookies)).toBe(collapsed);
});
