import { Alert, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IDLE_LOGOUT_MS } from '@pool/contract/accounts/session'
import { screenFailed } from '@pool/contract/base/messages'
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useLogin } from '../../../api/accounts/users.ts'
import { ApiError, messageOf } from '../../../api/http/errors.ts'
import { configuration } from '../../../configuration.ts'
import { AccountForm } from '../../../forms/AccountForm.tsx'
import { t } from '../../../i18n/account.ts'
import { AuthPage } from '../../../layout/AuthPage.tsx'
import { Refused } from '../../../layout/Refused.tsx'
import { useEarlyEntries } from '../../../loading/earlyEntries.ts'
import { useLateRules } from '../../../loading/lateRules.ts'
import { late } from '../../../loading/missing.ts'
import { onDemand } from '../../../loading/onDemand.tsx'
import { useHydrated } from '../../../loading/useHydrated.ts'
import type { Ending } from '../../../session/ending.ts'
import { signIn, useSession } from '../../../session/store.ts'
import { isStorageKept } from '../../../storage.ts'
import { type Arrival, readArrival } from './arrival.ts'
import classes from './Login.module.css'

const FactorStep = onDemand(async () => (await import('./FactorStep.tsx')).FactorStep)

const loadRules = async () => (await import('./rules.ts')).rules

/** Signs in by a passkey alone. Its code comes with the first use. */
const usePasskey = () =>
  useMutation({
    mutationFn: async () =>
      (await late(() => import('../../../api/accounts/factors.ts'))).signInByPasskey(),
    onSuccess: signIn,
  })

/** Signs in. The page's guard leads on to the dashboard. */
const LoginForm = ({ email }: { email: string }) => {
  const login = useLogin()
  const passkey = usePasskey()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email, password: '' },
    validate: useLateRules(loadRules),
  })
  useEarlyEntries(form)
  const { getValues, setFieldValue } = form
  // A loaded page knows the email of its arrival only now, and keeps what was typed before.
  useEffect(() => {
    if (email && !getValues().email) setFieldValue('email', email)
  }, [email, getValues, setFieldValue])
  const submit = form.onSubmit((credentials) => {
    passkey.reset()
    if (!login.isPending) login.mutate(credentials, { onSuccess: ({ data }) => signIn(data) })
  })
  const { error, variables } = login
  if (variables && error instanceof ApiError && error.code === 'factorRequired')
    return <FactorStep credentials={variables} asked={error} onBack={() => login.reset()} />
  const failed = passkey.error ?? error
  return (
    <AccountForm
      refused={
        failed && (
          <Refused title={t('login.error')}>{messageOf(failed, screenFailed.login)}</Refused>
        )
      }
      busy={login.isPending}
      submitLabel={t('login.submit')}
      busyLabel={t('login.busy')}
      onSubmit={submit}
      otherwise={
        <>
          <Link to="/forgot" className={classes.forgot}>
            {t('login.forgot')}
          </Link>
          <button type="button" className={classes.forgot} onClick={() => passkey.mutate()}>
            {t('login.passkey')}
          </button>
        </>
      }
    >
      <TextInput
        label={t('email')}
        type="email"
        size="md"
        autoComplete="username"
        placeholder={t('emailExample')}
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label={t('password')}
        size="md"
        autoComplete="current-password"
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
    </AccountForm>
  )
}

const Arrived = ({ message }: Arrival) => (
  <Alert color="green" role="status" mb="lg" icon={<IconCircleCheck aria-hidden />}>
    {message}
  </Alert>
)

const Ended = ({ why, said }: Ending) => (
  <Alert color="yellow" role="status" mb="lg" icon={<IconInfoCircle aria-hidden />}>
    {why === 'refused' && said ? said : t(`ended.${why}`, { minutes: IDLE_LOGOUT_MS / 60_000 })}
  </Alert>
)

/** Said before the sign-in, since a reload is too late to learn it. */
const NotKept = () => {
  const [isKept] = useState(isStorageKept)
  return (
    !isKept && (
      <Alert color="yellow" role="status" mb="lg" icon={<IconInfoCircle aria-hidden />}>
        {t('login.notKept')}
      </Alert>
    )
  )
}

/** The sign-in page (docs/product.md 3.3). */
export default function Login() {
  const { state } = useLocation()
  // Prerendering knows no navigation state, so it shows only after hydration.
  const isHydrated = useHydrated()
  const arrival = isHydrated ? readArrival(state) : null
  const session = useSession()
  const ending = session.status === 'out' && !arrival ? session.ending : null
  const { productName } = configuration()
  return (
    <AuthPage
      path="/login"
      title={t('login.title', { product: productName })}
      description={t('login.description', { product: productName })}
      headline={t('login.headline', { product: productName })}
      subline={t('login.subline')}
      otherwise={
        <>
          {t('login.newHere')} <Link to="/register">{t('login.create')}</Link>
        </>
      }
    >
      {arrival && <Arrived {...arrival} />}
      {ending && <Ended {...ending} />}
      {isHydrated && <NotKept />}
      <LoginForm email={arrival?.email ?? ''} />
    </AuthPage>
  )
}
