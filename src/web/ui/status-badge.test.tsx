import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { StatusBadge } from "./status-badge.tsx";

test("shows an unknown booking status as it is", () => {
  render(<StatusBadge entity="booking" value="on_tour" />);
  expect(screen.getByText("on_tour").className).toBe("badge");
});

test.each([
  ["completed", "Completed", "badge green"],
  ["pending", "Pending", "badge gold"],
  ["restricted", "Restricted", "badge cherry"],
  ["not_started", "Not started", "badge"],
  ["unheard_of", "unheard_of", "badge"],
])("shows the onboarding status %s as %s, in the specification's colors", (value, label, styles) => {
  render(<StatusBadge entity="connect" value={value} />);
  expect(screen.getByText(label).className).toBe(styles);
});
