import { useRef, useState } from "react";

export function useSelection(ids: readonly string[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string>(undefined);
  const chosen = ids.filter((id) => selected.has(id));
  const toggle = (id: string, range = false) => {
    const next = new Set(chosen);
    const from = range ? ids.indexOf(last.current ?? id) : -1;
    if (from >= 0) {
      const to = ids.indexOf(id);
      for (const one of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(one);
    } else if (!next.delete(id)) next.add(id);
    last.current = id;
    setSelected(next);
  };
  return {
    chosen,
    toggle,
    toggleAll: () => setSelected(new Set(chosen.length === ids.length ? [] : ids)),
    clear: () => setSelected(new Set()),
  };
}
