import { afterEach, expect, test, vi } from "vitest";
import { bookingForm, restoreDraft, saveDraft } from "../form-draft.ts";
import { makeAuthClient } from "./auth-client.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

const formWith = (text: string) => {
  const form = document.createElement("form");
  form.append(Object.assign(document.createElement("input"), { name: "note", value: text }));
  return form;
};

const restored = (name: string) => {
  const form = formWith("");
  restoreDraft(name, form);
  return form.querySelector("input")?.value;
};

test("clears the drafts of forms when the session ends, also without a connection", async () => {
  vi.stubGlobal("fetch", vi.fn().mockRejectedValue(new TypeError("Failed to fetch")));
  const names = ["contact-form", bookingForm("electric-dreams"), "review-form:b1:promoter"];
  for (const name of names) saveDraft(name, formWith("Private"));
  sessionStorage.setItem("after-sign-in", "admin.bookings");
  expect(names.map(restored)).toEqual(["Private", "Private", "Private"]);
  await makeAuthClient().signOut({ scope: "local" });
  expect(names.map(restored)).toEqual(["", "", ""]);
  expect(sessionStorage.getItem("after-sign-in")).toBe("admin.bookings");
});
