/** The player's icons, drawn here because public pages load no icon library. */
const shapes = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M6.5 4.5h4v15h-4zm7 0h4v15h-4z",
  back: "M5 5h2.2v14H5zm14 0v14L8.5 12z",
  forward: "M16.8 5H19v14h-2.2zM5 5v14l10.5-7z",
  sound:
    "M4 9.5h3.5L12 5.5v13l-4.5-4H4zM14.5 8.5a5 5 0 0 1 0 7l1.4 1.4a7 7 0 0 0 0-9.8zm2.9-2.9a9 9 0 0 1 0 12.8l1.4 1.4a11 11 0 0 0 0-15.6z",
  muted:
    "M4 9.5h3.5L12 5.5v13l-4.5-4H4zm10.2.2 1.3-1.3 2.2 2.2 2.2-2.2 1.3 1.3-2.2 2.2 2.2 2.2-1.3 1.3-2.2-2.2-2.2 2.2-1.3-1.3 2.2-2.2z",
  close: "m6.3 4.9 5.7 5.7 5.7-5.7 1.4 1.4-5.7 5.7 5.7 5.7-1.4 1.4-5.7-5.7-5.7 5.7-1.4-1.4 5.7-5.7-5.7-5.7z",
} as const;

export const PlayerIcon = ({ shape }: { shape: keyof typeof shapes }) => (
  <svg viewBox="0 0 24 24" width="20" height="20" fill="currentColor" aria-hidden="true">
    <path d={shapes[shape]} />
  </svg>
);
