import { markPaths } from "#platform/pages/mark.rules.ts";

export function Wordmark({ logo }: { logo?: string | undefined }) {
  return (
    <>
      {logo ? <img src={logo} alt="" height={28} /> : <Mark />}
      Stagedoor
    </>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 40" width="26" height="32" aria-hidden>
      <path d={markPaths.frame} fill="currentColor" />
      <path d={markPaths.panel} fill="var(--lamp)" />
      <path d={markPaths.light} fill="var(--lamp)" opacity=".6" />
    </svg>
  );
}
