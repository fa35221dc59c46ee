import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertCircle, IconMailCheck } from '@tabler/icons-react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useConfirmEmail } from '../../api/emails.ts'
import { messageOf } from '../../api/http/errors.ts'
import { configuration } from '../../configuration.ts'
import { t } from '../../i18n/links.ts'
import { AuthPage } from '../../layout/AuthPage.tsx'
import { Done } from '../../layout/Done.tsx'
import { PageHead } from '../../layout/PageHead.tsx'
import { useHydrated } from '../../loading/useHydrated.ts'
import { logout, useSessionUser } from '../../session/store.ts'
import type { Arrival } from '../login/arrival.ts'

const Refused = ({ message }: { message: string }) => (
  <Alert color="red" role="alert" title={t('confirm.error')} icon={<IconAlertCircle aria-hidden />}>
    {message} <Link to="/security">{t('confirm.security')}</Link>
  </Alert>
)

const Confirmed = ({ email }: { email: string }) => (
  <Done title={t('confirm.done')} icon={<IconMailCheck aria-hidden />}>
    <span>{t('confirm.done.text', { email })}</span>
    <Link to="/dashboard">{t('confirm.continue')}</Link>
  </Done>
)

/** A mail scanner opens the page, but presses no button. */
const ConfirmForm = ({ token }: { token: string }) => {
  const confirm = useConfirmEmail(t('confirm.failed'))
  const navigate = useNavigate()
  const user = useSessionUser()
  if (confirm.isSuccess) return <Confirmed email={confirm.data.email} />
  const press = () => {
    if (confirm.isPending) return
    confirm.mutate(token, {
      onSuccess: ({ email, changed }) => {
        if (!changed) return
        // The server has ended every session, also the one of this browser.
        if (user) logout()
        const arrival: Arrival = { message: t('confirm.changed'), email }
        void navigate('/login', { replace: true, state: arrival })
      },
    })
  }
  return (
    <Stack gap="md">
      {confirm.isError && <Refused message={messageOf(confirm.error, t('confirm.failed'))} />}
      <Text>{t('confirm.text')}</Text>
      <Button
        size="md"
        fullWidth
        // A disabled button would lose the focus.
        aria-busy={confirm.isPending}
        {...(confirm.isPending && { 'aria-disabled': true, 'data-disabled': true })}
        onClick={press}
      >
        {confirm.isPending ? t('confirm.busy') : t('confirm.submit')}
      </Button>
    </Stack>
  )
}

/** Confirms or changes an email by the mailed link that opened it (docs/product.md 3.26). */
export default function Confirm() {
  const { productName } = configuration()
  const { hash } = useLocation()
  // Prerendering knows no hash, so a missing one shows only after hydration.
  const isHydrated = useHydrated()
  const token = hash.slice(1)
  return (
    <AuthPage
      page="register"
      headline={t('confirm.headline')}
      subline={t('confirm.subline')}
      otherwise={<Link to="/login">{t('back')}</Link>}
    >
      <PageHead
        path="/confirm"
        title={t('confirm.title', { product: productName })}
        description={t('confirm.description', { product: productName })}
      />
      {isHydrated && token === '' ? (
        <Refused message={t('noLink')} />
      ) : (
        <ConfirmForm token={token} />
      )}
    </AuthPage>
  )
}
