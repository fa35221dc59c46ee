export const handle = { still: true }
export default function Landing() {
  return <h1>Peer Lending Pool</h1>
}
