import { Button } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../i18n/security.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import type { SessionUser } from '../../../session/store.ts'
import { Card } from './Card.tsx'

const PasswordDialog = dialogOnDemand(
  async () => (await import('./PasswordDialog.tsx')).PasswordDialog,
)

/** The password, and the way to change it. */
export const Password = ({ user }: { user: SessionUser }) => {
  const [asked, setAsked] = useState(false)
  const [opened, setOpened] = useState(false)
  const open = () => {
    setAsked(true)
    setOpened(true)
  }
  return (
    <Card
      id="password"
      title={t('password')}
      text={t('password.text')}
      action={
        <Button variant="default" onClick={open}>
          {t('password.change')}
        </Button>
      }
    >
      {asked && <PasswordDialog user={user} opened={opened} onClose={() => setOpened(false)} />}
    </Card>
  )
}
