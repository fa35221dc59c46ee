import { Alert, Button, Stack } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ApiError } from '../../api/http/errors.ts'
import { asRecord } from '../../api/http/reading.ts'
import { type Credentials, useLogin } from '../../api/users.ts'
import { t } from '../../i18n/factors.ts'
import { FactorFields } from '../../panels/factor/FactorFields.tsx'
import { useFactorAnswer } from '../../panels/factor/useFactorAnswer.ts'
import { signIn } from '../../session/store.ts'
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
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error && (
          <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
            {error}
          </Alert>
        )}
        <h2 className={classes.step}>{t('ask.title')}</h2>
        <FactorFields answering={answering} />
        <Button type="submit" size="md" mt="xs" fullWidth disabled={busy} aria-busy={busy}>
          {busy ? t('busy') : t(way === 'PASSKEY' ? 'ask.submit.PASSKEY' : 'ask.submit')}
        </Button>
        <button type="button" className={classes.forgot} onClick={onBack}>
          {t('back')}
        </button>
      </Stack>
    </form>
  )
}
