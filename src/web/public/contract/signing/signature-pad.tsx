import { type PointerEvent, useEffect, useRef, useState } from "react";
import { drawingBox, drawingOf } from "#bookings/rules.ts";
import { Button } from "../../../ui/button.tsx";
import styles from "../sign.module.css";

type Point = readonly [number, number];

/** In units of the box. Points closer to the last one are ignored. */
const minStep = 2;

function pointOf({ clientX, clientY, currentTarget }: PointerEvent<SVGSVGElement>): Point {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return [((clientX - left) / (width || 1)) * drawingBox.width, ((clientY - top) / (height || 1)) * drawingBox.height];
}

export function SignaturePad({ name, onChange }: { name: string; onChange(drawing: string | null): void }) {
  const [strokes, setStrokes] = useState<readonly Point[][]>([]);
  const current = useRef<Point[]>(undefined);
  const start = (event: PointerEvent<SVGSVGElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    current.current = [pointOf(event)];
  };
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const last = current.current?.at(-1);
    if (!current.current || !last) return;
    const [x, y] = pointOf(event);
    if (Math.hypot(x - last[0], y - last[1]) < minStep) return;
    const drawn = [...current.current, [x, y] as const];
    current.current = drawn;
    setStrokes((before) => [...(drawn.length === 2 ? before : before.slice(0, -1)), drawn]);
  };
  const end = () => {
    current.current = undefined;
  };
  const path = drawingOf(strokes);
  useEffect(() => onChange(path || null), [path, onChange]);
  return (
    <div>
      <div className={styles.pad}>
        <svg
          viewBox={`0 0 ${drawingBox.width} ${drawingBox.height}`}
          preserveAspectRatio="none"
          role="img"
          onPointerDown={start}
          onPointerMove={move}
          onPointerUp={end}
          onPointerCancel={end}
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
