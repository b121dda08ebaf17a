export const DownloadIcon = () => (
  <svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" strokeWidth="1.6" aria-hidden>
    <path d="M10 3v10M6 9.5l4 4 4-4M3.5 17h13" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);
