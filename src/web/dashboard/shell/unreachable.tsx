import { ErrorState } from "../../ui/states.tsx";

/** Says that the server did not answer, and asks again on request. Nobody is signed out because of it. */
export function ServerUnreachable({ onRetry }: Readonly<{ onRetry(): void }>) {
  return (
    <div style={{ display: "grid", placeItems: "center", minHeight: "70vh" }}>
      <ErrorState
        heading="h1"
        title="The server could not be reached"
        text="You are still signed in. Please check your connection."
        onRetry={onRetry}
      />
    </div>
  );
}
