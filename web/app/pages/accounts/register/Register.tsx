import { PasswordInput, SimpleGrid, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { screenFailed, succeeded } from '@pool/contract/base/messages'
import { Link, useNavigate } from 'react-router'
import { useRegister } from '../../../api/accounts/users.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { configuration } from '../../../configuration.ts'
import { AccountForm } from '../../../forms/AccountForm.tsx'
import { NewPasswordInput, weaknessSaid } from '../../../forms/NewPasswordInput.tsx'
import { t } from '../../../i18n/account.ts'
import { AuthPage } from '../../../layout/AuthPage.tsx'
import { Refused } from '../../../layout/Refused.tsx'
import { useEarlyEntries } from '../../../loading/earlyEntries.ts'
import { useLateRules } from '../../../loading/lateRules.ts'
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
  useEarlyEntries(form)
  const submit = form.onSubmit(({ confirmPassword: _, ...registration }) => {
    if (register.isPending) return
    const arrival: Arrival = {
      message: succeeded.register,
      email: registration.email.trim(),
    }
    register.mutate(registration, { onSuccess: () => void navigate('/login', { state: arrival }) })
  })
  return (
    <AccountForm
      refused={
        register.isError && (
          <Refused title={t('register.error')}>
            {messageOf(register.error, screenFailed.register)}
          </Refused>
        )
      }
      busy={register.isPending}
      submitLabel={t('register.submit')}
      busyLabel={t('register.busy')}
      onSubmit={submit}
    >
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
        size="md"
        autoComplete="username"
        placeholder={t('emailExample')}
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
    </AccountForm>
  )
}

/** The sign-up page (docs/product.md 3.4). Success leads to the sign-in page. */
export default function Register() {
  const { productName } = configuration()
  return (
    <AuthPage
      path="/register"
      title={t('register.title', { product: productName })}
      description={t('register.description', { product: productName })}
      headline={t('register.headline', { product: productName })}
      subline={t('register.subline')}
      otherwise={
        <>
          {t('register.already')} <Link to="/login">{t('register.signIn')}</Link>
        </>
      }
    >
      <RegisterForm />
    </AuthPage>
  )
}
