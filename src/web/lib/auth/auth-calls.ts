let running = 0;

export const authCallsRunning = (): number => running;

export const countedFetch: typeof fetch = async (input, init) => {
  running += 1;
  try {
    return await fetch(input, init);
  } finally {
    running -= 1;
  }
};
