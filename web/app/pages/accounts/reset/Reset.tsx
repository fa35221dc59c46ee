import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { callFailed } from '@pool/contract/base/messages'
import { Link, useLocation, useNavigate } from 'react-router'
import { useResetPassword } from '../../../api/accounts/resets.ts'
import { fieldOf, messageOf } from '../../../api/http/errors.ts'
import { configuration } from '../../../configuration.ts'
import { AccountForm } from '../../../forms/AccountForm.tsx'
import { NewPasswordInput, weaknessSaid } from '../../../forms/NewPasswordInput.tsx'
import { t } from '../../../i18n/account.ts'
import { AuthPage } from '../../../layout/AuthPage.tsx'
import { Refused } from '../../../layout/Refused.tsx'
import { useEarlyEntries } from '../../../loading/earlyEntries.ts'
import { useLateRules } from '../../../loading/lateRules.ts'
import { useHydrated } from '../../../loading/useHydrated.ts'
import { LinkCode } from '../../../panels/mailedLink/LinkCode.tsx'
import { logout, useSessionUser } from '../../../session/store.ts'
import type { Arrival } from '../login/arrival.ts'

const loadRules = async () => (await import('./rules.ts')).rules
/** The owner is not known before the server has read the link. The server judges again. */
const nobody = () => ({ email: '' })

type Kind = 'reset' | 'invited'

const NotReset = ({ message, kind }: { message: string; kind: Kind }) => (
  <Refused title={t(`${kind}.error`)}>
    {message} {kind === 'reset' && <Link to="/forgot">{t('reset.again')}</Link>}
  </Refused>
)

const ResetForm = ({ token, kind }: { token: string; kind: Kind }) => {
  const reset = useResetPassword()
  const navigate = useNavigate()
  const user = useSessionUser()
  const checkRules = useLateRules(loadRules)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { newPassword: '', confirmPassword: '' },
    validate: async (values) => {
      const errors = await checkRules(values)
      return {
        ...errors,
        newPassword: errors.newPassword ?? (await weaknessSaid(values.newPassword, nobody())),
      }
    },
  })
  useEarlyEntries(form)
  const said = reset.isError ? messageOf(reset.error, callFailed.changePassword) : null
  const isAboutPassword = fieldOf(reset.error) === 'newPassword'
  const submit = form.onSubmit(({ newPassword }) => {
    if (reset.isPending) return
    const arrival: Arrival = { message: t(`${kind}.done`), email: '' }
    reset.mutate(
      { token, newPassword, isInvited: kind === 'invited' },
      {
        onSuccess: () => {
          // The server has ended every session, also the one of this browser.
          if (user) logout()
          void navigate('/login', { replace: true, state: arrival })
        },
      },
    )
  })
  const password = form.getInputProps('newPassword')
  return (
    <AccountForm
      refused={said && !isAboutPassword && <NotReset message={said} kind={kind} />}
      busy={reset.isPending}
      submitLabel={t(`${kind}.submit`)}
      busyLabel={t('reset.busy')}
      onSubmit={submit}
    >
      <NewPasswordInput
        label={t('password.newPassword')}
        autoComplete="new-password"
        size="md"
        owner={nobody}
        key={form.key('newPassword')}
        {...password}
        error={password.error ?? (isAboutPassword ? said : null)}
      />
      <PasswordInput
        label={t('password.confirmPassword')}
        autoComplete="new-password"
        size="md"
        key={form.key('confirmPassword')}
        {...form.getInputProps('confirmPassword')}
      />
    </AccountForm>
  )
}

/** Sets a password by the mailed link that opened it (docs/product.md 3.22, 3.32). */
export default function Reset() {
  const { productName } = configuration()
  const { hash, search } = useLocation()
  // Prerendering knows neither hash nor query, so they show only after hydration.
  const isHydrated = useHydrated()
  const kind = isHydrated && search === '?invite' ? 'invited' : 'reset'
  const token = hash.slice(1)
  return (
    <AuthPage
      path="/reset"
      title={t('reset.title', { product: productName })}
      description={t('forgot.description', { product: productName })}
      headline={t(`${kind}.headline`)}
      subline={t(`${kind}.subline`)}
      otherwise={<Link to="/login">{t('forgot.back')}</Link>}
    >
      {isHydrated && token === '' ? <LinkCode /> : <ResetForm token={token} kind={kind} />}
    </AuthPage>
  )
}
