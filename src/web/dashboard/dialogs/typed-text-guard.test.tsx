import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { PlainDialog } from "../../booking/plain-dialog.tsx";
import { openDialog } from "../forms/api-form.tsx";
import { press, renderInMantine, type } from "../test-providers.tsx";

const escape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
const note = <textarea aria-label="Note" />;

async function open() {
  renderInMantine(
    <button type="button" onClick={() => openDialog("Decline this request", () => note)}>
      Decline
    </button>,
  );
  press("Decline");
  await screen.findByRole("dialog", { name: "Decline this request" });
}

test("closes a dialog without typed text on Escape", async () => {
  await open();
  escape();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("asks before Escape discards typed text", async () => {
  await open();
  type("Note", "Not that night.");
  escape();
  await screen.findByRole("dialog", { name: "Discard what you typed?" });
  press("Keep editing");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Discard what you typed?" })).toBeNull());
  expect(screen.getByLabelText<HTMLTextAreaElement>("Note").value).toBe("Not that night.");
  escape();
  await screen.findByRole("dialog", { name: "Discard what you typed?" });
  press("Discard");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("asks in a dialog of plain elements too", async () => {
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
  };
  let isOpen = true;
  renderInMantine(
    <PlainDialog title="Cancel this booking?" onClose={() => (isOpen = false)}>
      {() => note}
    </PlainDialog>,
  );
  const dialog = screen.getByRole("dialog", { name: "Cancel this booking?" });
  expect(fireEvent.keyDown(dialog, { key: "Escape" })).toBe(true);
  type("Note", "The artist is ill.");
  expect(fireEvent.keyDown(dialog, { key: "Escape" })).toBe(false);
  press("Keep editing");
  expect(isOpen).toBe(true);
  expect(screen.getByLabelText<HTMLTextAreaElement>("Note").value).toBe("The artist is ill.");
  fireEvent.keyDown(dialog, { key: "Escape" });
  press("Discard");
  expect(isOpen).toBe(false);
});
