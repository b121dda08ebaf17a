import { Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { bounds } from "#settings/bounds.rules.ts";
import { SettingsSection } from "./settings-sheet.tsx";
import { PercentInput } from "./unit-input.tsx";
import type { useSettingsForm } from "./use-settings-form.ts";
import styles from "./settings.module.css";

type Name = "legalName" | "legalAddress" | "taxId" | "taxLabel" | "taxBps";
type Field = ReturnType<ReturnType<typeof useSettingsForm>["field"]>;
type Props = Readonly<{
  field(name: Name): Field;
  set(name: Name, value: string): void;
  why: string;
  taxNote: string;
  children?: ReactNode;
}>;

export const AddressFields = ({ field }: Readonly<{ field(name: "legalAddress" | "taxId"): Field }>) => (
  <>
    <Textarea
      label="Address (optional)"
      autoComplete="street-address"
      rows={3}
      maxLength={500}
      {...field("legalAddress")}
    />
    <TextInput label="Tax ID (optional)" autoComplete="off" maxLength={50} {...field("taxId")} />
  </>
);

export const sellerNames = {
  legalName: "the legal name",
  legalAddress: "the address",
  taxId: "the tax ID",
  taxLabel: "the name of the tax",
  taxBps: "the tax rate",
} as const;

export function SellerFields({ field, set, why, taxNote, children }: Props) {
  const rate = field("taxBps");
  return (
    <SettingsSection title="Receipts and invoices" why={why}>
      <TextInput label="Legal name (optional)" autoComplete="organization" maxLength={200} {...field("legalName")} />
      <AddressFields field={field} />
      <div className={styles.two}>
        <TextInput
          label="Name of the tax"
          autoComplete="off"
          maxLength={20}
          description="Such as VAT. Without a name, documents show no tax."
          {...field("taxLabel")}
        />
        <PercentInput
          label="Tax rate"
          name={rate.name}
          value={rate.value}
          max={bounds.taxBps.max / 100}
          invalid={rate.error !== undefined}
          description={taxNote}
          onChange={(bps) => set("taxBps", bps)}
        />
      </div>
      {children}
    </SettingsSection>
  );
}
