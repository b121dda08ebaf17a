export function FormError({ message }: Readonly<{ message: string | undefined }>) {
  if (!message) return null;
  return (
    <p className="note cherry" role="alert">
      {message}
    </p>
  );
}
