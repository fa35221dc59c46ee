import type { ReactNode } from 'react'
import { Link } from 'react-router'

type Props = { readonly id: string | null; readonly children: ReactNode }

/** A name that leads to the page of its person. */
export const PersonLink = ({ id, children }: Props) =>
  id ? <Link to={`/admin/users/${id}`}>{children}</Link> : children
