import type { ComponentProps } from "react";
import { Link } from "react-router";

/** `bad` is the outlined button that opens a dialog, `danger` the filled one in it. */
type ButtonVariant = {
  tone?: "main" | "line" | "bad" | "danger" | undefined;
  size?: "big" | "sm" | undefined;
  wide?: boolean | undefined;
  className?: string | undefined;
};

const buttonClass = ({ tone = "main", size, wide, className }: ButtonVariant): string =>
  ["btn", tone !== "main" && tone, size, wide && "wide", className].filter(Boolean).join(" ");

type Props = ComponentProps<"button"> & ButtonVariant & { busy?: boolean; busyLabel?: string };

export function Button({
  tone,
  size,
  wide,
  busy = false,
  busyLabel,
  children,
  onClick,
  type = "button",
  className,
  ...more
}: Props) {
  return (
    <button
      {...more}
      type={type}
      className={buttonClass({ tone, size, wide, className })}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) return event.preventDefault();
        onClick?.(event);
      }}
    >
      {busy ? (busyLabel ?? children) : children}
    </button>
  );
}

type LinkButtonProps = ButtonVariant & (ComponentProps<typeof Link> | ComponentProps<"a">);

/** A link that looks like a button: `to` is a page of this site, `href` an address that the browser loads. */
export function LinkButton({ tone, size, wide, className, ...more }: LinkButtonProps) {
  const classes = buttonClass({ tone, size, wide, className });
  return "to" in more ? (
    <Link {...more} className={classes} />
  ) : (
    <a {...more} className={classes}>
      {more.children}
    </a>
  );
}
