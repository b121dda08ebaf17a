/** Returns a function that runs at most `atOnce` tasks at a time in this process. Others wait in their order. */
export function makeTurns(atOnce: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < atOnce) running++;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
