import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { screenFailed } from '@pool/contract/messages'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { messageOf } from '../../api/http/errors.ts'
import { useLogin } from '../../api/users.ts'
import { configuration } from '../../configuration.ts'
import { t } from '../../i18n/account.ts'
import { AuthPage } from '../../layout/AuthPage.tsx'
import { PageHead } from '../../layout/PageHead.tsx'
import { useLateRules } from '../../loading/lateRules.ts'
import { useHydrated } from '../../loading/useHydrated.ts'
import { signIn } from '../../session/store.ts'
import { type Arrival, readArrival } from './arrival.ts'

const loadRules = async () => (await import('./rules.ts')).rules

/** Signs in. The page's guard leads on to the dashboard. */
const LoginForm = ({ email }: { email: string }) => {
  const login = useLogin()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email, password: '' },
    validate: useLateRules(loadRules),
  })
  const submit = form.onSubmit((credentials) => {
    if (!login.isPending) login.mutate(credentials, { onSuccess: ({ data }) => signIn(data) })
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {login.isError && (
          <Alert
            color="red"
            role="alert"
            title={t('login.error')}
            icon={<IconAlertCircle aria-hidden />}
          >
            {messageOf(login.error, screenFailed.login)}
          </Alert>
        )}
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
        <Button
          type="submit"
          size="md"
          mt="xs"
          fullWidth
          disabled={login.isPending}
          aria-busy={login.isPending}
        >
          {login.isPending ? t('login.busy') : t('login.submit')}
        </Button>
      </Stack>
    </form>
  )
}

const Arrived = ({ message }: Arrival) => (
  <Alert color="green" role="status" mb="lg" icon={<IconCircleCheck aria-hidden />}>
    {message}
  </Alert>
)

/** The sign-in page (docs/product.md 3.3). */
export default function Login() {
  const { state } = useLocation()
  // Prerendering knows no navigation state, so it shows only after hydration.
  const arrival = useHydrated() ? readArrival(state) : null
  const { productName } = configuration()
  return (
    <AuthPage
      page="login"
      headline={t('login.headline', { product: productName })}
      subline={t('login.subline')}
      otherwise={
        <>
          {t('login.newHere')} <Link to="/register">{t('login.create')}</Link>
        </>
      }
    >
      <PageHead
        path="/login"
        title={t('login.title', { product: productName })}
        description={t('login.description', { product: productName })}
      />
      {arrival && <Arrived {...arrival} />}
      <LoginForm key={arrival?.email} email={arrival?.email ?? ''} />
    </AuthPage>
  )
}
