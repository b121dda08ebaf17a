import { useEffect, useState } from "react";
import { useCompare } from "./use-compare.ts";
import styles from "./compare-tick.module.css";

export function CompareTick({ artist }: Readonly<{ artist: { slug: string; name: string } }>) {
  const { chosen, mark } = useCompare();
  const isChosen = chosen.includes(artist.slug);
  // The checkbox changes immediately, the address later.
  const [checked, setChecked] = useState(isChosen);
  useEffect(() => setChecked(isChosen), [isChosen]);
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        aria-label={`Compare ${artist.name}`}
        checked={checked}
        onChange={({ currentTarget }) => {
          setChecked(currentTarget.checked);
          void mark(artist.slug, currentTarget.checked).then(setChecked);
        }}
      />
      <span aria-hidden="true">Compare</span>
    </label>
  );
}
