import { Navigate } from 'react-router'

/** Any other path leads to the landing page (docs/product.md 3.1). */
export default function Elsewhere() {
  return <Navigate to="/" replace />
}
