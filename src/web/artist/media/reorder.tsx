import { GripVertical } from "lucide-react";
import { type ComponentProps, type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import styles from "./media.module.css";

export function useReorder({ at, count, onMove }: Readonly<{ at: number; count: number; onMove(to: number): void }>) {
  const [dragging, setDragging] = useState(false);
  const pointer = useRef<number>(undefined);
  const end = () => {
    pointer.current = undefined;
    setDragging(false);
  };
  const handle: ComponentProps<"button"> = {
    onKeyDown: (event) => {
      const to = keySteps(event, at, count);
      if (to === undefined) return;
      event.preventDefault();
      const handle = event.currentTarget;
      flushSync(() => onMove(to));
      handle.scrollIntoView?.({ block: "nearest" });
    },
    onPointerDown: (event: PointerEvent<HTMLButtonElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      pointer.current = event.pointerId;
      setDragging(true);
    },
    onPointerMove: (event: PointerEvent<HTMLButtonElement>) => {
      if (pointer.current !== event.pointerId) return;
      const list = event.currentTarget.closest("ul, ol");
      const below = document.elementsFromPoint(event.clientX, event.clientY);
      const over = below
        .map((element) => element.closest<HTMLElement>("[data-item]"))
        .find((item) => item !== null && item.parentElement === list);
      const to = Number(over?.dataset["item"] ?? at);
      if (to !== at) onMove(to);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
  return { dragging, handle };
}

export function ReorderHandle({ label, ...handle }: Readonly<{ label: string }> & ComponentProps<"button">) {
  return (
    <button type="button" className={styles.handle} aria-label={label} {...handle}>
      <GripVertical size={20} aria-hidden />
    </button>
  );
}

function keySteps(event: KeyboardEvent, at: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowLeft: at - 1,
    ArrowDown: at + 1,
    ArrowRight: at + 1,
    Home: 0,
    End: count - 1,
  };
  return steps[event.key];
}
