import { ErrorState } from "../../ui/states/states.tsx";

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
