import { fireEvent, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { watchLostFocus } from "./lost-focus.ts";

const page = `
  <nav><a href="#sidebar">Sidebar</a></nav>
  <main tabindex="-1">
    <h1>Users</h1>
    <ul>
      <li><h2>Ada</h2><button id="menu">Actions</button></li>
    </ul>
    <form>
      <input id="name" />
      <div id="bar"><button id="undo">Undo</button></div>
    </form>
  </main>`;

function fill(element: HTMLElement, html: string): void {
  element.replaceChildren();
  element.insertAdjacentHTML("afterbegin", html);
}

let stop: () => void;
beforeEach(() => {
  fill(document.body, page);
  stop = watchLostFocus();
});
afterEach(() => {
  vi.useRealTimers();
  stop();
  document.body.replaceChildren();
});

const find = (selector: string) => document.querySelector(selector) as HTMLElement;
const focus = (...selectors: string[]) => selectors.forEach((selector) => find(selector).focus());
const focused = () => document.activeElement;

function openDialog(): HTMLElement {
  const dialog = document.createElement("div");
  fill(
    dialog,
    `<section role="dialog" aria-modal="true"><h2 id="title">Role</h2><button id="next">Next</button></section>`,
  );
  document.body.append(dialog);
  focus("#next");
  return dialog;
}

describe("watchLostFocus", () => {
  test("returns from a dialog to what opened it, also if a menu item did that is gone", async () => {
    focus("#name", "#menu");
    const item = document.createElement("button");
    document.body.append(item);
    item.focus();
    const dialog = openDialog();
    item.remove();
    dialog.remove();
    await waitFor(() => expect(focused()).toBe(find("#menu")));
  });

  test("focuses the nearest heading if the row that opened the dialog is gone too", async () => {
    focus("#name", "a", "#menu");
    const dialog = openDialog();
    fill(find("li"), "<h2>Grace</h2>");
    dialog.remove();
    await waitFor(() => expect(focused()).toBe(find("li h2")));
  });

  test("stays in an open dialog", async () => {
    focus("#menu");
    openDialog();
    find("#next").remove();
    await waitFor(() => expect(focused()).toBe(find("#title")));
  });

  test.each<[string, () => void]>([
    ["inert", () => find("#bar").setAttribute("inert", "")],
    ["disabled", () => find("#undo").setAttribute("disabled", "")],
    ["gone", () => find("#bar").remove()],
  ])("returns to the last field of the form if the bar's button is %s", async (_, change) => {
    focus("#name", "#menu", "#undo");
    change();
    await waitFor(() => expect(focused()).toBe(find("#name")));
  });

  test("does not return to a text field after a touch, which would open the keyboard", async () => {
    focus("#menu", "#name");
    fireEvent(find("#undo"), new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch" }));
    focus("#undo");
    find("#bar").remove();
    await waitFor(() => expect(focused()).toBe(find("#menu")));
  });

  test("focuses the heading of the next page if the page with the focus is gone", async () => {
    focus("a", "#menu");
    history.replaceState(null, "", "/next");
    fill(find("main"), "<h1>Bookings</h1>");
    await waitFor(() => expect(focused()).toBe(find("h1")));
  });

  test("leaves the focus where a component moved it", async () => {
    vi.useFakeTimers();
    focus("#name", "#undo");
    find("#bar").remove();
    focus("a");
    await vi.runAllTimersAsync();
    expect(focused()).toBe(find("a"));
  });

  test("leaves the focus after a change long after the last input, because a screen reader may read elsewhere", async () => {
    vi.useFakeTimers();
    focus("#menu", "#name");
    fireEvent.keyDown(find("#name"), { key: "Tab" });
    vi.advanceTimersByTime(10_001);
    find("#name").remove();
    await vi.runAllTimersAsync();
    expect(focused()).toBe(document.body);
    focus("#menu");
    vi.advanceTimersByTime(10_001);
    fireEvent.keyDown(find("#menu"), { key: "Enter" });
    find("#menu").remove();
    await vi.runAllTimersAsync();
    expect(focused()).toBe(find("h2"));
  });

  test("does not compute styles for a change of the page while an element has the focus", async () => {
    vi.useFakeTimers();
    const checkVisibility = vi.fn(() => true);
    HTMLElement.prototype.checkVisibility = checkVisibility;
    onTestFinished(() => void Reflect.deleteProperty(HTMLElement.prototype, "checkVisibility"));
    focus("#name");
    await vi.runAllTimersAsync();
    checkVisibility.mockClear();
    find("ul").append(document.createElement("li"));
    await vi.runAllTimersAsync();
    expect(checkVisibility).not.toHaveBeenCalled();
  });

  test("does nothing if the user removed the focus before the element went away", async () => {
    vi.useFakeTimers();
    focus("#name", "#menu");
    find("#menu").blur();
    await vi.runAllTimersAsync();
    find("#menu").remove();
    await vi.runAllTimersAsync();
    expect(focused()).toBe(document.body);
  });
});
