import type { ComponentProps } from "react";
import styles from "./icon-button.module.css";

type Props = Omit<ComponentProps<"button">, "type" | "aria-label"> & Readonly<{ label: string }>;

export const IconButton = ({ label, className = "", ...props }: Props) => (
  <button {...props} type="button" aria-label={label} className={`${styles.button} ${className}`} />
);
