import { Alert, Stack } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

/** A message in place of a form. Takes the focus, which was on the form's button. */
export const Done = ({
  title,
  icon,
  children,
}: {
  readonly title: string
  readonly icon: ReactNode
  readonly children: ReactNode
}) => {
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => alert.current?.focus(), [])
  return (
    <Alert ref={alert} tabIndex={-1} color="green" role="status" title={title} icon={icon}>
      <Stack gap="xs">{children}</Stack>
    </Alert>
  )
}
