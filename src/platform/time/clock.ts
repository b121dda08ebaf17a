/** The only source of the current time. Rules receive `now` as a parameter. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

export type MovableClock = Clock & { moveTo(instant: Date): void; advance(milliseconds: number): void };

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

/** A clock that is ahead of the real time by a number of milliseconds, never less than before, and can be stopped at an instant. */
export type LeadingClock = Clock & {
  ahead(): number;
  /** Applies the offset of another process. A smaller number is older and is ignored. */
  follow(aheadMs: number): void;
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
