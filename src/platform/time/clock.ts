/** The one source of the present moment. Rules get `now` handed in; nothing else reads the system clock. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

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

/** A clock that runs ahead of the real one by so many milliseconds, never less than before, and can be stopped at an instant. */
export type LeadingClock = Clock & {
  ahead(): number;
  /** Takes over how far another process has moved the clock; a smaller number is an older one and changes nothing. */
  follow(aheadMs: number): void;
  /** Stands still at this instant until `run`: what happens meanwhile happens at that instant. */
  stopAt(instant: Date): void;
  run(): void;
};

export function leadingClock(real: Clock): LeadingClock {
  let ahead = 0;
  let stopped: Date | undefined;
  return {
    now: () => stopped ?? new Date(real.now().getTime() + ahead),
    ahead: () => ahead,
    follow: (aheadMs) => {
      ahead = Math.max(ahead, aheadMs);
    },
    stopAt: (instant) => {
      stopped = instant;
      ahead = Math.max(ahead, instant.getTime() - real.now().getTime());
    },
    run: () => {
      if (stopped) ahead = Math.max(ahead, stopped.getTime() - real.now().getTime());
      stopped = undefined;
    },
  };
}
