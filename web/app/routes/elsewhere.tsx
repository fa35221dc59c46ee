import { Navigate } from 'react-router'

/** Any other path leads to the landing page (spec §2). */
export default function Elsewhere() {
  return <Navigate to="/" replace />
}
