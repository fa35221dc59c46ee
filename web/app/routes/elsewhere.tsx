import { Navigate } from 'react-router'

/** Other paths lead to the landing page (docs/product.md 3.1). */
export default function Elsewhere() {
  return <Navigate to="/" replace />
}
