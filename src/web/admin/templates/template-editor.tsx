import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { type FocusEvent, useRef } from "react";
import { sideOf } from "#contracts/rules.ts";
import { templateLimits } from "#contracts/rules/template-check.rules.ts";
import { clauseConditions, clauseMarks, conditionLabels, templateVariables } from "#contracts/rules/template.rules.ts";
import { Button } from "../../ui/button.tsx";
import {
  emptyClause,
  emptySection,
  insertAt,
  movedUp,
  type SectionDraft,
  type TemplateDraft,
  withChanged,
  without,
} from "./template-draft.ts";
import styles from "./templates.module.css";

type Props = Readonly<{
  draft: TemplateDraft;
  faults: Readonly<Record<string, string>>;
  onChange(draft: TemplateDraft): void;
}>;

const conditions = [
  { value: "", label: "always" },
  ...clauseConditions.map((value) => ({ value, label: conditionLabels[value] })),
];
const orders = [
  { value: "", label: "either may sign first" },
  { value: "artist", label: "the artist signs first" },
  { value: "promoter", label: "the promoter signs first" },
];
/** The approximate characters per row of a clause. Sets only the initial height of the field. */
const charactersInARow = 64;
const variables = [...templateVariables, ...Object.keys(clauseMarks)];

export function TemplateEditor({ draft, faults, onChange }: Props) {
  const { sections } = draft;
  // The last cursor position in a clause, where a variable's button inserts.
  const cursor = useRef<{ section: number; clause: number; field: HTMLTextAreaElement } | null>(null);
  const change = (key: number, given: Partial<SectionDraft>) =>
    onChange({ ...draft, sections: withChanged(sections, key, given) });
  const insert = (name: string) => {
    const place = cursor.current;
    const section = sections.find((one) => one.key === place?.section);
    const clause = section?.clauses.find((one) => one.key === place?.clause);
    if (!place || !section || !clause) return;
    const at = place.field.selectionStart;
    const mark = `{{${name}}}`;
    change(section.key, {
      clauses: withChanged(section.clauses, clause.key, { text: insertAt(clause.text, at, mark) }),
    });
    requestAnimationFrame(() => {
      place.field.focus();
      place.field.setSelectionRange(at + mark.length, at + mark.length);
    });
  };
  return (
    <>
      <TextInput
        label="Title"
        name="title"
        maxLength={templateLimits.title}
        value={draft.title}
        error={faults["title"]}
        onChange={(event) => onChange({ ...draft, title: event.currentTarget.value })}
      />
      <NativeSelect
        label="Signing order"
        name="first_signer"
        description="We email the second signer when the first has signed. Both can decline at any time."
        data={orders}
        value={draft.firstSigner ?? ""}
        error={faults["first_signer"]}
        onChange={(event) => onChange({ ...draft, firstSigner: sideOf(event.currentTarget.value) })}
      />
      <div className={styles.variables} role="group" aria-label="Put in at the cursor of a clause">
        <p className="small quiet">Put in at the cursor of a clause</p>
        {variables.map((name) => (
          <button key={name} type="button" className={styles.variable} onClick={() => insert(name)}>
            {name}
          </button>
        ))}
      </div>
      {sections.map((section, at) => (
        <Section
          key={section.key}
          section={section}
          at={at}
          faults={faults}
          onChange={(given) => change(section.key, given)}
          onUp={at === 0 ? undefined : () => onChange({ ...draft, sections: movedUp(sections, section.key) })}
          onRemove={() => onChange({ ...draft, sections: without(sections, section.key) })}
          onCursor={(clause, field) => (cursor.current = { section: section.key, clause, field })}
        />
      ))}
      {sections.length < templateLimits.sections ? (
        <Button tone="line" onClick={() => onChange({ ...draft, sections: [...sections, emptySection()] })}>
          Add a section
        </Button>
      ) : null}
    </>
  );
}

type SectionProps = Readonly<{
  section: SectionDraft;
  at: number;
  faults: Readonly<Record<string, string>>;
  onChange(given: Partial<SectionDraft>): void;
  onUp: (() => void) | undefined;
  onRemove(): void;
  onCursor(clause: number, field: HTMLTextAreaElement): void;
}>;

function Section({ section, at, faults, onChange, onUp, onRemove, onCursor }: SectionProps) {
  const { heading, when, clauses } = section;
  const name = `sections.${at}`;
  return (
    <fieldset className={styles.section}>
      <legend>
        Section {at + 1}
        {heading ? `: ${heading}` : ""}
      </legend>
      <div className={styles.two}>
        <TextInput
          label="Heading"
          name={`${name}.heading`}
          maxLength={templateLimits.heading}
          value={heading}
          error={faults[`${name}.heading`]}
          onChange={(event) => onChange({ heading: event.currentTarget.value })}
        />
        <NativeSelect
          label="Printed"
          name={`${name}.when`}
          data={conditions}
          value={when}
          error={faults[`${name}.when`]}
          onChange={(event) => onChange({ when: event.currentTarget.value as SectionDraft["when"] })}
        />
      </div>
      {clauses.map((clause, index) => (
        <div key={clause.key} className={styles.clause}>
          <Textarea
            label={`Clause ${at + 1}.${index + 1}`}
            name={`${name}.clauses.${index}.text`}
            rows={Math.min(10, Math.max(2, Math.ceil(clause.text.length / charactersInARow)))}
            maxLength={templateLimits.clause}
            value={clause.text}
            error={faults[`${name}.clauses.${index}.text`]}
            onFocus={(event: FocusEvent<HTMLTextAreaElement>) => onCursor(clause.key, event.currentTarget)}
            onChange={(event) =>
              onChange({ clauses: withChanged(clauses, clause.key, { text: event.currentTarget.value }) })
            }
          />
          <div className={styles.tools}>
            <NativeSelect
              aria-label={`Clause ${at + 1}.${index + 1} is printed`}
              data={conditions}
              value={clause.when}
              onChange={(event) =>
                onChange({
                  clauses: withChanged(clauses, clause.key, {
                    when: event.currentTarget.value as SectionDraft["when"],
                  }),
                })
              }
            />
            {index > 0 ? (
              <Button
                tone="line"
                size="sm"
                aria-label={`Up, clause ${at + 1}.${index + 1}`}
                onClick={() => onChange({ clauses: movedUp(clauses, clause.key) })}
              >
                Up
              </Button>
            ) : null}
            {clauses.length > 1 ? (
              <Button
                tone="line"
                size="sm"
                aria-label={`Remove, clause ${at + 1}.${index + 1}`}
                onClick={() => onChange({ clauses: without(clauses, clause.key) })}
              >
                Remove
              </Button>
            ) : null}
          </div>
        </div>
      ))}
      <div className={styles.tools}>
        {clauses.length < templateLimits.clauses ? (
          <Button tone="line" size="sm" onClick={() => onChange({ clauses: [...clauses, emptyClause()] })}>
            Add a clause
          </Button>
        ) : null}
        {onUp ? (
          <Button tone="line" size="sm" onClick={onUp}>
            Section up
          </Button>
        ) : null}
        <Button tone="bad" size="sm" onClick={onRemove}>
          Remove the section
        </Button>
      </div>
    </fieldset>
  );
}
