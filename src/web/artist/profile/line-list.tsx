import { TextInput } from "@mantine/core";
import { X } from "lucide-react";
import { useState } from "react";
import { maxLineLength, maxLines } from "#artists/own-profile/rules.ts";
import styles from "./profile.module.css";

type Props = Readonly<{
  label: string;
  name: string;
  lines: readonly string[];
  error: string | undefined;
  onChange(lines: readonly string[]): void;
}>;

export function LineList({ label, name, lines, error, onChange }: Props) {
  const [typed, setTyped] = useState("");
  const add = () => {
    const line = typed.trim();
    if (line === "") return;
    setTyped("");
    if (!lines.includes(line)) onChange([...lines, line]);
  };
  return (
    <div>
      <TextInput
        label={label}
        name={name}
        classNames={{ wrapper: styles.adding ?? "" }}
        placeholder={lines.length < maxLines ? "Add one and press Enter" : `${maxLines} at most`}
        maxLength={maxLineLength}
        disabled={lines.length >= maxLines}
        autoComplete="off"
        value={typed}
        error={error}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          // Enter would submit the whole form.
          event.preventDefault();
          add();
        }}
        onBlur={add}
      />
      {lines.length > 0 ? (
        <ul className={styles.tags} aria-label={label}>
          {lines.map((line) => (
            <li key={line}>
              {line}
              <button
                type="button"
                aria-label={`Remove ${line}`}
                onClick={() => onChange(lines.filter((one) => one !== line))}
              >
                <X size={14} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
