import { TextInput } from "@mantine/core";
import { useState } from "react";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { Button } from "../../ui/button.tsx";
import { isDigitsOnly, likelyRate, rateOf, rateProblem, rateText } from "./rates.ts";
import { unitProps } from "./unit-input.tsx";
import styles from "./settings.module.css";

type Props = Readonly<{
  label: string;
  name: string;
  value: string;
  error: string | undefined;
  currency: string;
  /** In cents, 0 without one. */
  stored: number;
  shown: string;
  placeholder?: string;
  onChange(text: string): void;
}>;

/** An amount such as 1,500.00. Digits alone are cents, as the label states. */
export function RateField({ value, currency, stored, shown, onChange, error, ...input }: Props) {
  const [fromCents, setFromCents] = useState("");
  const exact = (cents: number) => formatMoneyExact(cents, currency);
  const isFromCents = isDigitsOnly(value) || value === fromCents;
  const problem = rateProblem(value);
  const meant = problem ? undefined : likelyRate(rateOf(value), stored, isFromCents);
  return (
    <div>
      <TextInput
        {...input}
        value={value}
        error={error ?? problem}
        inputMode="decimal"
        autoComplete="off"
        classNames={{ input: "num" }}
        {...unitProps(currency.toUpperCase(), "4rem")}
        description={
          isFromCents && !problem && rateOf(value) > 0
            ? `${shown} For ${exact(rateOf(value) * 100)}, enter ${rateText(rateOf(value) * 100)}.`
            : shown
        }
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={() => {
          if (problem || !/\d/.test(value)) return;
          const written = rateText(rateOf(value));
          if (isDigitsOnly(value)) setFromCents(written);
          onChange(written);
        }}
      />
      {meant === undefined ? null : (
        <p className={styles.meant} role="status">
          Did you mean {exact(meant)}?
          <Button tone="line" size="sm" onClick={() => onChange(rateText(meant))}>
            Use {exact(meant)}
          </Button>
        </p>
      )}
    </div>
  );
}
