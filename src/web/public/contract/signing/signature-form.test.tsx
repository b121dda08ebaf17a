import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { contract, hash } from "../testing/test-contract.ts";
import {
  apiError,
  calls,
  consentAndSign,
  form,
  key,
  open,
  sign,
  signedResponse,
  toasts,
} from "../testing/test-sign-page.tsx";

test("sends nothing without consent, explains it at the checkbox and focuses it", async () => {
  open();
  await form();
  await userEvent.click(sign());
  expect(await screen.findByText("Agree to sign electronically.")).toBeTruthy();
  const consent = screen.getByRole("checkbox");
  expect(consent.getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(consent);
  expect(calls.signContract).not.toHaveBeenCalled();
});

test("rejects a name of one character at its field", async () => {
  open();
  const name = within(await form()).getByLabelText("Your full name");
  await userEvent.clear(name);
  await userEvent.type(name, "H");
  await consentAndSign();
  expect(await screen.findByText("Enter your full name.")).toBeTruthy();
  expect(calls.signContract).not.toHaveBeenCalled();
});

test("sends name, consent and the displayed fingerprint for a typed signature, by keyboard alone", async () => {
  calls.signContract.mockResolvedValue(signedResponse("promoter"));
  open();
  const name = within(await form()).getByLabelText("Your full name");
  name.focus();
  await userEvent.clear(name);
  await userEvent.keyboard("Žofie Нова");
  screen.getByRole("checkbox").focus();
  await userEvent.keyboard(" ");
  await userEvent.tab();
  expect(document.activeElement).toBe(sign());
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByText("You have signed")).toBeTruthy();
  expect(calls.signContract).toHaveBeenCalledWith({
    key,
    name: "Žofie Нова",
    drawing: null,
    consent: true,
    documentHash: hash,
    code: null,
  });
  expect(screen.getByText(/takes effect once Electric Dreams has signed too/)).toBeTruthy();
  expect(screen.queryByRole("form", { name: "Your signature" })).toBeNull();
});

test("signs without the invisible characters of a stored or pasted name", async () => {
  calls.signContract.mockResolvedValue(signedResponse("promoter"));
  open({ signers: contract.signers.map((signer) => ({ ...signer, name: "Han\u00adnah\u200b Whitt" })) });
  const name = within(await form()).getByLabelText("Your full name");
  expect(name).toHaveProperty("value", "Hannah Whitt");
  await userEvent.click(name);
  await userEvent.paste(" \u202eIII");
  expect(name).toHaveProperty("value", "Hannah Whitt III");
  await consentAndSign();
  expect(calls.signContract).toHaveBeenCalledWith(expect.objectContaining({ name: "Hannah Whitt III" }));
});

test("rejects an empty drawing, sends one as lines in its box, and clears it", async () => {
  calls.signContract.mockResolvedValue({ ...signedResponse("promoter", "artist"), status: "signed" });
  open();
  await form();
  await userEvent.click(screen.getByRole("radio", { name: "Draw" }));
  await consentAndSign();
  const method = screen.getByRole("radio", { name: "Draw" });
  expect((await screen.findByText("Draw your signature, or type it.")).id).toBe(
    method.getAttribute("aria-describedby"),
  );
  expect(document.activeElement).toBe(method);
  expect(calls.signContract).not.toHaveBeenCalled();
  const draw = () => {
    const pad = screen.getByRole("img");
    pad.getBoundingClientRect = () => ({ left: 0, top: 0, width: 300, height: 100 }) as DOMRect;
    fireEvent.pointerDown(pad, { pointerId: 1, clientX: 5, clientY: 5 });
    fireEvent.pointerMove(pad, { pointerId: 1, clientX: 150, clientY: 60 });
    fireEvent.pointerMove(pad, { pointerId: 1, clientX: 400, clientY: 50 });
    fireEvent.pointerUp(pad, { pointerId: 1 });
  };
  draw();
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe("Your drawn signature: Hannah Whitt");
  await userEvent.click(screen.getByRole("button", { name: "Clear" }));
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe("Nothing is drawn yet");
  draw();
  await userEvent.click(screen.getByRole("radio", { name: "Type" }));
  await userEvent.click(method);
  await userEvent.click(sign());
  expect(await screen.findByText("Signed by both of you")).toBeTruthy();
  expect(calls.signContract.mock.calls[0]?.[0]).toMatchObject({ drawing: "M10,10L300,120L600,100" });
});

test("accepts the displayed document by click if the promoter's settings require no signature", async () => {
  calls.acceptContract.mockResolvedValue(signedResponse("promoter"));
  open({ accept_by_click: true });
  const accept = await screen.findByRole("button", { name: "I accept" });
  expect(screen.queryByLabelText("Your full name")).toBeNull();
  await userEvent.click(accept);
  expect(await screen.findByText("Agree to the electronic contract.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole("checkbox"));
  expect(calls.acceptContract).not.toHaveBeenCalled();
  await userEvent.keyboard(" ");
  await userEvent.click(accept);
  expect(await screen.findByText("You have signed")).toBeTruthy();
  expect(calls.acceptContract).toHaveBeenCalledWith({ key, consent: true, documentHash: hash });
});

const sentCode = { channel: "email", to: "ha…@whitt.example", expires_at: "2026-11-22T10:10:00.000Z" } as const;

test("sends a required code, and passes it with the signature, by keyboard alone", async () => {
  calls.sendSigningCode.mockResolvedValue(sentCode);
  calls.signContract.mockResolvedValue(signedResponse("promoter"));
  open({ code: { sent: null } });
  const group = within(within(await form()).getByRole("group", { name: "One-time code" }));
  await consentAndSign();
  expect(await screen.findByText("Request the code first.")).toBeTruthy();
  expect(document.activeElement).toBe(group.getByRole("button", { name: "Send me a code" }));
  await userEvent.keyboard("{Enter}");
  const field = await group.findByLabelText<HTMLInputElement>("Code");
  expect(calls.sendSigningCode).toHaveBeenCalledWith({ key });
  expect(group.getByRole("status").textContent).toContain("by email to ha…@whitt.example");
  expect(document.activeElement).toBe(field);
  expect([field.inputMode, field.autocomplete]).toEqual(["numeric", "one-time-code"]);
  await userEvent.keyboard("0482");
  await userEvent.click(sign());
  expect(await screen.findByText("Enter all 6 digits of the code.")).toBeTruthy();
  expect(document.activeElement).toBe(field);
  expect(calls.signContract).not.toHaveBeenCalled();
  await userEvent.keyboard("13{Enter}");
  expect(await screen.findByText("You have signed")).toBeTruthy();
  expect(calls.signContract.mock.calls[0]?.[0]).toMatchObject({ key, code: "048213" });
});

test("shows a wrong code at its emptied field, and reports a code that could not be sent", async () => {
  const message = "This is not the code that was sent. Check it and try again.";
  calls.signContract.mockRejectedValue(apiError(400, message, [{ field: "code", message }]));
  calls.sendSigningCode.mockRejectedValue(apiError(429, "Too many attempts."));
  open({ code: { sent: sentCode } });
  const field = await screen.findByLabelText<HTMLInputElement>("Code");
  await userEvent.type(field, "111111");
  await consentAndSign();
  await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
  expect(field.value).toBe("");
  expect(screen.getByText(message).id).toBe(field.getAttribute("aria-describedby"));
  expect(screen.getByRole<HTMLButtonElement>("button", { name: /Send it again in/ }).disabled).toBe(true);
  expect(screen.queryByText("You have signed")).toBeNull();
});

test.each([
  [new TypeError("Failed to fetch"), "The server could not be reached"],
  [apiError(500, "Something went wrong."), "Something went wrong."],
  [apiError(429, "Please wait a minute."), "Please wait a minute."],
  [apiError(409, "Reload the page and read it."), "Reload the page and read it."],
])("leaves the message of a failure at the form until the next attempt: %s", async (failure, message) => {
  calls.signContract.mockRejectedValueOnce(failure);
  open();
  const inForm = within(await form());
  await consentAndSign();
  await inForm.findByText(message, { exact: false });
  expect(toasts.toast).toHaveBeenCalledOnce();
  calls.signContract.mockResolvedValue(signedResponse("promoter"));
  await userEvent.click(sign());
  expect(await screen.findByText("You have signed")).toBeTruthy();
});

test("shows a server error, and sends the form again", async () => {
  calls.signContract.mockRejectedValue(apiError(409, "The time for signing is over."));
  open();
  await form();
  await consentAndSign();
  await waitFor(() =>
    expect(toasts.toast).toHaveBeenCalledWith({ tone: "error", title: "Error", text: "The time for signing is over." }),
  );
  expect(screen.queryByText("You have signed")).toBeNull();
  calls.signContract.mockResolvedValue(signedResponse("promoter"));
  await userEvent.click(sign());
  expect(await screen.findByText("You have signed")).toBeTruthy();
});

test("warns before a changed name is lost, and retains a reason to decline for the same side", async () => {
  const isWarned = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  open();
  const name = within(await form()).getByLabelText("Your full name");
  expect(isWarned()).toBe(false);
  await userEvent.type(name, " III");
  expect(isWarned()).toBe(true);
  await userEvent.type(screen.getByLabelText("What should change?"), "The stage");
  cleanup();
  expect(isWarned()).toBe(false);
  for (const [side, value] of [
    ["artist", ""],
    ["promoter", "The stage"],
  ] as const) {
    open({ side });
    await form();
    expect(screen.getByLabelText("What should change?")).toHaveProperty("value", value);
    cleanup();
  }
  sessionStorage.clear();
});
