import styles from "./upload.module.css";

type Props = Readonly<{
  id: string;
  sending: { name: string; part: number } | undefined;
  problems: readonly string[];
}>;

export function UploadStatus({ id, sending, problems }: Props) {
  return (
    <>
      {sending ? (
        <p className={styles.progress}>
          <progress value={sending.part} max={1} aria-label={`Uploading ${sending.name}`} />
          {/* The percentage is not in the status, because a screen reader would read every change. */}
          {sending.part < 1 ? (
            <span className="small" aria-hidden>
              {Math.round(sending.part * 100)}% of {sending.name}
            </span>
          ) : null}
          <span className={sending.part < 1 ? "sr" : "small"} role="status">
            {sending.part < 1 ? `Uploading ${sending.name}` : `Preparing ${sending.name}...`}
          </span>
        </p>
      ) : null}
      {problems.length > 0 ? (
        <div id={`${id}-problem`} className={styles.problems} role="alert">
          {problems.map((problem, at) => (
            <small key={at} className={styles.problem}>
              {problem}
            </small>
          ))}
        </div>
      ) : null}
    </>
  );
}
