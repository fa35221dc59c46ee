import { Button } from '@mantine/core'
import { useAskEmailLink, useEmailConfirmed, useLookAgain } from '../../api/accounts/emails.ts'
import { messageOf } from '../../api/http/errors.ts'
import { configuration } from '../../configuration.ts'
import { t } from '../../i18n/dialogs.ts'
import { useSessionUser } from '../../session/store.ts'
import notice from '../../ui/Notice.module.css'

/** The email that must be confirmed before a withdrawal, or null. A sandbox does not require it. */
export const useUnconfirmed = (): string | null => {
  const user = useSessionUser()
  const isConfirmed = useEmailConfirmed(user?.email) !== false
  return user && !isConfirmed && configuration().poolMode === 'live' ? user.email : null
}

/** Says that the email must be confirmed first, and sends the mail again. */
export const UnconfirmedNotice = ({ email }: { email: string }) => {
  const ask = useAskEmailLink(t('withdraw.unconfirmed.failed'))
  useLookAgain(true)
  return (
    <div className={notice.notice}>
      <p>{t('withdraw.unconfirmed', { email })}</p>
      <div role="status">{ask.isSuccess && <p>{t('withdraw.unconfirmed.sent')}</p>}</div>
      {ask.isError && <p role="alert">{messageOf(ask.error, t('withdraw.unconfirmed.failed'))}</p>}
      <Button
        variant="default"
        disabled={ask.isPending}
        aria-busy={ask.isPending}
        onClick={() => ask.mutate()}
      >
        {t('withdraw.unconfirmed.again')}
      </Button>
    </div>
  )
}
