import { useRef, useState } from "react";
import { clauseMarks, templateVariables } from "#contracts/rules/template.rules.ts";
import { insertAt, type TemplateDraft, withChanged } from "./template-draft.ts";
import styles from "./templates.module.css";

const variables = [...templateVariables, ...Object.keys(clauseMarks)];

type ClauseField = Readonly<{ section: number; clause: number; field: HTMLTextAreaElement }>;

/** Inserts variables at the cursor of the clause that had the focus last. `insert` is undefined until a clause had the focus. */
export function useVariableInsert(draft: TemplateDraft, onChange: (draft: TemplateDraft) => void) {
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

export const TemplateVariables = ({ onInsert }: Readonly<{ onInsert: ((name: string) => void) | undefined }>) => (
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
