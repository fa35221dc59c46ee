import { type SetupStep, setupSteps } from '@pool/contract/reports/today'
import { Link } from 'react-router'
import { t } from '../../i18n/setup.ts'
import { acts, pages } from '../../layout/map.ts'
import type { SessionUser } from '../../session/store.ts'
import { Checklist } from '../../ui/Checklist.tsx'

/** The page or the dialog that does each step. */
const ways = {
  wallets: { to: pages.wallets.path, isForAll: true },
  people: { to: acts.invite.path, isForAll: false },
  capital: { to: pages.reconciliation.path, isForAll: true },
  mail: { to: pages.mailbox.path, isForAll: true },
  plan: { to: pages.plans.path, isForAll: false },
} as const satisfies Readonly<Record<SetupStep, object>>

type Props = { readonly undone: readonly (SetupStep | null)[]; readonly user: SessionUser }

/** The steps of an empty pool, until nothing is left. */
export const Setup = ({ undone, user }: Props) => (
  <Checklist
    id="setup"
    title={t('title')}
    done={t('done')}
    steps={setupSteps.map((step) => {
      const { to, isForAll } = ways[step]
      const isMine = isForAll || user.role === 'SUPER_ADMIN'
      return {
        name: step,
        isDone: !undone.includes(step),
        title: t(step),
        text: isMine ? t(`${step}.text`) : `${t(`${step}.text`)} ${t('superAdmin')}`,
        action: isMine && <Link to={to}>{t(`${step}.do`)}</Link>,
      }
    })}
  />
)
