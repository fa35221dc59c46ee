import { Button, CloseButton, Group, Paper, Portal, Progress, Text, Title, VisuallyHidden } from '@mantine/core'
import { IDLE_WARNING_MS } from '@pool/contract/session'
import { useId } from 'react'
import { common } from '../i18n/common.ts'
import classes from './IdleWarning.module.css'
import { useIdleClock, WARNING_ATTRIBUTE } from './idle.ts'
import { logout } from './store.ts'

/** The seconds at which a screen reader is told; every second would drown everything else. */
const spokenAt = [IDLE_WARNING_MS / 1000, 10]

/** The idle-timeout warning (spec §2): counts down, and logs out at zero. Closing it is activity, so it stays logged in. */
export const IdleWarning = () => {
  const { left, stay } = useIdleClock(logout)
  const titleId = useId()
  if (left === null || left === 0) return null
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
          <CloseButton size="sm" aria-label={common('close')} onClick={stay} />
        </Group>
        <Text size="sm" mt={4} role="timer" aria-live="off">
          {common('idle.left', { seconds: left })}
        </Text>
        <VisuallyHidden role="alert">{common('idle.spoken', { seconds: spoken ?? left })}</VisuallyHidden>
        <Progress value={(left * 100_000) / IDLE_WARNING_MS} color="orange" size="xs" my="sm" aria-hidden />
        <Group gap="sm" grow>
          <Button size="sm" onClick={stay}>
            {common('idle.stay')}
          </Button>
          <Button size="sm" variant="default" onClick={logout}>
            {common('idle.logout')}
          </Button>
        </Group>
      </Paper>
    </Portal>
  )
}
