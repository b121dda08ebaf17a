import { TextInput } from "@mantine/core";
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { requiredMessage } from "../../lib/form-validation.ts";
import { toast, currentToasts } from "../../lib/toasts.ts";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { apiError, fieldError, press, renderInMantine, type } from "../test-providers.tsx";
import { useApiForm } from "./api-form.tsx";

const send = vi.fn();
beforeEach(() => void send.mockReset());

function Form({ fallback }: Readonly<{ fallback?: "name" }>) {
  const form = useApiForm({
    initialValues: { name: "", password: "" },
    verbatim: ["password"],
    validate: { name: (name) => requiredMessage(name, "Enter a name.") },
    send: send as (values: object) => Promise<void>,
    ...(fallback ? { fallback } : {}),
  });
  return (
    <form {...form.props}>
      <TextInput label="Name" {...form.field("name")} />
      <TextInput label="Password" {...form.field("password")} />
      <ErrorNote message={form.error} />
      <button type="submit">{form.busy ? "Sending" : "Send"}</button>
    </form>
  );
}

test("shows an invalid value at its field, focuses it and sends nothing", async () => {
  renderInMantine(<Form />);
  type("Name", "   ");
  press("Send");
  expect(await screen.findByText("Enter a name.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Name"));
  expect(send).not.toHaveBeenCalled();
});

test("trims text, but sends a password as typed", async () => {
  renderInMantine(<Form />);
  type("Name", "  Ada ");
  type("Password", " two spaces ");
  press("Send");
  await waitFor(() => expect(send).toHaveBeenCalledWith({ name: "Ada", password: " two spaces " }));
});

test("shows a server error at its field, and other errors above the buttons", async () => {
  send
    .mockRejectedValueOnce(fieldError("name", "Too long."))
    .mockRejectedValueOnce(apiError("conflict", "It was decided already.", 409));
  renderInMantine(<Form />);
  type("Name", "Ada");
  press("Send");
  expect(await screen.findByText("Too long.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Name"));
  expect(screen.queryByRole("alert")).toBeNull();
  type("Name", "Ada L");
  press("Send");
  expect((await screen.findByRole("alert")).textContent).toBe("It was decided already.");
});

test("announces a server error at a field that has the focus already", async () => {
  send.mockRejectedValueOnce(apiError("conflict", "You have a sample of this name.", 409));
  renderInMantine(<Form fallback="name" />);
  type("Name", "Ada");
  screen.getByLabelText("Name").focus();
  press("Send");
  const spoken = await screen.findByText("You have a sample of this name.", { selector: "[aria-live=polite]" });
  await waitFor(() => expect(spoken.textContent).toBe(""));
});

test("shows every server error at the only field, and removes old errors on a new attempt", async () => {
  send.mockRejectedValueOnce(apiError("not_found", "This token is wrong.", 404)).mockResolvedValueOnce({});
  renderInMantine(<Form fallback="name" />);
  toast({ tone: "error", title: "Error", text: "From before." });
  type("Name", "abc");
  press("Send");
  expect(await screen.findByText("This token is wrong.")).toBeTruthy();
  expect(currentToasts()).toEqual([]);
  type("Name", "abcd");
  press("Send");
  await waitFor(() => expect(screen.queryByText("This token is wrong.")).toBeNull());
});
