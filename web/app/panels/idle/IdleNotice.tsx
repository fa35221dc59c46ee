import {
  Button,
  CloseButton,
  Group,
  Paper,
  Portal,
  Progress,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core'
import { IDLE_WARNING_MS } from '@pool/contract/accounts/session'
import { useId } from 'react'
import { common } from '../../i18n/common.ts'
import { WARNING_ATTRIBUTE } from '../../session/idle.ts'
import classes from './IdleNotice.module.css'

/** The seconds that a screen reader announces; each second would be too much. */
const spokenAt = [IDLE_WARNING_MS / 1000, 10]

export type IdleNoticeProps = {
  /** Seconds until the logout. */
  readonly left: number
  readonly onStay: () => void
  readonly onLogout: () => void
}

/** The content of the idle warning. Closing it counts as activity. */
export const IdleNotice = ({ left, onStay, onLogout }: IdleNoticeProps) => {
  const titleId = useId()
  const spoken = spokenAt.findLast((seconds) => left <= seconds)
  return (
    <Portal>
      <Paper
        {...{ [WARNING_ATTRIBUTE]: true }}
        component="section"
        role="alertdialog"
        aria-labelledby={titleId}
        className={classes.warning}
        shadow="xl"
        radius="md"
        withBorder
        p="md"
      >
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
          <Title order={2} size="h5" id={titleId}>
            {common('idle.title')}
          </Title>
          <CloseButton size="sm" aria-label={common('close')} onClick={onStay} />
        </Group>
        <Text size="sm" mt={4} role="timer" aria-live="off">
          {common('idle.left', { seconds: left })}
        </Text>
        <VisuallyHidden role="alert">
          {common('idle.spoken', { seconds: spoken ?? left })}
        </VisuallyHidden>
        <Progress
          value={(left * 100_000) / IDLE_WARNING_MS}
          color="orange"
          size="xs"
          my="sm"
          aria-hidden
        />
        <Group gap="sm" grow>
          <Button size="sm" onClick={onStay}>
            {common('idle.stay')}
          </Button>
          <Button size="sm" variant="default" onClick={onLogout}>
            {common('idle.logout')}
          </Button>
        </Group>
      </Paper>
    </Portal>
  )
}
