/** Stays at the form after its toast, which is the announced alert. */
export const LostRequest = ({ message }: Readonly<{ message: string | undefined }>) =>
  message ? <p className="note cherry">{message}</p> : null;
