import { IconSnowflake } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useFreeze } from '../../../api/accounts/ownSessions.ts'
import { t } from '../../../i18n/links.ts'
import { Done } from '../../../layout/Done.tsx'
import { MailedLinkPage } from '../../../panels/mailedLink/MailedLinkPage.tsx'
import { logout, useSessionUser } from '../../../session/store.ts'

/** Freezes an account by the mailed link that opened it (docs/product.md 3.25). */
export default function Freeze() {
  const freeze = useFreeze(t('freeze.failed'))
  const user = useSessionUser()
  const newPassword = <Link to="/forgot">{t('freeze.newPassword')}</Link>
  return (
    <MailedLinkPage
      page="freeze"
      use={freeze}
      // The server has ended every session, also the one of this browser.
      onUsed={() => user && logout()}
      done={() => (
        <Done title={t('freeze.done')} icon={<IconSnowflake aria-hidden />}>
          <span>{t('freeze.done.text')}</span>
          {newPassword}
        </Done>
      )}
      wayOut={newPassword}
    />
  )
}
