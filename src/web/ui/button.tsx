import type { ComponentProps } from "react";

/** `bad` is the outlined button that opens a dialog, `danger` the filled one in it. */
type ButtonVariant = { tone?: "main" | "line" | "bad" | "danger"; size?: "big" | "sm" | undefined; wide?: boolean };

export function buttonClass({ tone = "main", size, wide }: ButtonVariant = {}): string {
  return ["btn", tone === "main" ? "" : tone, size ?? "", wide ? "wide" : ""].filter(Boolean).join(" ");
}

type Props = ComponentProps<"button"> & ButtonVariant & { busy?: boolean; busyLabel?: string };

export function Button({
  tone = "main",
  size,
  wide = false,
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
      className={[buttonClass({ tone, size, wide }), className ?? ""].filter(Boolean).join(" ")}
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
