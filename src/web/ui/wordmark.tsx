/** The product's name with its mark: a door ajar. */
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
      <path d="M2 2h19v36H2z" fill="currentColor" />
      <path d="M21 2v36L7 32V8z" fill="var(--lamp)" />
      <path d="M21 38l10 2v-1L21 20z" fill="var(--lamp)" opacity=".6" />
    </svg>
  );
}
