import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useSelection } from "./selection.ts";

test("selects rows one by one, by range, or all, and drops rows that left the list", () => {
  const { result, rerender } = renderHook(({ ids }) => useSelection(ids), {
    initialProps: { ids: ["a", "b", "c", "d"] },
  });
  act(() => result.current.toggle("b"));
  expect(result.current.chosen).toEqual(["b"]);
  act(() => result.current.toggle("d", true));
  expect(result.current.chosen).toEqual(["b", "c", "d"]);
  act(() => result.current.toggle("c"));
  expect(result.current.chosen).toEqual(["b", "d"]);
  rerender({ ids: ["a", "b", "c"] });
  expect(result.current.chosen).toEqual(["b"]);
  act(() => result.current.toggleAll());
  expect(result.current.chosen).toEqual(["a", "b", "c"]);
  act(() => result.current.toggleAll());
  expect(result.current.chosen).toEqual([]);
});
