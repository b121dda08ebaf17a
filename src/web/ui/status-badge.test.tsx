import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { StatusBadge } from "./status-badge.tsx";

test("a status of a booking that is not known is shown as it is", () => {
  render(<StatusBadge entity="booking" value="on_tour" />);
  expect(screen.getByText("on_tour").className).toBe("badge");
});

test.each([
  ["completed", "Completed", "badge green"],
  ["pending", "Pending", "badge gold"],
  ["restricted", "Restricted", "badge cherry"],
  ["not_started", "Not started", "badge"],
  ["unheard_of", "unheard_of", "badge"],
])("the onboarding status %s is shown as %s, in the colours of the specification", (value, label, styles) => {
  render(<StatusBadge entity="connect" value={value} />);
  expect(screen.getByText(label).className).toBe(styles);
});
