import { Alert, Button, PasswordInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { screenFailed, succeeded } from '@pool/contract/messages'
import { IconAlertCircle } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { messageOf } from '../../api/http/errors.ts'
import { useRegister } from '../../api/users.ts'
import { configuration } from '../../configuration.ts'
import { NewPasswordInput, weaknessSaid } from '../../forms/NewPasswordInput.tsx'
import { t } from '../../i18n/account.ts'
import { AuthPage } from '../../layout/AuthPage.tsx'
import { PageHead } from '../../layout/PageHead.tsx'
import { useLateRules } from '../../loading/lateRules.ts'
import type { Arrival } from '../login/arrival.ts'

const loadRules = async () => (await import('./rules.ts')).rules

const RegisterForm = () => {
  const register = useRegister()
  const navigate = useNavigate()
  const checkRules = useLateRules(loadRules)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { firstName: '', lastName: '', email: '', password: '', confirmPassword: '' },
    validate: async (values) => {
      const errors = await checkRules(values)
      return {
        ...errors,
        password: errors.password ?? (await weaknessSaid(values.password, values)),
      }
    },
  })
  const submit = form.onSubmit(({ confirmPassword: _, ...registration }) => {
    if (register.isPending) return
    const arrival: Arrival = {
      message: succeeded.register,
      email: registration.email.trim(),
    }
    register.mutate(registration, { onSuccess: () => void navigate('/login', { state: arrival }) })
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {register.isError && (
          <Alert
            color="red"
            role="alert"
            title={t('register.error')}
            icon={<IconAlertCircle aria-hidden />}
          >
            {messageOf(register.error, screenFailed.register)}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            label={t('firstName')}
            autoComplete="given-name"
            size="md"
            key={form.key('firstName')}
            {...form.getInputProps('firstName')}
          />
          <TextInput
            label={t('lastName')}
            autoComplete="family-name"
            size="md"
            key={form.key('lastName')}
            {...form.getInputProps('lastName')}
          />
        </SimpleGrid>
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="username"
          placeholder={t('emailExample')}
          size="md"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <NewPasswordInput
          label={t('password')}
          autoComplete="new-password"
          size="md"
          owner={form.getValues}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <PasswordInput
          label={t('confirmPassword')}
          autoComplete="new-password"
          size="md"
          key={form.key('confirmPassword')}
          {...form.getInputProps('confirmPassword')}
        />
        <Button
          type="submit"
          size="md"
          mt="xs"
          fullWidth
          disabled={register.isPending}
          aria-busy={register.isPending}
        >
          {register.isPending ? t('register.busy') : t('register.submit')}
        </Button>
      </Stack>
    </form>
  )
}

/** The sign-up page (docs/product.md 3.4). Success leads to the sign-in page. */
export default function Register() {
  const { productName } = configuration()
  return (
    <AuthPage
      page="register"
      headline={t('register.headline', { product: productName })}
      subline={t('register.subline')}
      otherwise={
        <>
          {t('register.already')} <Link to="/login">{t('register.signIn')}</Link>
        </>
      }
    >
      <PageHead
        path="/register"
        title={t('register.title', { product: productName })}
        description={t('register.description', { product: productName })}
      />
      <RegisterForm />
    </AuthPage>
  )
}
