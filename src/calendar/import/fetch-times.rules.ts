export const externalLimits = {
  calendars: 10,
  everyMinutes: 15, // between fetches
  freshMinutes: 5, // an older calendar is fetched again before a date is committed
  commitmentMs: 2_000, // the time limit of that fetch
  readingMs: 500, // how long the commitment then waits for what was fetched to be read
  addedAtOnce: 4, // calendars that one artist adds at the same time
  notifyAfterHours: 24, // after the first failure
  absentHours: 24, // until an entry counts as deleted from a file that never has its end
  aheadDays: 732, // of repetitions: as far as a date can be booked
} as const;

/** Hours after which an unchanged calendar is read again, because repetitions come into the range. */
export const readAgainHours = 20;
