import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { apiError } from "../../../dashboard/test-providers.tsx";
import { currentToasts } from "../../../lib/toasts.ts";
import { ServiceSigning } from "./click-form.tsx";

const goToAddress = vi.hoisted(() => vi.fn());
vi.mock("../../../lib/browser/leave-site.ts", () => ({ goToAddress }));

test("requests the party's own address at the service on click, and opens it", async () => {
  const findLink = vi.fn(async () => "https://sign.example/s/abc");
  render(<ServiceSigning service="DocuSeal" findLink={findLink} />);
  expect(findLink).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Sign contract" }));
  await waitFor(() => expect(goToAddress).toHaveBeenCalledWith("https://sign.example/s/abc"));
});

test("shows the server's message if the service is unavailable, and enables the button again", async () => {
  const words = "DocuSeal cannot be reached. Try again in a few minutes. Nothing is lost.";
  render(<ServiceSigning service="DocuSeal" findLink={() => Promise.reject(apiError("unavailable", words, 503))} />);
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Sign contract" });
  fireEvent.click(button);
  await waitFor(() => expect(currentToasts().at(-1)?.text).toBe(words));
  expect(button.disabled).toBe(false);
});
