import { NativeSelect, TextInput, Menu, Textarea } from "@mantine/core";
import { useState, type FocusEvent, useId } from "react";
import { sideOf } from "#contracts/rules.ts";
import { templateLimits } from "#contracts/rules/template-check.rules.ts";
import { clauseConditions, conditionLabels } from "#contracts/rules/template.rules.ts";
import { ActionsMenu } from "../../dashboard/lists/list-cells.tsx";
import { Button } from "../../ui/button.tsx";
import {
  emptySection,
  movedUp,
  type SectionDraft,
  type TemplateDraft,
  withChanged,
  without,
  type ClauseDraft,
  emptyClause,
} from "./template-draft.ts";
import styles from "./templates.module.css";

type Props = Readonly<{
  draft: TemplateDraft;
  faults: Readonly<Record<string, string>>;
  onChange(draft: TemplateDraft): void;
  onFocus(given: { section: number; clause: number; field: HTMLTextAreaElement }): void;
}>;

const orders = [
  { value: "", label: "Either may sign first" },
  { value: "artist", label: "The artist signs first" },
  { value: "promoter", label: "The promoter signs first" },
];

/** Title, signing order and sections of a template. A section with an error is always open, so its field can take the focus. */
export function TemplateEditor({ draft, faults, onChange, onFocus }: Props) {
  const { sections } = draft;
  const [open, setOpen] = useState<readonly number[]>(() => sections.slice(0, 1).map(({ key }) => key));
  const change = (key: number, given: Partial<SectionDraft>) =>
    onChange({ ...draft, sections: withChanged(sections, key, given) });
  const add = () => {
    const section = emptySection();
    setOpen([...open, section.key]);
    onChange({ ...draft, sections: [...sections, section] });
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
      <div>
        {sections.map((section, at) => (
          <TemplateSection
            key={section.key}
            section={section}
            at={at}
            faults={faults}
            isOpen={open.includes(section.key)}
            onToggle={(isOpen) => setOpen(isOpen ? [...open, section.key] : open.filter((key) => key !== section.key))}
            onChange={(given) => change(section.key, given)}
            onUp={at === 0 ? undefined : () => onChange({ ...draft, sections: movedUp(sections, section.key) })}
            onRemove={() => onChange({ ...draft, sections: without(sections, section.key) })}
            onFocus={(clause, field) => onFocus({ section: section.key, clause, field })}
          />
        ))}
      </div>
      {sections.length < templateLimits.sections ? (
        <Button tone="line" onClick={add}>
          Add a section
        </Button>
      ) : null}
    </>
  );
}

const conditions = [
  { value: "", label: "Always" },
  ...clauseConditions.map((value) => ({ value, label: conditionLabels[value].replace("only", "Only") })),
];
/** The approximate characters per row of a clause. Sets only the initial height of the field. */
const charactersInARow = 64;

type SectionProps = Readonly<{
  section: SectionDraft;
  at: number;
  faults: Readonly<Record<string, string>>;
  isOpen: boolean;
  onToggle(isOpen: boolean): void;
  onChange(given: Partial<SectionDraft>): void;
  onUp: (() => void) | undefined;
  onRemove(): void;
  onFocus(clause: number, field: HTMLTextAreaElement): void;
}>;

function TemplateSection({ section, at, faults, isOpen, onToggle, onChange, onUp, onRemove, onFocus }: SectionProps) {
  const { heading, when, clauses } = section;
  const name = `sections.${at}`;
  const hasFault = Object.keys(faults).some((field) => field.startsWith(`${name}.`));
  return (
    <details
      className={styles.section}
      aria-label={`Section ${at + 1}${heading ? `: ${heading}` : ""}`}
      open={isOpen || hasFault}
      onToggle={(event) => onToggle(event.currentTarget.open)}
    >
      <summary onClick={(event) => (hasFault ? event.preventDefault() : undefined)}>
        <span>
          <span className="num quiet">{at + 1}.</span> {heading || "Without a heading"}
        </span>
        <span className="small quiet">
          {clauses.length} {clauses.length === 1 ? "clause" : "clauses"}
          {when ? `, ${conditionLabels[when]}` : ""}
        </span>
      </summary>
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
        <Clause
          key={clause.key}
          clause={clause}
          number={`${at + 1}.${index + 1}`}
          name={`${name}.clauses.${index}.text`}
          error={faults[`${name}.clauses.${index}.text`]}
          onChange={(given) => onChange({ clauses: withChanged(clauses, clause.key, given) })}
          onUp={index > 0 ? () => onChange({ clauses: movedUp(clauses, clause.key) }) : undefined}
          onRemove={clauses.length > 1 ? () => onChange({ clauses: without(clauses, clause.key) }) : undefined}
          onFocus={(field) => onFocus(clause.key, field)}
        />
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
    </details>
  );
}

type ClauseProps = Readonly<{
  clause: ClauseDraft;
  number: string;
  name: string;
  error: string | undefined;
  onChange(given: Partial<ClauseDraft>): void;
  onUp: (() => void) | undefined;
  onRemove: (() => void) | undefined;
  onFocus(field: HTMLTextAreaElement): void;
}>;

function Clause({ clause, number, name, error, onChange, onUp, onRemove, onFocus }: ClauseProps) {
  const id = useId();
  return (
    <div className={styles.clause}>
      <div className={styles.clauseHead}>
        <label htmlFor={id}>Clause {number}</label>
        <NativeSelect
          size="sm"
          aria-label={`Clause ${number} is printed`}
          data={conditions}
          value={clause.when}
          onChange={(event) => onChange({ when: event.currentTarget.value as ClauseDraft["when"] })}
        />
        {onUp || onRemove ? (
          <ActionsMenu name={`clause ${number}`}>
            {onUp ? <Menu.Item onClick={onUp}>Move up</Menu.Item> : null}
            {onRemove ? <Menu.Item onClick={onRemove}>Remove</Menu.Item> : null}
          </ActionsMenu>
        ) : null}
      </div>
      <Textarea
        id={id}
        name={name}
        rows={Math.min(10, Math.max(2, Math.ceil(clause.text.length / charactersInARow)))}
        maxLength={templateLimits.clause}
        value={clause.text}
        error={error}
        onFocus={(event: FocusEvent<HTMLTextAreaElement>) => onFocus(event.currentTarget)}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
    </div>
  );
}
