import { useEffect, useRef } from "react";
import { drawingBox } from "#bookings/rules.ts";
import styles from "../sign.module.css";

const minPx = 22;

/** Uses the style's font size, and a smaller one only if the name is wider than its box. */
export function TypedSignature({ name }: Readonly<{ name: string }>) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const text = element.current;
    const box = text?.parentElement;
    if (!text || !box) return undefined;
    const fit = () => {
      text.style.fontSize = "";
      const available = box.clientWidth - 24;
      const usual = Number.parseFloat(getComputedStyle(text).fontSize);
      if (text.scrollWidth > available && available > 0)
        text.style.fontSize = `${Math.max(minPx, Math.floor((usual * available) / text.scrollWidth))}px`;
    };
    fit();
    void document.fonts?.ready.then(fit);
    window.addEventListener("resize", fit);
    return () => window.removeEventListener("resize", fit);
  }, [name]);
  return (
    <span className={styles.hand} ref={element} aria-hidden>
      {name}
    </span>
  );
}

export const DrawnSignature = ({ drawing, name }: Readonly<{ drawing: string; name: string }>) => (
  <svg
    className={styles.drawn}
    viewBox={`0 0 ${drawingBox.width} ${drawingBox.height}`}
    role="img"
    aria-label={`Signature of ${name}`}
  >
    <path d={drawing} />
  </svg>
);
