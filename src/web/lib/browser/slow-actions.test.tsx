import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Button } from "../../ui/button.tsx";
import { watchSlowActions } from "./slow-actions.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const text = "This takes longer than usual. Please wait.";
const wait = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000));
const press = () => act(() => screen.getByRole("button").click());
const send = (seconds: number) => () => new Promise((resolve) => void setTimeout(resolve, seconds * 1_000));

test.each([
  ["the page, which began before the watch,", false],
  ["an open dialog", true],
])("says once that an action of %s is still running after five seconds", async (_, inDialog) => {
  const button = <Button onClick={send(60)}>Send</Button>;
  render(inDialog ? <dialog open>{button}</dialog> : button);
  press();
  watchSlowActions();
  await wait(4.9);
  expect(screen.queryByText(text)).toBeNull();
  await wait(0.3);
  const region = screen.getByText(text);
  expect(region.getAttribute("aria-live")).toBe("polite");
  expect(region.closest("dialog") !== null).toBe(inDialog);
  await wait(4);
  expect(screen.queryByText(text)).toBeNull();
  await wait(60);
});

test("says nothing if each action ends earlier", async () => {
  render(<Button onClick={send(4)}>Send</Button>);
  for (const _ of [1, 2]) {
    press();
    await wait(4.5);
    expect(screen.queryByText(text)).toBeNull();
  }
  await wait(10);
  expect(screen.queryByText(text)).toBeNull();
});
