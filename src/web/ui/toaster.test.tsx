import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { closeToast, toast, currentToasts } from "../lib/toasts.ts";
import { Toaster } from "./toaster.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  act(() => currentToasts().forEach((one) => closeToast(one.id)));
  vi.useRealTimers();
});

const show = (...message: Parameters<typeof toast>) => act(() => toast(...message));

test("hides a success after four seconds", () => {
  render(<Toaster />);
  // Screen readers may miss a region that arrives with its text.
  expect(screen.getByRole("region").getAttribute("aria-live")).toBe("polite");
  show({ title: "Success", text: "Your settings have been updated successfully." });
  expect(screen.getByRole("status").textContent).toContain("Your settings have been updated successfully.");
  act(() => void vi.advanceTimersByTime(3_999));
  expect(screen.getByRole("status")).toBeTruthy();
  act(() => void vi.advanceTimersByTime(1));
  expect(screen.queryByRole("status")).toBeNull();
});

test("hides an error after four seconds, or earlier on Close", () => {
  render(<Toaster />);
  show({ tone: "error", title: "Error", text: "The date is taken." });
  expect(screen.getByRole("alert").textContent).toContain("The date is taken.");
  act(() => void vi.advanceTimersByTime(4_000));
  expect(screen.queryByRole("alert")).toBeNull();
  show({ tone: "error", title: "Error", text: "The date is taken." });
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("removes an error when a success follows", () => {
  render(<Toaster />);
  show({ tone: "error", title: "Error", text: "The date is taken." });
  show({ title: "Saved" });
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByRole("status").textContent).toContain("Saved");
});

test("shows at most three, and removes the oldest first", () => {
  render(<Toaster />);
  for (const title of ["one", "two", "three", "four"]) show({ title });
  expect(screen.getAllByRole("status").map((one) => one.querySelector("strong")?.textContent)).toEqual([
    "two",
    "three",
    "four",
  ]);
});

test("runs an action once and removes its toast", () => {
  render(<Toaster />);
  const run = vi.fn();
  show({ title: "Nova Kline is inactive", action: { label: "Undo", run } });
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(run).toHaveBeenCalledOnce();
  expect(screen.queryByRole("status")).toBeNull();
});
