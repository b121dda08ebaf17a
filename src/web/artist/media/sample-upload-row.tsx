import { ArrowUp, TriangleAlert, X } from "lucide-react";
import { formatBytes } from "../../lib/format/bytes.ts";
import { Button } from "../../ui/button.tsx";
import type { SampleUpload } from "./use-sample-uploads.ts";
import styles from "./samples.module.css";

type Props = Readonly<{ upload: SampleUpload; onDismiss(): void; onChooseAnother(): void }>;

export function UploadRow({ upload, onDismiss, onChooseAnother }: Props) {
  const { name, size, part, secondsLeft, problem } = upload;
  const isSent = part >= 1;
  return (
    <li className={styles.row} data-upload data-failed={problem ? true : undefined}>
      <span className={styles.sign}>
        {problem ? <TriangleAlert size={24} aria-hidden /> : <ArrowUp size={20} aria-hidden />}
      </span>
      <p className={styles.name}>
        <strong>{name}</strong>
        <span className="num">
          {problem ? "not uploaded" : `${Math.round(part * 100)}%, ${formatBytes(size * part)} of ${formatBytes(size)}`}
        </span>
      </p>
      {problem ? (
        <div className={styles.problem}>
          <p role="alert">{problem}</p>
          <Button tone="line" size="sm" onClick={onChooseAnother}>
            Choose another
          </Button>
        </div>
      ) : (
        <p className={styles.progress}>
          <progress value={part} max={1} aria-label={`Uploading ${name}`} />
          <span className="small quiet">
            {isSent ? "Preparing..." : secondsLeft ? `${secondsLeft} seconds left` : ""}
          </span>
        </p>
      )}
      <button
        type="button"
        className={styles.icon}
        aria-label={problem ? `Dismiss ${name}` : `Stop ${name}`}
        onClick={onDismiss}
      >
        <X size={20} aria-hidden />
      </button>
    </li>
  );
}
