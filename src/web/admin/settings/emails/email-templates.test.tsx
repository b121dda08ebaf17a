import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { Link, useLocation } from "react-router";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { emailCatalog } from "#notifications/custom/rules.ts";
import { apiError, press, renderInMantine } from "../../../dashboard/test-providers.tsx";
import { currentToasts } from "../../../lib/toasts.ts";
import { EmailTemplates } from "./email-templates.tsx";

const calls = vi.hoisted(() => ({
  list: vi.fn(),
  save: vi.fn(),
  restore: vi.fn(),
  flip: vi.fn(),
  test: vi.fn(),
  preview: vi.fn(),
}));
vi.mock("./email-queries.ts", () => ({
  useEmailTemplates: calls.list,
  useSaveEmailText: () => ({ mutateAsync: calls.save }),
  useRestoreEmailText: () => ({ mutateAsync: calls.restore }),
  useSwitchEmail: () => ({ mutateAsync: calls.flip }),
  useSendTestEmail: () => ({ mutateAsync: calls.test }),
  useEmailPreview: (draft: { subject: string }, valid: boolean) => {
    calls.preview(draft.subject, valid);
    return { data: { from: "bookings@example.test", subject: draft.subject, html: "<p>Mail</p>" } };
  },
}));

const emailOf = (template: "deposit_received" | "contract_sent") => ({
  template,
  active: true,
  version: 3,
  texts: (["promoter", "artist"] as const).map((reader) => ({
    reader,
    changed: false,
    ...emailCatalog[template].texts[reader],
  })),
});
beforeEach(() => {
  Object.values(calls).forEach((call) => call.mockReset());
  calls.list.mockReturnValue({ data: { items: [emailOf("deposit_received"), emailOf("contract_sent")] } });
});

test("sends a switch with its version, and explains why the signing email cannot be switched off", async () => {
  renderInMantine(<EmailTemplates />);
  fireEvent.click(screen.getByRole("switch", { name: "Send Deposit Received" }));
  await waitFor(() =>
    expect(calls.flip).toHaveBeenCalledWith({ template: "deposit_received", version: 3, active: false }),
  );
  expect(screen.getByRole<HTMLInputElement>("switch", { name: "Send Contract Sent" }).disabled).toBe(true);
  expect(screen.getByText(/Always sent\. It contains the signing link/)).toBeTruthy();
});

const open = () => {
  renderInMantine(<EmailTemplates />);
  press("Edit Deposit Received");
};
const promoters = <T extends HTMLElement>(label: string) => screen.getAllByLabelText<T>(label)[0] as T;
const write = (label: string, value: string) => fireEvent.change(promoters(label), { target: { value } });
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

test("focuses the first field of the editor when it opens", () => {
  open();
  expect(document.activeElement).toBe(screen.getByLabelText("Recipient"));
});

test("shows an unknown variable at its field and disables save and test", () => {
  open();
  write("Text", "Dear {{promoter}}");
  expect(screen.getByText(/\{\{promoter\}\} is not a variable of this email/)).toBeTruthy();
  expect(button("Save Template").disabled).toBe(true);
  expect(button("Send me a test").disabled).toBe(true);
});

test("inserts a variable at the cursor, and tests and saves the draft with its version", async () => {
  open();
  write("Subject", "Thanks ");
  const field = promoters<HTMLInputElement>("Subject");
  field.focus();
  field.setSelectionRange(7, 7);
  press("amount");
  expect(promoters<HTMLInputElement>("Subject").value).toBe("Thanks {{amount}}");
  const text = emailCatalog.deposit_received.texts.promoter?.text;
  const draft = { template: "deposit_received", reader: "promoter", subject: "Thanks {{amount}}", text };
  calls.test.mockResolvedValue({ to: "ines@example.test" });
  press("Send me a test");
  await waitFor(() => expect(calls.test).toHaveBeenCalledWith(draft));
  await waitFor(() => expect(currentToasts().at(-1)?.text).toBe("We sent a test email to ines@example.test."));
  press("Save Template");
  await waitFor(() => expect(calls.save).toHaveBeenCalledWith({ ...draft, version: 3 }));
});

test("shows a server error and retains the input", async () => {
  calls.save.mockRejectedValue(apiError("conflict", "This email was changed in the meantime.", 409));
  open();
  write("Subject", "Thanks");
  press("Save Template");
  await waitFor(() => expect(currentToasts().at(-1)?.text).toBe("This email was changed in the meantime."));
  expect(promoters<HTMLInputElement>("Subject").value).toBe("Thanks");
});

describe("unsaved changes of an email template", () => {
  const leave = (link: string) => fireEvent.click(screen.getByText(link));
  const question = "2 changes not saved: the promoter's subject, the artist's text.";

  test.each<[string, () => void, string]>([
    ["another template", () => press("Edit Contract Sent"), "?email=contract_sent"],
    ["the list without an editor", () => press("Edit Deposit Received"), ""],
    ["another tab of the settings", () => leave("Brand"), "?tab=brand"],
    ["another page", () => leave("Users"), "/users"],
  ])("are named and confirmed before %s opens", async (_, go, address) => {
    const Here = () => {
      const { pathname, search } = useLocation();
      return <p>Here: {pathname + search}</p>;
    };
    renderInMantine(
      <>
        <Here />
        <Link to="?tab=brand">Brand</Link>
        <Link to="/users">Users</Link>
        <EmailTemplates />
      </>,
    );
    press("Edit Deposit Received");
    write("Subject", "Thanks");
    const artists = screen.getAllByLabelText("Text")[1] as HTMLTextAreaElement;
    fireEvent.change(artists, { target: { value: "Good news." } });
    go();
    const dialog = await screen.findByRole("dialog", { name: "Leave without saving?" });
    within(dialog).getByText(question);
    press("Keep editing");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(promoters<HTMLInputElement>("Subject").value).toBe("Thanks");
    go();
    await screen.findByText(question);
    press("Leave");
    expect(await screen.findByText(`Here: ${address.startsWith("/") ? "" : "/"}${address}`)).toBeTruthy();
    await waitFor(() => expect(screen.queryByDisplayValue("Thanks")).toBeNull());
  });

  test("do not open a confirmation after they are saved", async () => {
    open();
    write("Subject", "Thanks");
    screen.getByText("1 change not saved: the promoter's subject.");
    calls.save.mockImplementation(() => {
      const saved = emailOf("deposit_received");
      if (saved.texts[0]) saved.texts[0].subject = "Thanks";
      calls.list.mockReturnValue({ data: { items: [saved, emailOf("contract_sent")] } });
    });
    press("Save Template");
    await waitFor(() => expect(screen.queryByText(/not saved/)).toBeNull());
    press("Edit Contract Sent");
    await screen.findByRole("heading", { name: "Contract Sent" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

test("requests no preview of a wrong text while it is corrected", async () => {
  open();
  write("Subject", "Hello {{nobody}}");
  await waitFor(() => expect(calls.preview).toHaveBeenCalledWith("Hello {{nobody}}", false));
  write("Subject", "Hello");
  await waitFor(() => expect(calls.preview).toHaveBeenCalledWith("Hello", true));
  expect(calls.preview).not.toHaveBeenCalledWith("Hello {{nobody}}", true);
});

test("runs no script in the preview", () => {
  open();
  expect(screen.getAllByTitle("Preview of the email")[0]?.getAttribute("sandbox")).toBe("");
});

test("reports a list that failed to load with Retry", () => {
  const refetch = vi.fn();
  calls.list.mockReturnValue({ error: apiError("internal", "Something went wrong.", 500), refetch });
  renderInMantine(<EmailTemplates />);
  press("Retry");
  expect(refetch).toHaveBeenCalled();
});
