import { type Credentials, useLogin } from '../../../api/accounts/users.ts'
import type { ApiError } from '../../../api/http/errors.ts'
import { asRecord } from '../../../api/http/reading.ts'
import { AccountForm } from '../../../forms/AccountForm.tsx'
import { t } from '../../../i18n/factors.ts'
import { Refused } from '../../../layout/Refused.tsx'
import { FactorFields } from '../../../panels/factor/FactorFields.tsx'
import { useFactorAnswer } from '../../../panels/factor/useFactorAnswer.ts'
import { signIn } from '../../../session/store.ts'
import classes from './Login.module.css'

type Props = {
  readonly credentials: Credentials
  /** The refusal that asked for the factor. */
  readonly asked: ApiError
  readonly onBack: () => void
}

/** The second step of a sign-in: the same call again, with the answer of a factor. */
export const FactorStep = ({ credentials, asked, onBack }: Props) => {
  const login = useLogin()
  const { kinds, passkey } = asRecord(asked.details) ?? {}
  const answering = useFactorAnswer({
    kinds: Array.isArray(kinds) ? kinds.map(String) : [],
    options: async () => passkey,
    send: async (factor) => signIn((await login.mutateAsync({ ...credentials, factor })).data),
  })
  const { way, busy, error, submit } = answering
  return (
    <AccountForm
      refused={error && <Refused>{error}</Refused>}
      busy={busy}
      submitLabel={t(way === 'PASSKEY' ? 'ask.submit.PASSKEY' : 'ask.submit')}
      busyLabel={t('busy')}
      onSubmit={submit}
      otherwise={
        <button type="button" className={classes.forgot} onClick={onBack}>
          {t('back')}
        </button>
      }
    >
      <h2 className={classes.step}>{t('ask.title')}</h2>
      <FactorFields answering={answering} />
    </AccountForm>
  )
}
