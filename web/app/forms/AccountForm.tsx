import { Button, Stack } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'

type Props = {
  /** The alert of a refusal, or nothing. */
  readonly refused: ReactNode
  readonly busy: boolean
  readonly submitLabel: string
  readonly busyLabel: string
  readonly onSubmit: FormEventHandler<HTMLFormElement>
  readonly children: ReactNode
  /** Other ways, below the button. */
  readonly otherwise?: ReactNode
}

/**
 * The form of a page for visitors: the refusal, the fields and one button. Its method keeps the
 * page when the button is pressed before React runs.
 */
export const AccountForm = ({ refused, busy, onSubmit, children, ...props }: Props) => (
  <form method="dialog" onSubmit={onSubmit} noValidate>
    <Stack gap="md">
      {refused}
      {children}
      <Button type="submit" size="md" mt="xs" fullWidth disabled={busy} aria-busy={busy}>
        {busy ? props.busyLabel : props.submitLabel}
      </Button>
      {props.otherwise}
    </Stack>
  </form>
)
