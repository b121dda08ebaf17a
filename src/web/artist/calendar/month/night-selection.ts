import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { dayAfterKey } from "../../../ui/calendar/calendar-keys.ts";
import type { Nights } from "../night-items.tsx";

type Range = Readonly<{ anchor: string; head: string }>;
type Press = Readonly<{ anchor: string; x: number; y: number; isTouch: boolean }>;

/** How long a touch must rest on a night to select instead of scroll (ms), and how far it may move (pixels). */
const longPress = { ms: 400, pixels: 10 };

const cellAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element && !target.closest("a, button") ? target.closest<HTMLElement>("[data-date]") : null;

const nightAt = (target: EventTarget | null): string | undefined => cellAt(target)?.dataset["date"];

const inOrder = ({ anchor, head }: Range): Nights => {
  const [from = anchor, to = head] = [anchor, head].toSorted();
  return { from, to };
};

/** B calls `onBlock` with the selection, else the focused night. A click selects a night unless `opens` returns true. */
export function useNightSelection(
  onBlock: (nights: Nights, clear: () => void) => void,
  opens: (night: string) => boolean = () => false,
) {
  const root = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<Range>();
  const press = useRef<Press>(undefined);
  const isDragging = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // Prevents scrolling during a touch selection. React's touch listeners are passive and cannot prevent it.
  useEffect(() => {
    const element = root.current;
    const onTouchMove = (event: TouchEvent) => {
      if (isDragging.current) event.preventDefault();
    };
    element?.addEventListener("touchmove", onTouchMove, { passive: false });
    return () => {
      element?.removeEventListener("touchmove", onTouchMove);
      clearTimeout(timer.current);
    };
  }, []);

  const clear = () => setRange(undefined);
  const end = () => {
    clearTimeout(timer.current);
    press.current = undefined;
  };
  const begin = (anchor: string, head = anchor) => {
    isDragging.current = true;
    setRange({ anchor, head });
  };
  const onPointerDown = (event: PointerEvent) => {
    const anchor = nightAt(event.target);
    end();
    isDragging.current = false;
    if (!anchor || event.button !== 0) return;
    const isTouch = event.pointerType === "touch";
    press.current = { anchor, x: event.clientX, y: event.clientY, isTouch };
    if (isTouch) timer.current = setTimeout(() => begin(anchor), longPress.ms);
  };
  const onPointerMove = (event: PointerEvent) => {
    const begun = press.current;
    if (!begun) return;
    // The button was released outside the calendar.
    if (!begun.isTouch && event.buttons === 0) return end();
    // Touch events always target the element where the touch began, so the night is found by its coordinates.
    const night = nightAt(document.elementFromPoint(event.clientX, event.clientY));
    const isFar = Math.hypot(event.clientX - begun.x, event.clientY - begun.y) > longPress.pixels;
    if (begun.isTouch && !isDragging.current) return isFar ? end() : undefined;
    if (night && (isDragging.current || night !== begun.anchor)) begin(begun.anchor, night);
  };
  const onClick = (event: MouseEvent) => {
    const night = nightAt(event.target);
    if (!night || isDragging.current) return;
    if (event.shiftKey && range) setRange({ anchor: range.anchor, head: night });
    else if (opens(night)) setRange(undefined);
    else setRange(range?.anchor === night && range.head === night ? undefined : { anchor: night, head: night });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const night = nightAt(event.target);
    if (!night || event.altKey || event.ctrlKey || event.metaKey) return;
    const { key, shiftKey } = event;
    const next = key.startsWith("Arrow") ? dayAfterKey(night, key) : undefined;
    if (next && shiftKey) setRange({ anchor: range?.head === night ? range.anchor : night, head: next });
    else if (key === " ") setRange({ anchor: night, head: night });
    else if (key.toLowerCase() === "b") onBlock(range ? inOrder(range) : { from: night, to: night }, clear);
    else {
      if (next || key === "Escape") setRange(undefined);
      return;
    }
    event.preventDefault();
  };
  return {
    chosen: range && inOrder(range),
    clear,
    props: {
      ref: root,
      onPointerDown,
      onPointerMove,
      onPointerUp: end,
      onPointerCancel: end,
      onClick,
      onKeyDown,
      // Prevents text selection while dragging. The night still takes the focus.
      onMouseDown: (event: MouseEvent) => {
        const cell = cellAt(event.target);
        if (!cell) return;
        event.preventDefault();
        cell.focus({ preventScroll: true });
      },
      onContextMenu: (event: MouseEvent) => {
        if (press.current?.isTouch) event.preventDefault();
      },
    },
  };
}
