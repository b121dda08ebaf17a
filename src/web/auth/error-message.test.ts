import { expect, test } from "vitest";
import { errorMessageOf } from "./error-message.ts";

const failed = (status: number, message: string) =>
  Object.assign(new Error(message), { name: "AuthRetryableFetchError", status });

test.each([
  [0, "Failed to fetch", "The server could not be reached. Please try again."],
  [502, "Bad Gateway", "The server could not be reached. Please try again."],
  [500, "Something went wrong. Please try again.", "Something went wrong. Please try again."],
])("status %d with %j becomes %j", (status, message, shown) => {
  expect(errorMessageOf(failed(status, message))).toBe(shown);
});
