type Props = Readonly<{ message: string | undefined; className?: string | undefined }>;

export const ErrorNote = ({ message, className = "note cherry" }: Props) =>
  message ? (
    <p className={className} role="alert">
      {message}
    </p>
  ) : null;
