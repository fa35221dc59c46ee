import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { FormEvent, ReactNode } from 'react'
import { common } from '../i18n/common.ts'
import classes from './FormDialog.module.css'

type DialogProps = {
  readonly title: string
  readonly opened: boolean
  readonly onClose: () => void
  /** A busy dialog stays open, so that the outcome is seen. */
  readonly busy?: boolean
  readonly children: ReactNode
}

/** The frame of every dialog. Its content mounts again at each opening. */
export const Dialog = ({ title, opened, onClose, busy = false, children }: DialogProps) => (
  <Modal
    opened={opened}
    onClose={() => {
      if (!busy) onClose()
    }}
    title={title}
    centered
    size="md"
    radius="lg"
    classNames={{
      title: classes.title ?? '',
      header: classes.header ?? '',
      body: classes.body ?? '',
    }}
    closeButtonProps={{ 'aria-label': common('close'), disabled: busy }}
    overlayProps={{ backgroundOpacity: 0.5, blur: 3 }}
    transitionProps={{ transition: 'fade-up', duration: 160 }}
  >
    {children}
  </Modal>
)

type FormProps = {
  readonly submitLabel: string
  readonly busyLabel: string
  readonly busy: boolean
  /** The sentence of the server, or null. Required, so that no form forgets it. */
  readonly error: string | null
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  readonly onCancel: () => void
  readonly children: ReactNode
}

/** The form in a dialog: fields, the server's sentence, Cancel and submit. */
export const DialogForm = ({
  submitLabel,
  busyLabel,
  busy,
  error,
  onSubmit,
  onCancel,
  children,
}: FormProps) => (
  <form onSubmit={onSubmit} noValidate>
    <Stack gap="md">
      {children}
      {error && (
        <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
          {error}
        </Alert>
      )}
      <Group justify="flex-end" gap="sm" mt="xs">
        <Button variant="default" onClick={onCancel} disabled={busy}>
          {common('cancel')}
        </Button>
        <Button type="submit" aria-busy={busy} disabled={busy}>
          {busy ? busyLabel : submitLabel}
        </Button>
      </Group>
    </Stack>
  </form>
)
