import { VisuallyHidden } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { common } from '../../i18n/common.ts'
import { onDemand } from '../../loading/onDemand.tsx'
import type { SessionUser } from '../../session/store.ts'
import classes from './PasswordButton.module.css'

const PasswordDialog = onDemand(async () => (await import('./PasswordDialog.tsx')).PasswordDialog)

/** The owner of the screen, and the way to change the password. */
export const PasswordButton = ({ user }: { user: SessionUser }) => {
  const [asked, setAsked] = useState(false)
  const [opened, setOpened] = useState(false)
  const open = () => {
    setAsked(true)
    setOpened(true)
  }
  return (
    <>
      <button type="button" className={classes.button} title={user.email} onClick={open}>
        <IconKey size={16} stroke={1.75} aria-hidden />
        <span className={classes.email}>{user.email}</span>
        <VisuallyHidden>{common('password.change')}</VisuallyHidden>
      </button>
      {asked && <PasswordDialog user={user} opened={opened} onClose={() => setOpened(false)} />}
    </>
  )
}
