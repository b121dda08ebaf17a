/** A field to draw a signature by touch, pen or mouse. The alternative is a typed name. */
import { useEffect, useRef, useState } from "react";
import { drawingBox, drawingOf } from "#bookings/rules.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./sign.module.css";

type Stroke = readonly (readonly [number, number])[];

/** In units of the box. Points closer to the last one are ignored. */
const minStep = 2;

export function SignaturePad({ name, onChange }: { name: string; onChange(drawing: string | null): void }) {
  const pad = useRef<SVGSVGElement>(null);
  const [strokes, setStrokes] = useState<readonly Stroke[]>([]);
  useEffect(() => {
    const element = pad.current;
    if (!element) return;
    let current: [number, number][] | undefined;
    const pointOf = (event: PointerEvent): [number, number] => {
      const box = element.getBoundingClientRect();
      return [
        ((event.clientX - box.left) / (box.width || 1)) * drawingBox.width,
        ((event.clientY - box.top) / (box.height || 1)) * drawingBox.height,
      ];
    };
    const start = (event: PointerEvent) => {
      event.preventDefault();
      element.setPointerCapture(event.pointerId);
      current = [pointOf(event)];
    };
    const move = (event: PointerEvent) => {
      const last = current?.at(-1);
      if (!current || !last) return;
      const [x, y] = pointOf(event);
      if (Math.hypot(x - last[0], y - last[1]) < minStep) return;
      current.push([x, y]);
      const drawn = [...current];
      setStrokes((before) => (drawn.length === 2 ? [...before, drawn] : [...before.slice(0, -1), drawn]));
    };
    const end = () => {
      current = undefined;
    };
    element.addEventListener("pointerdown", start);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
    return () => {
      element.removeEventListener("pointerdown", start);
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", end);
      element.removeEventListener("pointercancel", end);
    };
  }, []);
  const path = drawingOf(strokes);
  useEffect(() => onChange(path || null), [path, onChange]);
  return (
    <div>
      <div className={styles.pad}>
        <svg
          ref={pad}
          viewBox={`0 0 ${drawingBox.width} ${drawingBox.height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={path ? `Your drawn signature: ${name}` : "Nothing is drawn yet"}
        >
          <path d={path} />
        </svg>
        <Button tone="line" size="sm" onClick={() => setStrokes([])}>
          Clear
        </Button>
      </div>
      <p className={styles.tip}>Draw with a finger, a pen or the mouse.</p>
    </div>
  );
}
