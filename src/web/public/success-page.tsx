export default function Page() {
  return <h1>Stagedoor</h1>;
}
