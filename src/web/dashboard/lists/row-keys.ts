/** The keys of a list: j and k move between rows, Enter opens a row, Space toggles its panel, x selects it, Shift and x a range. */

import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { isSingleKey } from "../palette/single-keys.ts";

type Keys = Readonly<{
  list: RefObject<HTMLElement | null>;
  ids: readonly string[];
  previewedId: string | undefined;
  onPreview?: ((id: string | undefined) => void) | undefined;
  onChoose?: ((id: string, range: boolean) => void) | undefined;
}>;

/** Returns the visible link of a row, in the table or on its card. Enter follows it natively. */
function findRow(list: HTMLElement | null, id: string): HTMLElement | undefined {
  const links = list?.querySelectorAll<HTMLElement>(`[data-row="${CSS.escape(id)}"] a`) ?? [];
  return Array.from(links).find((link) => link.checkVisibility?.() ?? true);
}

/** Focuses the link of a row. Scrolls only if the row is out of view. */
export function focusRow(list: HTMLElement | null, id: string): void {
  const link = findRow(list, id);
  link?.focus({ preventScroll: true });
  link?.scrollIntoView?.({ block: "nearest" });
}

const rowOf = (element: Element | null): string | undefined =>
  element?.closest<HTMLElement>("[data-row]")?.dataset["row"];

export function useRowKeys(keys: Keys): void {
  const now = useRef(keys);
  // The last focused row, because a dialog or a reload of the list takes the focus.
  const last = useRef<string>(undefined);
  // Runs before paint, so an early key press finds the rows.
  useLayoutEffect(() => {
    now.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isSingleKey(event)) return;
      const { list, ids, previewedId, onPreview, onChoose } = now.current;
      const focused = rowOf(document.activeElement);
      const isInPanel =
        previewedId !== undefined &&
        document.activeElement instanceof HTMLElement &&
        document.activeElement.tagName === "ASIDE";
      const isRowLink = focused !== undefined && document.activeElement instanceof HTMLAnchorElement;
      if (event.key === "j" || event.key === "k") {
        const at = ids.indexOf(previewedId ?? focused ?? last.current ?? "");
        const next = ids[event.key === "j" ? Math.min(at + 1, ids.length - 1) : Math.max(at - 1, 0)];
        if (next === undefined) return;
        event.preventDefault();
        last.current = next;
        if (previewedId === undefined) return focusRow(list.current, next);
        onPreview?.(next);
        findRow(list.current, next)?.scrollIntoView?.({ block: "nearest" });
      } else if (onPreview && event.key === " " && (isRowLink || isInPanel)) {
        event.preventDefault();
        last.current = focused ?? last.current;
        onPreview(isInPanel || focused === previewedId ? undefined : focused);
      } else if (onChoose && event.key.toLowerCase() === "x" && (previewedId ?? focused) !== undefined) {
        event.preventDefault();
        onChoose(previewedId ?? focused ?? "", event.shiftKey);
      }
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
