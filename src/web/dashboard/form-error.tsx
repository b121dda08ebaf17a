/** Why a form was refused, when that belongs to none of its fields. */
export function FormError({ message }: Readonly<{ message: string | undefined }>) {
  if (!message) return null;
  return (
    <p className="note cherry" role="alert">
      {message}
    </p>
  );
}
