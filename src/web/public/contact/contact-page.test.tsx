import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { press, type } from "../../dashboard/test-providers.tsx";
import { ContactForm } from "./contact-page.tsx";

const contact = vi.hoisted(() => vi.fn());
vi.mock("../../lib/api/browser-api.ts", () => ({ browserApi: { notifications: { contact } } }));

test("keeps an unsent message in the tab, until it is sent", async () => {
  const sent = vi.fn();
  const show = () => render(<ContactForm onSent={sent} />);
  const { unmount } = show();
  type("Full name", "Hannah Whitt");
  type("Email", "hannah@whitt.example");
  type("Message", "When do the doors open?");
  fireEvent.change(screen.getByLabelText("Topic"), { target: { value: "A contract" } });
  unmount();
  const again = show();
  press("Send message");
  await waitFor(() => expect(sent).toHaveBeenCalledExactlyOnceWith("hannah@whitt.example"));
  const message = { name: "Hannah Whitt", email: "hannah@whitt.example", message: "When do the doors open?" };
  expect(contact).toHaveBeenCalledWith({ ...message, subject: "A contract" });
  again.unmount();
  show();
  expect(screen.getByLabelText<HTMLTextAreaElement>("Message").value).toBe("");
});
