import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { closeToast, toast, toastsNow } from "../lib/toasts.ts";
import { Toaster } from "./toaster.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  act(() => toastsNow().forEach((one) => closeToast(one.id)));
  vi.useRealTimers();
});

const show = (...message: Parameters<typeof toast>) => act(() => toast(...message));

test("a success goes by itself after four seconds", () => {
  render(<Toaster />);
  show({ title: "Success", text: "Your settings have been updated successfully." });
  expect(screen.getByRole("status").textContent).toContain("Your settings have been updated successfully.");
  act(() => void vi.advanceTimersByTime(3_999));
  expect(screen.getByRole("status")).toBeTruthy();
  act(() => void vi.advanceTimersByTime(1));
  expect(screen.queryByRole("status")).toBeNull();
});

test("an error stays until it is closed", () => {
  render(<Toaster />);
  show({ tone: "error", title: "Error", text: "The date is taken." });
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.getByRole("alert").textContent).toContain("The date is taken.");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("at most three are seen; the oldest makes room", () => {
  render(<Toaster />);
  for (const title of ["one", "two", "three", "four"]) show({ title });
  expect(screen.getAllByRole("status").map((one) => one.querySelector("strong")?.textContent)).toEqual([
    "two",
    "three",
    "four",
  ]);
});
