import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { sideOf } from "#contracts/rules.ts";
import { templateLimits } from "#contracts/rules/template-check.rules.ts";
import { Button } from "../../ui/button.tsx";
import {
  emptySection,
  movedUp,
  type SectionDraft,
  type TemplateDraft,
  withChanged,
  without,
} from "./template-draft.ts";
import { TemplateSection } from "./template-section.tsx";

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
