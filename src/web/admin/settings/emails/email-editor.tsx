import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import {
  type EmailRecipient,
  emailCatalog,
  emailTextProblem,
  maxEmailTextLengths,
} from "#notifications/custom/rules.ts";
import { describeChanges, useUnsavedChanges } from "../../../dashboard/dialogs/unsaved-changes.tsx";
import { changesSince, useOverwriteWarning } from "../../../dashboard/settings/use-overwrite-warning.ts";
import { apiErrorOf } from "../../../lib/api-error.ts";
import { toast } from "../../../lib/toasts.ts";
import { Button } from "../../../ui/button.tsx";
import {
  type EmailDraft,
  type EmailTemplate,
  useEmailPreview,
  useRestoreEmailText,
  useSaveEmailText,
  useSendTestEmail,
} from "./email-queries.ts";
import settings from "../../../dashboard/settings/settings.module.css";
import styles from "./emails.module.css";

const readerLabels: Record<EmailRecipient, string> = { promoter: "To the promoter", artist: "To the artist" };

export function EmailEditor({ email }: Readonly<{ email: EmailTemplate }>) {
  const { title, when } = emailCatalog[email.template];
  const readers = email.texts.map(({ reader }) => reader);
  const [chosen, setChosen] = useState<EmailRecipient>(readers[0] ?? "promoter");
  const editor = useRef<HTMLElement>(null);
  // The editor opens below the list, so its first field takes the focus and the page scrolls there.
  useEffect(() => editor.current?.querySelector<HTMLElement>("select, input")?.focus(), []);
  return (
    <section className={styles.editor} id="email-editor" aria-labelledby="email-editor-title" ref={editor}>
      <h2 id="email-editor-title">{title}</h2>
      <p className="small quiet">Sent {when}.</p>
      {readers.length > 1 ? (
        <NativeSelect
          className={styles.readers ?? ""}
          label="Recipient"
          value={chosen}
          data={readers.map((reader) => ({ value: reader, label: readerLabels[reader] }))}
          onChange={(event) => setChosen(event.currentTarget.value as EmailRecipient)}
        />
      ) : null}
      {/* Each recipient's draft stays in the form while the other one is displayed. */}
      {readers.map((reader) => (
        <div key={reader} hidden={reader !== chosen}>
          <Draft email={email} reader={reader} />
        </div>
      ))}
    </section>
  );
}

type Field = "subject" | "text";

function Draft({ email, reader }: Readonly<{ email: EmailTemplate; reader: EmailRecipient }>) {
  const { template, version } = email;
  const stored = email.texts.find((one) => one.reader === reader);
  const [typed, setTyped] = useState<Partial<Record<Field, string>>>({});
  const draft = {
    template,
    reader,
    subject: typed.subject ?? stored?.subject ?? "",
    text: typed.text ?? stored?.text ?? "",
  };
  const problem = (field: Field) => emailTextProblem(template, field, draft[field].trim());
  const valid = !problem("subject") && !problem("text");
  const overwrite = useOverwriteWarning<Partial<Record<Field, string>>>(stored ?? {});
  const edit = (field: Field, value: string) => {
    overwrite.onEdit([field]);
    setTyped((now) => ({ ...now, [field]: value }));
  };
  const reset = (saved?: typeof typed) => {
    setTyped((before) => changesSince(before, saved));
    overwrite.onReset(saved);
  };
  const changed = (["subject", "text"] as const).filter((field) => draft[field] !== stored?.[field]);
  const labelOf = (field: Field) => `${email.texts.length > 1 ? `the ${reader}'s` : "the"} ${field}`;
  const changes = changed.map(labelOf);
  useUnsavedChanges(changes, true);
  const save = useSaveEmailText();
  const restore = useRestoreEmailText();
  const test = useSendTestEmail();
  const insert = useInsertion(edit);

  const action = async (work: () => Promise<string>, otherwise?: string) => {
    try {
      toast({ title: "Success", text: await work() });
    } catch (error) {
      toast({ tone: "error", title: "Error", text: otherwise ?? apiErrorOf(error).message });
    }
  };
  const fieldProps = (field: Field) => ({
    value: draft[field],
    error: problem(field),
    maxLength: maxEmailTextLengths[field],
    ...insert.fieldProps(field),
  });
  return (
    <div className={styles.halves}>
      <div className={styles.fields}>
        <TextInput label="Subject" {...fieldProps("subject")} />
        <Textarea
          label="Text"
          rows={9}
          description="We add the greeting, the button and the details of the booking. An empty line starts a new paragraph."
          {...fieldProps("text")}
        />
        <fieldset className={styles.words}>
          <legend>Insert at the cursor</legend>
          <div className={settings.row}>
            {emailCatalog[template].variables.map((name) => (
              <Button key={name} tone="line" size="sm" onClick={() => insert.put(name)}>
                {name}
              </Button>
            ))}
          </div>
        </fieldset>
        <div className={settings.row}>
          <Button
            disabled={!valid || changes.length === 0}
            busyLabel="Saving..."
            onClick={() => {
              const warning = overwrite.warn(changed, labelOf);
              if (warning) return toast({ tone: "error", title: "Not saved", text: warning });
              return action(async () => {
                await save.mutateAsync({ ...draft, version });
                reset(typed);
                return "The template is saved. It applies from the next email.";
              });
            }}
          >
            Save Template
          </Button>
          <Button
            tone="line"
            disabled={!valid}
            busyLabel="Sending..."
            onClick={() => action(async () => `We sent a test email to ${(await test.mutateAsync(draft)).to}.`)}
          >
            Send me a test
          </Button>
          <Button
            tone="line"
            disabled={!stored?.changed}
            busyLabel="Restoring..."
            onClick={() =>
              action(async () => {
                await restore.mutateAsync({ template, reader, version });
                reset();
                return "The default text is restored.";
              })
            }
          >
            Restore the default text
          </Button>
        </div>
        <p className="small quiet" role="status">
          {changes.length > 0 ? describeChanges(changes) : ""}
        </p>
      </div>
      <Preview draft={draft} valid={valid} />
    </div>
  );
}

function useInsertion(set: (field: Field, value: string) => void) {
  const last = useRef<{ field: Field; input: HTMLInputElement | HTMLTextAreaElement }>(null);
  const text = useRef<HTMLTextAreaElement | HTMLInputElement>(null);
  type ChangeEvent = React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>;
  type FocusEvent = React.FocusEvent<HTMLInputElement | HTMLTextAreaElement>;
  return {
    fieldProps: (field: Field) => ({
      ...(field === "text" ? { ref: text as React.RefObject<HTMLTextAreaElement & HTMLInputElement> } : {}),
      onChange: (event: ChangeEvent) => set(field, event.currentTarget.value),
      onFocus: (event: FocusEvent) => (last.current = { field, input: event.currentTarget }),
    }),
    put: (name: string) => {
      const { field, input } = last.current ?? { field: "text" as const, input: text.current };
      if (!input) return;
      const from = last.current ? (input.selectionStart ?? input.value.length) : input.value.length;
      const to = last.current ? (input.selectionEnd ?? from) : from;
      const placeholder = `{{${name}}}`;
      set(field, `${input.value.slice(0, from)}${placeholder}${input.value.slice(to)}`);
      requestAnimationFrame(() => {
        input.focus();
        input.setSelectionRange(from + placeholder.length, from + placeholder.length);
      });
    },
  };
}

function Preview({ draft, valid }: Readonly<{ draft: EmailDraft; valid: boolean }>) {
  const [debounced] = useDebouncedValue(draft, 300);
  const preview = useEmailPreview(debounced, valid && JSON.stringify(debounced) === JSON.stringify(draft));
  return (
    <div className={styles.preview}>
      <p className="small quiet">Preview, with the booking SD-7K3MPQ</p>
      {preview.data ? (
        <>
          <p className="small">
            From {preview.data.from}
            <br />
            Subject <strong>{preview.data.subject}</strong>
          </p>
          <iframe title="Preview of the email" sandbox="" srcDoc={preview.data.html} />
        </>
      ) : preview.error ? (
        <p className="note cherry" role="alert">
          The preview could not be created. {apiErrorOf(preview.error).message}
        </p>
      ) : (
        <p className="quiet">Loading</p>
      )}
    </div>
  );
}
