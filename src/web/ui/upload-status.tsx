import styles from "./upload.module.css";

type Props = Readonly<{ id: string; sending: { name: string; part: number } | undefined; problem: string | undefined }>;

export function UploadStatus({ id, sending, problem }: Props) {
  return (
    <>
      {sending ? (
        <p className={styles.progress} role="status">
          <progress value={sending.part} max={1} aria-label={`Uploading ${sending.name}`} />
          <span className="small">
            {sending.part < 1
              ? `${Math.round(sending.part * 100)}% of ${sending.name}`
              : `Preparing ${sending.name}...`}
          </span>
        </p>
      ) : null}
      {problem ? (
        <small id={`${id}-problem`} className={styles.problem} role="alert">
          {problem}
        </small>
      ) : null}
    </>
  );
}
