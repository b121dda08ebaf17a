import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { TextForm } from "./reviews/review-section.tsx";

const rejection = (message: string, fields: object[]) =>
  Object.assign(new Error(message), { status: 400, code: "invalid", data: { message, data: { fields } } });

function sendRejected(error: Error) {
  const bounds = { min: 3, max: 100 };
  const texts = { name: "body", label: "Answer", hint: "Public", submit: "Send", busyLabel: "Sending..." };
  render(<TextForm {...texts} bounds={bounds} send={() => Promise.reject(error)} onCancel={() => undefined} />);
  fireEvent.change(screen.getByLabelText("Answer"), { target: { value: "Thank you" } });
  fireEvent.click(screen.getByRole("button", { name: "Send" }));
}

test("shows why a text is rejected at the field, without the field's name", async () => {
  sendRejected(rejection("Body: Enter no links.", [{ field: "body", message: "Enter no links." }]));
  expect((await screen.findByText("Enter no links.")).id).toBe("body-error");
  expect(document.activeElement).toBe(screen.getByLabelText("Answer"));
  expect(screen.queryByText(/^Body:/)).toBeNull();
});

test("shows another error below the form", async () => {
  sendRejected(rejection("You have answered already.", []));
  expect((await screen.findByText("You have answered already.")).id).toBe("");
});
