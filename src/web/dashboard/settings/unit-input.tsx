import { TextInput } from "@mantine/core";
import { unitProps } from "./unit-props.tsx";

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
