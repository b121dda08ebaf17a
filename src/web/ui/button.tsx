import { type ComponentProps, type MouseEvent, useState } from "react";
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

type Props = Omit<ComponentProps<"button">, "onClick"> &
  ButtonVariant & {
    busy?: boolean;
    busyLabel?: string;
    /** The button is busy until a returned promise settles. */
    onClick?: (event: MouseEvent<HTMLButtonElement>) => unknown;
  };

export function Button({
  tone,
  size,
  wide,
  busy,
  busyLabel,
  children,
  onClick,
  type = "button",
  className,
  ...more
}: Props) {
  const [isRunning, setRunning] = useState(false);
  const isBusy = busy || isRunning || undefined;
  const run = async (event: MouseEvent<HTMLButtonElement>) => {
    if (isBusy) return event.preventDefault();
    const work = onClick?.(event);
    if (!(work instanceof Promise)) return;
    setRunning(true);
    await work.finally(() => setRunning(false));
  };
  return (
    <button
      {...more}
      type={type}
      className={buttonClass({ tone, size, wide, className })}
      aria-busy={isBusy}
      aria-disabled={isBusy}
      onClick={(event) => void run(event)}
    >
      {isBusy ? (busyLabel ?? children) : children}
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
