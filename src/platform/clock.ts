/** The one source of the present moment. Rules get `now` handed in; nothing else reads the system clock. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** A clock that can be moved: for tests, and for the demo mode's time travel. */
export type MovableClock = Clock & { moveTo(instant: Date): void; advance(milliseconds: number): void };

/** Makes a clock that runs on from `start`, or from the present, and can be moved. */
export function movableClock(start?: Date): MovableClock {
  let offset = start ? start.getTime() - Date.now() : 0;
  return {
    now: () => new Date(Date.now() + offset),
    moveTo: (instant) => {
      offset = instant.getTime() - Date.now();
    },
    advance: (milliseconds) => {
      offset += milliseconds;
    },
  };
}
