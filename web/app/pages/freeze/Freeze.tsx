import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertCircle, IconSnowflake } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { messageOf } from '../../api/http/errors.ts'
import { useFreeze } from '../../api/ownSessions.ts'
import { configuration } from '../../configuration.ts'
import { t } from '../../i18n/links.ts'
import { AuthPage } from '../../layout/AuthPage.tsx'
import { Done } from '../../layout/Done.tsx'
import { PageHead } from '../../layout/PageHead.tsx'
import { useHydrated } from '../../loading/useHydrated.ts'
import { logout, useSessionUser } from '../../session/store.ts'

const Refused = ({ message }: { message: string }) => (
  <Alert color="red" role="alert" title={t('freeze.error')} icon={<IconAlertCircle aria-hidden />}>
    {message} <Link to="/forgot">{t('freeze.newPassword')}</Link>
  </Alert>
)

const Frozen = () => (
  <Done title={t('freeze.done')} icon={<IconSnowflake aria-hidden />}>
    <span>{t('freeze.done.text')}</span>
    <Link to="/forgot">{t('freeze.newPassword')}</Link>
  </Done>
)

/** A mail scanner opens the page, but presses no button. */
const FreezeForm = ({ token }: { token: string }) => {
  const freeze = useFreeze(t('freeze.failed'))
  const user = useSessionUser()
  if (freeze.isSuccess) return <Frozen />
  const press = () => {
    if (freeze.isPending) return
    freeze.mutate(token, {
      // The server has ended every session, also the one of this browser.
      onSuccess: () => user && logout(),
    })
  }
  return (
    <Stack gap="md">
      {freeze.isError && <Refused message={messageOf(freeze.error, t('freeze.failed'))} />}
      <Text>{t('freeze.text')}</Text>
      <Button
        size="md"
        fullWidth
        // A disabled button would lose the focus.
        aria-busy={freeze.isPending}
        {...(freeze.isPending && { 'aria-disabled': true, 'data-disabled': true })}
        onClick={press}
      >
        {freeze.isPending ? t('freeze.busy') : t('freeze.submit')}
      </Button>
    </Stack>
  )
}

/** Freezes an account by the mailed link that opened it (docs/product.md 3.25). */
export default function Freeze() {
  const { productName } = configuration()
  const { hash } = useLocation()
  // Prerendering knows no hash, so a missing one shows only after hydration.
  const isHydrated = useHydrated()
  const token = hash.slice(1)
  return (
    <AuthPage
      page="register"
      headline={t('freeze.headline')}
      subline={t('freeze.subline')}
      otherwise={<Link to="/login">{t('back')}</Link>}
    >
      <PageHead
        path="/freeze"
        title={t('freeze.title', { product: productName })}
        description={t('freeze.description', { product: productName })}
      />
      {isHydrated && token === '' ? (
        <Refused message={t('noLink')} />
      ) : (
        <FreezeForm token={token} />
      )}
    </AuthPage>
  )
}
