import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAskEmailLink, useEmailConfirmed, useLookAgain } from '../../../api/accounts/emails.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { configuration } from '../../../configuration.ts'
import { t } from '../../../i18n/security.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import type { SessionUser } from '../../../session/store.ts'
import notice from '../../../ui/Notice.module.css'
import { Card } from './Card.tsx'
import classes from './Email.module.css'

const EmailDialog = dialogOnDemand(async () => (await import('./EmailDialog.tsx')).EmailDialog)

/** Says whether the address is confirmed. Live mode says what for. */
const stateOf = (isConfirmed: boolean): string => {
  if (isConfirmed) return t('email.confirmed')
  const said = t('email.unconfirmed')
  return configuration().poolMode === 'live' ? `${said} ${t('email.unconfirmed.live')}` : said
}

/** Says that a mail is on its way, and where a sandbox keeps it. */
const OnItsWay = ({ said }: { said: string }) => (
  <p className={notice.notice}>
    {said} {configuration().poolMode === 'sandbox' && t('email.sandbox')}
  </p>
)

/** The email address, its confirmation, and the way to change it. */
export const Email = ({ user: { email } }: { user: SessionUser }) => {
  const [asked, setAsked] = useState(false)
  const [opened, setOpened] = useState(false)
  const [next, setNext] = useState<string | null>(null)
  const again = useAskEmailLink(t('email.again.failed'))
  const isConfirmed = useEmailConfirmed(email)
  const isUnconfirmed = isConfirmed === false
  useLookAgain(isUnconfirmed)
  const open = () => {
    setAsked(true)
    setOpened(true)
  }
  return (
    <Card
      id="email"
      title={t('email')}
      text={email}
      action={
        <Button variant="default" onClick={open}>
          {t('email.change')}
        </Button>
      }
    >
      <div className={classes.state}>
        {isConfirmed !== undefined && <p>{stateOf(isConfirmed)}</p>}
        {isUnconfirmed && (
          <Button
            variant="default"
            disabled={again.isPending}
            aria-busy={again.isPending}
            onClick={() => again.mutate()}
          >
            {t('email.again')}
          </Button>
        )}
      </div>
      <div role="status" className={notice.place}>
        {isUnconfirmed && again.isSuccess && <OnItsWay said={t('email.again.sent', { email })} />}
        {next !== null && <OnItsWay said={t('email.asked', { email: next })} />}
      </div>
      {isUnconfirmed && again.isError && (
        <p role="alert" className={notice.notice}>
          {messageOf(again.error, t('email.again.failed'))}
        </p>
      )}
      {asked && <EmailDialog opened={opened} onClose={() => setOpened(false)} onAsked={setNext} />}
    </Card>
  )
}
