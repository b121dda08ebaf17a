export default function Page() {
  return <h1>Loading</h1>;
}
