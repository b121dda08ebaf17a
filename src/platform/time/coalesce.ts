/** Runs `work` immediately, and for all further calls within `pauseMs` once more at the end of the pause. `cancel` drops a waiting call. */
export function coalesce(work: () => void, pauseMs: number): (() => void) & { cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  let waiting = false;
  const pauseOver = () => {
    timer = undefined;
    if (waiting) call();
  };
  const call = () => {
    if (timer) {
      waiting = true;
      return;
    }
    waiting = false;
    timer = setTimeout(pauseOver, pauseMs).unref();
    work();
  };
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
    waiting = false;
  };
  return Object.assign(call, { cancel });
}
