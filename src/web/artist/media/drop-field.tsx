import "@mantine/dropzone/styles.layer.css";
import { Dropzone } from "@mantine/dropzone";
import { ArrowUp } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import styles from "./drop-field.module.css";

type Props = Readonly<{
  label: string;
  hint: string;
  accept: string;
  multiple?: boolean;
  disabled?: boolean;
  invalid?: boolean;
  describedBy?: string | undefined;
  onFiles(files: readonly File[]): void;
  children?: ReactNode;
}>;

export function DropField(props: Props) {
  const { label, hint, accept, multiple = false, disabled = false, invalid = false, describedBy, onFiles } = props;
  const id = useId();
  const open = useRef<() => void>(null);
  return (
    <div className="field">
      <Dropzone
        className={styles.drop}
        onDrop={onFiles}
        openRef={open}
        multiple
        disabled={disabled}
        activateOnClick={false}
        activateOnKeyboard={false}
        inputProps={{
          "aria-label": label,
          "aria-describedby": [`${id}-hint`, describedBy ?? ""].filter(Boolean).join(" "),
          "aria-invalid": invalid || undefined,
          accept,
          multiple,
          disabled,
        }}
      >
        <div className={styles.inner}>
          <ArrowUp size={24} aria-hidden />
          <span>
            <strong id={`${id}-label`}>{label}</strong>
            <small id={`${id}-hint`}>{hint}</small>
          </span>
          <Button
            tone="line"
            size="sm"
            disabled={disabled}
            aria-describedby={`${id}-label`}
            onClick={() => open.current?.()}
          >
            {multiple ? "Choose files" : "Choose file"}
          </Button>
        </div>
      </Dropzone>
      {props.children}
    </div>
  );
}
