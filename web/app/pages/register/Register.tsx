import { Alert, Button, PasswordInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { screenFailed, succeeded, validation } from '@pool/contract/messages'
import { emailSchema, firstNameSchema, lastNameSchema, passwordSchema } from '@pool/contract/users'
import { IconAlertCircle } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { messageOf } from '../../api/errors.ts'
import { useRegister } from '../../api/users.ts'
import { configuration } from '../../configuration.ts'
import { AuthPage } from '../../ui/AuthPage.tsx'
import { rule } from '../../ui/rule.ts'
import type { Arrival } from '../login/arrival.ts'

const confirmsPassword = (confirmPassword: string, { password }: { password: string }): string | null => {
  if (!confirmPassword) return validation.confirmPasswordRequired
  return confirmPassword === password ? null : validation.passwordsMustMatch
}

const RegisterForm = () => {
  const register = useRegister()
  const navigate = useNavigate()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { firstName: '', lastName: '', email: '', password: '', confirmPassword: '' },
    validate: {
      firstName: rule(firstNameSchema),
      lastName: rule(lastNameSchema),
      email: rule(emailSchema),
      password: rule(passwordSchema),
      confirmPassword: confirmsPassword,
    },
  })
  const submit = form.onSubmit(({ confirmPassword: _, ...registration }) => {
    if (register.isPending) return
    const arrival: Arrival = { message: succeeded.register, email: registration.email.trim() }
    register.mutate(registration, { onSuccess: () => void navigate('/login', { state: arrival }) })
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {register.isError && (
          <Alert color="red" role="alert" title="Registration Error" icon={<IconAlertCircle aria-hidden />}>
            {messageOf(register.error, screenFailed.register)}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            label="First name"
            autoComplete="given-name"
            size="md"
            key={form.key('firstName')}
            {...form.getInputProps('firstName')}
          />
          <TextInput
            label="Last name"
            autoComplete="family-name"
            size="md"
            key={form.key('lastName')}
            {...form.getInputProps('lastName')}
          />
        </SimpleGrid>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          placeholder="you@example.com"
          size="md"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="new-password"
          size="md"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <PasswordInput
          label="Confirm password"
          autoComplete="new-password"
          size="md"
          key={form.key('confirmPassword')}
          {...form.getInputProps('confirmPassword')}
        />
        <Button type="submit" size="md" mt="xs" fullWidth disabled={register.isPending} aria-busy={register.isPending}>
          {register.isPending ? 'Creating account...' : 'Create Account'}
        </Button>
      </Stack>
    </form>
  )
}

/** The sign-up page (spec §2). It does not sign in: success leads to the sign-in page. */
export default function Register() {
  const { productName } = configuration()
  return (
    <AuthPage
      page="register"
      headline={`Join ${productName}`}
      subline="Create your account to start investing"
      otherwise={
        <>
          Already have an account? <Link to="/login">Sign in</Link>
        </>
      }
    >
      <title>{`Create an account · ${productName}`}</title>
      <RegisterForm />
    </AuthPage>
  )
}
