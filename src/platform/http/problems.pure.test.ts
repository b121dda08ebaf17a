import { expect, test } from "vitest";
import { fieldLabel } from "./problems.ts";

test.each([
  ["clientName", "Client name"],
  ["items.0.client_name", "Client name"],
  ["booking_id", "Booking id"],
  ["list.3", "List"],
  ["email", "Email"],
  ["", ""],
])("names the field %j as %j in a message", (path, label) => {
  expect(fieldLabel(path)).toBe(label);
});
