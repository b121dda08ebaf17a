import { TextInput } from "@mantine/core";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Link, useNavigate, useSearchParams } from "react-router";
import { checkTemplate } from "#contracts/rules/template-check.rules.ts";
import { clauseMarks, templateVariables } from "#contracts/rules/template.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { ListFailed } from "../../dashboard/lists/list-states.tsx";
import { PageHead } from "../../dashboard/page-head.tsx";
import { SaveBar } from "../../dashboard/settings/save-bar.tsx";
import { apiErrorOf } from "../../lib/api-error.ts";
import { type ContractTemplate, useSaveTemplate, useTemplate } from "../../lib/api/admin/contracts.ts";
import { formatPlatformDate } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import type { Route } from "./+types/template-page.ts";
import { changedParts, draftOf, inputOf, insertAt, type TemplateDraft, textOf, withChanged } from "./template-draft.ts";
import { TemplateEditor } from "./template-editor.tsx";
import { TemplatePreview } from "./template-preview.tsx";
import styles from "./templates.module.css";

export const meta: Route.MetaFunction = () => [{ title: "Contract Template: Admin Panel" }];

const startingPoint = "standard";

export default function AdminTemplatePage({ params }: Pick<Route.ComponentProps, "params">) {
  const isNew = params.id === "new";
  const [search] = useSearchParams();
  const version = Number(search.get("version")) || undefined;
  const query = useTemplate(isNew ? startingPoint : params.id, version);
  const template = query.data;
  // Another version opens only by the user or without a draft, because it replaces what is typed.
  const [opened, setOpened] = useState(0);
  return (
    <>
      <p className="small">
        <Link to={paths.admin.contractTemplates}>Contract templates</Link>
      </p>
      <PageHead title={isNew ? "New template" : (template?.title ?? "Contract template")} />
      {query.error && !query.isFetching && !template ? (
        <ListFailed what="The template" query={query} />
      ) : template ? (
        <Editor
          key={`${params.id} ${version} ${opened}`}
          template={template}
          isNew={isNew}
          onConflict={() => void query.refetch()}
          onOpen={() => setOpened(opened + 1)}
        />
      ) : (
        <div role="status" aria-label="Loading the template">
          <Skeleton height="3rem" />
          <Skeleton height="16rem" mt="1rem" />
        </div>
      )}
    </>
  );
}

type EditorProps = Readonly<{ template: ContractTemplate; isNew: boolean; onConflict(): void; onOpen(): void }>;

function Editor({ template, isNew, onConflict, onOpen }: EditorProps) {
  const save = useSaveTemplate();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [stored, setStored] = useState(() =>
    draftOf({ ...template, firstSigner: template.first_signer }, isNew ? "" : template.id),
  );
  const [draft, setDraft] = useState(stored);
  const variables = useVariableInsert(draft, setDraft);
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState<string>();
  const newest = template.versions[0]?.version ?? template.version;
  const [from] = useState(newest);
  const isOutdated = !isNew && newest !== from && !save.isPending;
  const changes = changedParts(stored, draft);
  const isUntouched = changes.length === 0;
  useEffect(() => {
    if (isOutdated && isUntouched) onOpen();
  });
  const show = (found: Readonly<Record<string, string>>, message?: string) => {
    // A section with an error opens before its field takes the focus.
    flushSync(() => {
      setFaults(found);
      setError(found["sections"] ?? message);
    });
    const first = Object.keys(found).find((name) => name !== "sections");
    if (first) form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus();
  };
  const fail = (failure: unknown) => {
    const { message, fields, status } = apiErrorOf(failure);
    if (status === 409) onConflict();
    show(fields, Object.keys(fields).length > 0 ? undefined : message);
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (save.isPending) return;
    const found = Object.fromEntries(checkTemplate(textOf(draft)).map(({ field, message }) => [field, message]));
    if (isNew && !draft.name.trim()) found["id"] = "Enter a name.";
    if (Object.keys(found).length > 0) return show(found);
    try {
      const saved = await save.mutateAsync({
        id: draft.name.trim(),
        from: isNew ? 0 : from,
        ...inputOf(draft),
      });
      // Saved before the next page opens, so leaving needs no confirmation.
      flushSync(() => setStored(draft));
      show({});
      toast({ title: "Saved", text: `Version ${saved.version}. Contracts that were sent do not change.` });
      await navigate(paths.admin.contractTemplate(saved.id));
    } catch (failure) {
      fail(failure);
    }
  };
  return (
    <div className={styles.columns}>
      <form
        ref={form}
        className={styles.form}
        noValidate
        onSubmit={(event) => void submit(event)}
        aria-label="Template"
      >
        {isNew ? (
          <TextInput
            label="Name"
            name="id"
            description="Small letters, digits and hyphens. It appears on every contract, with the version."
            maxLength={40}
            value={draft.name}
            error={faults["id"]}
            onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
          />
        ) : (
          <Versions template={template} newest={from} />
        )}
        {isOutdated && !isUntouched ? (
          <div className="note gold" role="status">
            <p>
              Version {newest} was saved after you opened this template. Your draft is not saved and cannot replace it.
            </p>
            <Button
              tone="line"
              size="sm"
              onClick={() => {
                flushSync(() => setDraft(stored));
                void navigate(paths.admin.contractTemplate(template.id), { replace: true });
              }}
            >
              Discard the draft and open version {newest}
            </Button>
          </div>
        ) : null}
        <TemplateEditor draft={draft} faults={faults} onChange={setDraft} onFocus={variables.onFocus} />
        <SaveBar
          changes={changes}
          isLostWithQuery
          isNew={isNew || template.version !== from}
          error={error}
          busy={save.isPending}
          save={isNew ? "Save Template" : `Save as version ${from + 1}`}
          onUndo={() => {
            setDraft(stored);
            show({});
          }}
        />
      </form>
      <div className={styles.side}>
        <TemplateVariables onInsert={variables.insert} />
        <TemplatePreview draft={draft} onFailed={fail} />
      </div>
    </div>
  );
}

function Versions({ template, newest }: Readonly<{ template: ContractTemplate; newest: number }>) {
  const { id, version, versions, in_force: inForce } = template;
  return (
    <div>
      <p>
        <span className="num">{id}</span>, version {version}
        {version === newest
          ? inForce
            ? ". The next contracts are made from it."
            : "."
          : ". This is an older version. Save to make it the newest."}
      </p>
      {versions.length > 1 ? (
        <details className={styles.versions}>
          <summary>All {versions.length} versions</summary>
          <ul>
            {versions.map((one) => (
              <li key={one.version}>
                <Link to={`?version=${one.version}`} aria-current={one.version === version ? "page" : undefined}>
                  Version {one.version}
                </Link>{" "}
                <span className="quiet small">
                  {formatPlatformDate(one.saved_at)}, {one.saved_by ?? "shipped with the product"}
                </span>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}

const variables = [...templateVariables, ...Object.keys(clauseMarks)];

type ClauseField = Readonly<{ section: number; clause: number; field: HTMLTextAreaElement }>;

/** Inserts variables at the cursor of the clause that had the focus last. `insert` is undefined until a clause had the focus. */
function useVariableInsert(draft: TemplateDraft, onChange: (draft: TemplateDraft) => void) {
  const focused = useRef<ClauseField>(null);
  const [isReady, setReady] = useState(false);
  const insert = (name: string) => {
    const section = draft.sections.find((one) => one.key === focused.current?.section);
    const clause = section?.clauses.find((one) => one.key === focused.current?.clause);
    if (!focused.current || !section || !clause) return setReady(false);
    const { field } = focused.current;
    const at = field.selectionStart;
    const mark = `{{${name}}}`;
    const clauses = withChanged(section.clauses, clause.key, { text: insertAt(clause.text, at, mark) });
    onChange({ ...draft, sections: withChanged(draft.sections, section.key, { clauses }) });
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(at + mark.length, at + mark.length);
    });
  };
  return {
    insert: isReady ? insert : undefined,
    onFocus(given: ClauseField) {
      focused.current = given;
      setReady(true);
    },
  };
}

const TemplateVariables = ({ onInsert }: Readonly<{ onInsert: ((name: string) => void) | undefined }>) => (
  <details className={styles.variables}>
    <summary>Variables</summary>
    <p className="small quiet">
      {onInsert ? "Inserted at the cursor of the clause." : "Place the cursor in a clause, then choose a variable."}
    </p>
    <div role="group" aria-label="Insert a variable">
      {variables.map((name) => (
        <button
          key={name}
          type="button"
          className={styles.variable}
          disabled={!onInsert}
          onClick={() => onInsert?.(name)}
        >
          {name}
        </button>
      ))}
    </div>
  </details>
);
