import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

type Props = { readonly title?: string; readonly children: ReactNode }

/** Says in a form or in its place why something was not done. */
export const Refused = ({ title, children }: Props) => (
  <Alert color="red" role="alert" title={title} icon={<IconAlertCircle aria-hidden />}>
    {children}
  </Alert>
)
