import { IconMailCheck } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { useConfirmEmail } from '../../../api/accounts/emails.ts'
import { t } from '../../../i18n/links.ts'
import { Done } from '../../../layout/Done.tsx'
import { MailedLinkPage } from '../../../panels/mailedLink/MailedLinkPage.tsx'
import { logout, useSessionUser } from '../../../session/store.ts'
import type { Arrival } from '../login/arrival.ts'

/** Confirms or changes an email by the mailed link that opened it (docs/product.md 3.26). */
export default function Confirm() {
  const confirm = useConfirmEmail(t('confirm.failed'))
  const navigate = useNavigate()
  const user = useSessionUser()
  return (
    <MailedLinkPage
      page="confirm"
      use={confirm}
      onUsed={({ email, changed }) => {
        if (!changed) return
        // The server has ended every session, also the one of this browser.
        if (user) logout()
        const arrival: Arrival = { message: t('confirm.changed'), email }
        void navigate('/login', { replace: true, state: arrival })
      }}
      done={({ email }) => (
        <Done title={t('confirm.done')} icon={<IconMailCheck aria-hidden />}>
          <span>{t('confirm.done.text', { email })}</span>
          <Link to="/dashboard">{t('confirm.continue')}</Link>
        </Done>
      )}
      wayOut={<Link to="/security">{t('confirm.security')}</Link>}
    />
  )
}
