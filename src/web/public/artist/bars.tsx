import starSpread from "./star-spread.module.css";

type Line = Readonly<{ label: string; count: number }>;

/** A list of counts. The bars show each count's share of their sum. */
export function Bars({ label, lines }: Readonly<{ label: string; lines: readonly Line[] }>) {
  const all = lines.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return null;
  return (
    <ul className={starSpread.spread} aria-label={label}>
      {lines.map((line) => (
        <li key={line.label}>
          <span>{line.label}</span>
          <span className={starSpread.bar} aria-hidden>
            <i style={{ width: `${(100 * line.count) / all}%` }} />
          </span>
          <span className={starSpread.count}>{line.count}</span>
        </li>
      ))}
    </ul>
  );
}
