import { screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { renderInMantine, type } from "../test-providers.tsx";
import { PercentInput } from "./unit-input.tsx";

function Fee({ stored }: Readonly<{ stored: string }>) {
  const [bps, setBps] = useState(stored);
  return (
    <>
      <PercentInput label="Fee" name="fee" value={bps} max={50} invalid={false} description="" onChange={setBps} />
      <output>{bps}</output>
    </>
  );
}

const shown = () => screen.getByLabelText<HTMLInputElement>("Fee").value;

test.each([
  ["12.5", "1250"],
  ["7,25", "725"],
  ["1000", "100000"],
  ["12.345", "12.345"],
  ["ten", "ten"],
])("turns %s percent into %s basis points, and never into a smaller percentage", (typed, bps) => {
  const { unmount } = renderInMantine(<Fee stored="1000" />);
  expect(shown()).toBe("10");
  type("Fee", typed);
  expect([shown(), screen.getByRole("status").textContent]).toEqual([typed, bps]);
  unmount();
  // Another tab of the settings was open in between.
  renderInMantine(<Fee stored={bps} />);
  expect(shown()).toBe(typed.replace(",", "."));
});
