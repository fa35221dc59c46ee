import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useForgotPassword } from '../../api/accounts/resets.ts'
import { messageOf } from '../../api/http/errors.ts'
import { configuration } from '../../configuration.ts'
import { t } from '../../i18n/frozen.ts'
import notice from '../../ui/Notice.module.css'

/** Says that the account is frozen, and mails the link that lifts it. */
export const FrozenBanner = ({ email }: { email: string }) => {
  const forgot = useForgotPassword()
  const status = useRef<HTMLDivElement>(null)
  // The pressed button goes.
  useEffect(() => {
    if (forgot.isSuccess) status.current?.focus()
  }, [forgot.isSuccess])
  const isSandbox = configuration().poolMode === 'sandbox'
  return (
    <section className={notice.notice} aria-labelledby="frozen">
      <h2 id="frozen">{t('frozen')}</h2>
      <p>{t('frozen.text')}</p>
      <div role="status" ref={status} tabIndex={-1}>
        {forgot.isSuccess && (
          <p>
            {t('frozen.sent', { email })} {isSandbox && t('frozen.sandbox')}
          </p>
        )}
      </div>
      {forgot.isError && <p role="alert">{messageOf(forgot.error, t('frozen.failed'))}</p>}
      {!forgot.isSuccess && (
        <Button
          disabled={forgot.isPending}
          aria-busy={forgot.isPending}
          onClick={() => forgot.mutate({ email })}
        >
          {t('frozen.lift')}
        </Button>
      )}
    </section>
  )
}
