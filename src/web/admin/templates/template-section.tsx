import { Menu, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { type FocusEvent, useId } from "react";
import { templateLimits } from "#contracts/rules/template-check.rules.ts";
import { clauseConditions, conditionLabels } from "#contracts/rules/template.rules.ts";
import { ActionsMenu } from "../../dashboard/lists/actions-menu.tsx";
import { Button } from "../../ui/button.tsx";
import { type ClauseDraft, emptyClause, movedUp, type SectionDraft, withChanged, without } from "./template-draft.ts";
import styles from "./templates.module.css";

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

export function TemplateSection({
  section,
  at,
  faults,
  isOpen,
  onToggle,
  onChange,
  onUp,
  onRemove,
  onFocus,
}: SectionProps) {
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
