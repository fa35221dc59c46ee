import { Navigate, useLocation } from 'react-router'

/** The page of networks has the name that it is called by. Its old address leads there. */
export default function Moved() {
  return <Navigate to={{ ...useLocation(), pathname: '/admin/networks' }} replace />
}
