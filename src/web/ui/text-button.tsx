import type { ComponentProps } from "react";
import styles from "./text-button.module.css";

type Props = Omit<ComponentProps<"button">, "type" | "className"> & Readonly<{ small?: boolean }>;

export const TextButton = ({ small = false, ...props }: Props) => (
  <button {...props} type="button" className={small ? `small ${styles.button}` : styles.button} />
);
