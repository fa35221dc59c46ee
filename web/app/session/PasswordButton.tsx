import { VisuallyHidden } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { common } from '../i18n/common.ts'
import classes from './PasswordButton.module.css'
import type { SessionUser } from './store.ts'

const PasswordDialog = lazy(async () => ({ default: (await import('./PasswordDialog.tsx')).PasswordDialog }))

/** Whose screen this is, and the way to their password. */
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
      {asked && (
        <Suspense>
          <PasswordDialog user={user} opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
