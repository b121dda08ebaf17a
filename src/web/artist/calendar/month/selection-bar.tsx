import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { countText, nightsText } from "../block-nights.tsx";
import { NightItems, type Nights } from "../night-items.tsx";
import type { NightData } from "../night-status.ts";
import styles from "./selection.module.css";

type Props = Readonly<{
  nights: Nights | undefined;
  today: string;
  data: NightData;
  onClear(): void;
}>;

export function SelectionBar({ nights, today, data, onClear }: Props) {
  return (
    <>
      <p className="sr" role="status">
        {nights
          ? `${countText(nights.from, nights.to)} selected: ${nightsText(nights.from, nights.to)}. B blocks, Escape ends.`
          : ""}
      </p>
      {nights ? (
        <section className={styles.bar} aria-label="Chosen nights">
          <strong>{nightsText(nights.from, nights.to)}</strong>
          <NightItems nights={nights} today={today} data={data} item={BarButton} onDone={onClear} />
          <button type="button" className={styles.clear} aria-label="Clear selection" onClick={onClear}>
            <X size={18} aria-hidden />
          </button>
        </section>
      ) : null}
    </>
  );
}

type BarButtonProps = Readonly<{ onClick(): void; children: ReactNode; leftSection?: ReactNode }>;
const BarButton = ({ onClick, children, leftSection }: BarButtonProps) => (
  <Button tone="line" size="sm" onClick={onClick}>
    {leftSection} {children}
  </Button>
);
