import { TextInput } from "@mantine/core";
import { useState } from "react";
import styles from "./settings.module.css";

type Props = Readonly<{
  label: string;
  name: string;
  unit?: string;
  value: string;
  error: string | undefined;
  bounds: Readonly<{ min: number; max: number }>;
  more?: string;
  onChange(text: string): void;
}>;

export const UnitInput = ({ unit, bounds, more, onChange, ...input }: Props) => (
  <TextInput
    {...input}
    inputMode="numeric"
    autoComplete="off"
    description={[`From ${bounds.min} to ${bounds.max}.`, more].filter(Boolean).join(" ")}
    onChange={(event) => onChange(event.currentTarget.value)}
    {...(unit && unitProps(unit))}
  />
);

export const unitProps = (unit: string, width = "5rem") =>
  ({
    rightSection: <span className={styles.unit}>{unit}</span>,
    rightSectionWidth: width,
    rightSectionPointerEvents: "none",
  }) as const;

type PercentProps = Readonly<{
  label: string;
  name: string;
  value: string;
  max: number;
  invalid: boolean;
  description: string;
  onChange(bps: string): void;
}>;

/** Returns basis points, also of a percentage that is too large. Other text stays as it is. */
const bpsOf = (percent: string): string => {
  const text = percent.trim().replace(",", ".");
  return /^\d+(\.\d{1,2})?$/.test(text) ? String(Math.round(Number(text) * 100)) : percent;
};
const percentOf = (bps: string): string => (/^\d+$/.test(bps) ? String(Number(bps) / 100) : bps);

export function PercentInput({ value, max, invalid, onChange, ...input }: PercentProps) {
  const [typed, setTyped] = useState("");
  return (
    <TextInput
      {...input}
      inputMode="decimal"
      autoComplete="off"
      value={bpsOf(typed) === value ? typed : percentOf(value)}
      error={invalid ? `Enter a percentage from 0 to ${max}, with two decimals at most.` : undefined}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(bpsOf(event.currentTarget.value));
      }}
      {...unitProps("percent")}
    />
  );
}
