import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { useLocation } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, fieldError, press, renderInMantine, type } from "../../dashboard/test-providers.tsx";
import type { ContractTemplate } from "../../lib/api/admin/contracts.ts";
import AdminTemplatePage from "./template-page.tsx";
import AdminTemplatesPage from "./templates-page.tsx";

const server = vi.hoisted(() => ({
  template: { data: undefined as unknown, error: null as Error | null },
  list: { data: undefined as unknown, error: null as Error | null },
  bookings: { data: undefined as unknown, error: null as Error | null },
  save: vi.fn(),
  preview: vi.fn(),
  refetch: vi.fn(),
}));
vi.mock("../../lib/api/admin/contracts.ts", () => ({
  useTemplate: () => ({ ...server.template, isFetching: false, refetch: server.refetch }),
  useTemplates: () => ({ ...server.list, isFetching: false, refetch: server.refetch }),
  usePreviewBookings: () => ({ ...server.bookings, isFetching: false, refetch: server.refetch }),
  useSaveTemplate: () => ({ mutateAsync: server.save, isPending: false }),
  usePreviewTemplate: () => ({ mutateAsync: server.preview, isPending: false, data: undefined }),
}));

const version = (number: number, by: string | null) => ({
  id: "standard",
  version: number,
  title: "Performance agreement",
  saved_by: by,
  saved_at: "2026-11-21T12:00:00.000Z",
});
const template: ContractTemplate = {
  id: "standard",
  version: 2,
  title: "Performance agreement",
  first_signer: null,
  sections: [
    {
      heading: "The performance",
      clauses: [
        { text: "{{number}}: {{artist_name}} plays for {{promoter_name}} at {{venue_name}}." },
        { text: "{{event_date}}, {{start_time}} ({{time_zone}}), for {{set_length}}." },
      ],
    },
    {
      heading: "The fee",
      clauses: [
        { text: "The fee is {{fee}}." },
        { text: "The deposit is {{deposit}}.", when: "has_deposit" },
        { text: "The balance of {{balance}} is due on {{balance_due}}.", when: "has_balance" },
      ],
    },
    { heading: "Special requests", when: "has_special_requests", clauses: [{ text: "{{special_requests}}" }] },
    { heading: "Cancellation", clauses: [{ text: "{{cancellation_terms}}" }] },
  ],
  in_force: true,
  versions: [version(2, "Ines Halvorsen"), version(1, null)],
};
const open = (id = "standard", beside?: ReactNode) => {
  server.template = { data: template, error: null };
  server.bookings = {
    data: {
      items: [{ id: "b1", number: "SD-7KQ4MN", artist: { name: "Electric Dreams" }, event_date: "2027-02-13" }],
    },
    error: null,
  };
  return renderInMantine(
    <>
      {beside}
      <AdminTemplatePage params={{ id }} />
    </>,
  );
};
beforeEach(() => vi.resetAllMocks());

test("shows a template with its version, every clause and its condition, and its older versions read-only", () => {
  open();
  screen.getByRole("heading", { level: 1, name: "Performance agreement" });
  screen.getByText(/version 2\. The next contracts are made from it\./);
  expect(screen.getByLabelText<HTMLTextAreaElement>("Clause 2.1").value).toContain("{{fee}}");
  expect(screen.getByLabelText<HTMLSelectElement>("Clause 2.2 is printed").value).toBe("has_deposit");
  expect(screen.getByRole("link", { name: "Version 1" }).getAttribute("href")).toContain("version=1");
  screen.getByRole("button", { name: "Save as version 3" });
});

test("saves the changed text as the next version of the newest", async () => {
  server.save.mockResolvedValue({ id: "standard", version: 3 });
  open();
  press("Add a section");
  type("Clause 5.1", "The promoter provides a stage.");
  fireEvent.change(screen.getByLabelText("Clause 5.1 is printed"), { target: { value: "policy_strict" } });
  press("Save as version 3");
  await waitFor(() => expect(server.save).toHaveBeenCalledOnce());
  const sent = server.save.mock.calls[0]?.[0] as ContractTemplate & { from: number };
  expect(sent).toMatchObject({ id: "standard", from: 2, title: "Performance agreement" });
  expect(sent.sections[4]?.clauses[0]).toEqual({ text: "The promoter provides a stage.", when: "policy_strict" });
  expect(sent.sections[0]).toEqual(template.sections[0]);
});

test("keeps the draft when another tab saves a version, refuses to save over it, and opens the newer one on request", async () => {
  const saveElsewhere = () => {
    server.template = {
      data: {
        ...template,
        version: 3,
        sections: [{ heading: "The fee", clauses: [{ text: "Three." }] }],
        versions: [version(3, "Ines Halvorsen"), ...template.versions],
      },
      error: null,
    };
  };
  function Live() {
    const [, render] = useState(0);
    return (
      <>
        <button onClick={() => render(1)}>refresh</button>
        <AdminTemplatePage params={{ id: "standard" }} />
      </>
    );
  }
  server.template = { data: template, error: null };
  renderInMantine(<Live />);
  type("Clause 2.1", "The fee is {{fee}}, in full.");
  saveElsewhere();
  press("refresh");
  screen.getByText(/Version 3 was saved after you opened this template\./);
  const draft = () => screen.getByLabelText<HTMLTextAreaElement>("Clause 2.1").value;
  server.save.mockRejectedValue(apiError("conflict", "A newer version was saved.", 409));
  press("Save as version 3");
  await screen.findByText("A newer version was saved.");
  expect(server.save).toHaveBeenCalledWith(expect.objectContaining({ from: 2 }));
  expect(server.refetch).toHaveBeenCalledOnce();
  expect(draft()).toBe("The fee is {{fee}}, in full.");
  press("Discard the draft and open version 3");
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>("Clause 1.1").value).toBe("Three."));
  screen.getByRole("button", { name: "Save as version 4" });
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("names unsaved changes before another version opens", async () => {
  open();
  type("Clause 2.1", "The fee is {{fee}}, in full.");
  fireEvent.click(screen.getByText("All 2 versions"));
  fireEvent.click(screen.getByRole("link", { name: "Version 1" }));
  const dialog = await screen.findByRole("dialog", { name: "Leave without saving?" });
  within(dialog).getByText("1 change not saved: section 2.");
  press("Keep editing");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByLabelText<HTMLTextAreaElement>("Clause 2.1").value).toBe("The fee is {{fee}}, in full.");
});

test("counts the typed name of a new template as an unsaved change, and Undo removes it", async () => {
  open("new");
  type("Name", "quiet-nights");
  screen.getByText("1 change not saved: name.");
  fireEvent.click(screen.getByRole("link", { name: "Contract templates" }));
  await screen.findByRole("dialog", { name: "Leave without saving?" });
  press("Keep editing");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  press("Undo");
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("");
});

test("opens the page of a new template after it is saved, without a confirmation", async () => {
  const Here = () => <p>Here: {useLocation().pathname}</p>;
  open("new", <Here />);
  type("Name", "quiet-nights");
  type("Clause 2.1", "The fee is {{fee}}, in full.");
  server.save.mockResolvedValue({ id: "quiet-nights", version: 1 });
  press("Save Template");
  await screen.findByText("Here: /admin/contracts/templates/quiet-nights");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("changes the signing order, shows it in the text, and saves it with the version", async () => {
  server.save.mockResolvedValue({ id: "standard", version: 3 });
  open();
  const order = screen.getByLabelText<HTMLSelectElement>("Signing order");
  expect(order.value).toBe("");
  fireEvent.change(order, { target: { value: "artist" } });
  press("Save as version 3");
  await screen.findByText(/put \{\{signing_order\}\} into a clause/);
  type("Clause 2.1", "The fee is {{fee}}. Either party may sign first.");
  press("Save as version 3");
  await screen.findByText("By its signing order the artist signs first: write {{signing_order}} instead.");
  expect(server.save).not.toHaveBeenCalled();
  type("Clause 2.1", "The fee is {{fee}}; {{signing_order}}.");
  press("Save as version 3");
  await waitFor(() => expect(server.save).toHaveBeenCalledOnce());
  expect(server.save.mock.calls[0]?.[0]).toMatchObject({ from: 2, first_signer: "artist" });
});

test("shows an unknown variable at its clause and a missing one above the buttons, and sends nothing", async () => {
  open();
  type("Clause 1.2", "{{secret}}");
  press("Save as version 3");
  screen.getByText("There is no variable {{secret}}.");
  expect(document.activeElement).toBe(screen.getByLabelText("Clause 1.2"));
  // A closed section with an error opens, and stays open.
  type("Clause 2.1", "{{secret}}");
  const section = screen.getByRole<HTMLDetailsElement>("group", { name: /^Section 2/ });
  expect(section.open).toBe(false);
  type("Clause 1.2", "A show.");
  press("Save as version 3");
  expect(section.open).toBe(true);
  fireEvent.click(within(section).getByText(/^\d+ clauses?$/));
  expect(section.open).toBe(true);
  type("Clause 1.2", "{{event_date}}, {{start_time}} ({{time_zone}}), for {{set_length}}.");
  type("Clause 2.1", "The fee is a secret.");
  press("Save as version 3");
  await screen.findByText(/A contract must always state the fee/);
  expect(server.save).not.toHaveBeenCalled();
});

test("adds, moves and removes sections and clauses, and inserts a variable at the cursor", async () => {
  open();
  press("Add a section");
  const added = within(screen.getByRole("group", { name: "Section 5" }));
  added.getByLabelText("Clause 5.1");
  fireEvent.click(added.getByRole("button", { name: "Add a clause" }));
  const clause = added.getByLabelText<HTMLTextAreaElement>("Clause 5.2");
  fireEvent.change(clause, { target: { value: "Hello !" } });
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "artist_name", hidden: true }).disabled).toBe(true);
  fireEvent.focus(clause);
  clause.setSelectionRange(6, 6);
  fireEvent.click(screen.getByText("Variables"));
  press("artist_name");
  await waitFor(() => expect(clause.value).toBe("Hello {{artist_name}}!"));
  fireEvent.click(added.getByRole("button", { name: "Actions: clause 5.2" }));
  fireEvent.click(await screen.findByRole("menuitem", { name: "Move up" }));
  expect(added.getByLabelText<HTMLTextAreaElement>("Clause 5.1").value).toBe("Hello {{artist_name}}!");
  fireEvent.click(added.getByRole("button", { name: "Actions: clause 5.2" }));
  fireEvent.click(await screen.findByRole("menuitem", { name: "Remove" }));
  await waitFor(() => expect(added.queryByLabelText("Clause 5.2")).toBeNull());
  fireEvent.click(added.getByRole("button", { name: "Remove the section" }));
  expect(screen.queryByRole("group", { name: /^Section 5/ })).toBeNull();
});

test("previews the draft with the chosen booking, and shows a server error at its field", async () => {
  server.preview.mockRejectedValue(fieldError("sections.0.clauses.0.text", "There is no variable {{x}}."));
  open();
  type("Title", "Festival agreement");
  press("Show the preview");
  await screen.findByText("There is no variable {{x}}.");
  expect(server.preview).toHaveBeenCalledWith(
    expect.objectContaining({ booking_id: "b1", title: "Festival agreement" }),
  );
});

test("starts a new template from the standard text and requires its own name", async () => {
  server.save.mockRejectedValue(apiError("conflict", "There is a template of this name already.", 409));
  open("new");
  press("Save Template");
  await screen.findByText("Enter a name.");
  expect(document.activeElement).toBe(screen.getByLabelText("Name"));
  expect(server.save).not.toHaveBeenCalled();
  type("Name", "festival");
  press("Save Template");
  await screen.findByText("There is a template of this name already.");
  expect(server.save).toHaveBeenCalledWith(expect.objectContaining({ id: "festival", from: 0 }));
});

test("lists every template with its version and use, shows loading, and reports a failure with Retry", () => {
  server.list = { data: { items: [{ ...version(2, null), in_force: true }] }, error: null };
  const list = renderInMantine(<AdminTemplatesPage />);
  const row = within(screen.getByRole("region", { name: "Contract templates" })).getAllByRole("row")[1];
  for (const part of ["standard", "Performance agreement", "2", "shipped with the product", "In force"])
    expect(row?.textContent).toContain(part);
  list.unmount();
  server.list = { data: undefined, error: null };
  const loading = renderInMantine(<AdminTemplatesPage />);
  expect(screen.getByRole("status").textContent).toMatch(/loading/i);
  loading.unmount();
  server.list = { data: undefined, error: apiError("internal", "Something went wrong.", 500) };
  renderInMantine(<AdminTemplatesPage />);
  press("Retry");
  expect(server.refetch).toHaveBeenCalledOnce();
});
