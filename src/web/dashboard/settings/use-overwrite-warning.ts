import { useState } from "react";

const maxShownLength = 40;

const textOf = (value: unknown): string => {
  if (typeof value === "boolean") return value ? " to on" : " to off";
  const text = typeof value === "number" || typeof value === "string" ? String(value) : "";
  return text !== "" && text.length <= maxShownLength ? ` to ${text}` : "";
};

/** Returns the changes that were made while `saved` was being saved. Without `saved` none. */
export const changesSince = <T extends object>(changes: T, saved = changes): T =>
  Object.fromEntries(Object.entries(changes).filter(([name, value]) => value !== Reflect.get(saved, name))) as T;

const withoutNames = <T extends object>(values: T, names: object): T =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !(name in names))) as T;

/** Finds edited fields whose stored value changed since the edit began: the live form would replace the other change without notice. */
export function useOverwriteWarning<V extends object>(stored: V) {
  type Name = keyof V & string;
  const [started, setStarted] = useState<Partial<V>>({});
  const storedOf = (names: readonly Name[]) =>
    Object.fromEntries(names.map((name) => [name, stored[name]])) as Partial<V>;
  return {
    onEdit: (names: readonly Name[]) => setStarted((before) => ({ ...storedOf(names), ...before })),
    /** Returns the warning to show instead of saving these fields. A field is warned about once per change. */
    warn(names: readonly Name[], labelOf: (name: Name) => string): string | undefined {
      const found = names.filter(
        (name) => name in started && JSON.stringify(started[name]) !== JSON.stringify(stored[name]),
      );
      if (found.length === 0) return undefined;
      setStarted((before) => ({ ...before, ...storedOf(found) }));
      const named = found.map((name) => labelOf(name) + textOf(stored[name])).join(", ");
      return `Another tab or user changed ${named}. Save again to replace ${found.length === 1 ? "it" : "them"}.`;
    },
    /** Forgets the edits of the fields that were saved. Without `saved` all. */
    onReset: (saved?: object) => setStarted((before) => (saved ? withoutNames(before, saved) : {})),
  };
}
