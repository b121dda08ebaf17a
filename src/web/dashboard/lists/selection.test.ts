import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useSelection } from "./selection.ts";

test("rows are chosen one by one, as a range since the last one, or all; a row that has left is no longer chosen", () => {
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
