import { phoneQuery, useMediaQuery } from "../lib/browser/use-media-query.ts";
import styles from "./player.module.css";

type Props = Readonly<{ bars: string; played: number; count?: 96 | 48 }>;

const height = 44;

/** `played` is the played share, 0 to 1. Decorative, because text beside it has the same information. */
export function Waveform({ bars, played, count: countBeside = 96 }: Props) {
  const count = useMediaQuery(phoneQuery) ? 24 : countBeside;
  const path = pathOf(bars, count);
  const width = count * 4;
  return (
    <svg className={styles.wave} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path} />
      <path d={path} className={styles.played} style={{ clipPath: `inset(0 ${100 - played * 100}% 0 0)` }} />
    </svg>
  );
}

function pathOf(bars: string, count: number): string {
  const step = bars.length / count;
  return Array.from({ length: count }, (_, at) => {
    const level = Number.parseInt(bars[Math.floor(at * step)] ?? "0", 36) / 35;
    const half = Math.max(1, (level * (height - 4)) / 2);
    return `M${at * 4 + 1} ${(height / 2 - half).toFixed(1)}h2v${(half * 2).toFixed(1)}h-2z`;
  }).join("");
}
