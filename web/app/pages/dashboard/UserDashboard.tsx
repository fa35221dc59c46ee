import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useOwes } from '../../api/money/owes.ts'
import { invalidateMoney } from '../../api/requests/transactions.ts'
import { configuration } from '../../configuration.ts'
import { common } from '../../i18n/common.ts'
import { t } from '../../i18n/dashboard.ts'
import { AppHeader } from '../../layout/AppHeader.tsx'
import { SiteFooter } from '../../layout/SiteFooter.tsx'
import { MAIN } from '../../layout/SkipLink.tsx'
import { focusSearch, type Shortcut } from '../../layout/shortcuts/shortcuts.ts'
import { useAsked } from '../../layout/useAsked.ts'
import { Later } from '../../loading/Later.tsx'
import { late } from '../../loading/missing.ts'
import { OnceNear } from '../../loading/OnceNear.tsx'
import { dialogOnDemand, onDemand } from '../../loading/onDemand.tsx'
import { AccountMenu } from '../../panels/account/AccountMenu.tsx'
import { PausesBanner } from '../../panels/pauses/PausesBanner.tsx'
import { draftedDialog } from '../../session/drafts.ts'
import { logout, type SessionUser } from '../../session/store.ts'
import { type Action, ActionCards, actions } from './ActionCards.tsx'
import { BalanceCard } from './BalanceCard.tsx'
import { Glance } from './Glance.tsx'
import { InvestmentsList } from './InvestmentsList.tsx'
import { PayoutAddressCard } from './PayoutAddressCard.tsx'
import page from './page.module.css'
import { TransactionsList } from './TransactionsList.tsx'
import { Welcome } from './Welcome.tsx'

// Fetches the forms shortly before their first use.
const importDialogs = () => import('./Dialogs.tsx')
const FrozenBanner = onDemand(
  async () => (await import('../../panels/account/FrozenBanner.tsx')).FrozenBanner,
)
const OwesBanner = onDemand(async () => (await import('./OwesBanner.tsx')).OwesBanner)
const WorksIn = onDemand(async () => (await late(() => import('./WorksIn.tsx'))).WorksIn, {
  missing: () => null,
})
const Inclusion = onDemand(async () => (await late(() => import('./Inclusion.tsx'))).Inclusion, {
  missing: () => null,
})
const Dialogs = dialogOnDemand(async () => (await importDialogs()).Dialogs)

/**
 * The investor's dashboard (docs/product.md 3.5). Each part has its own query, so a response draws
 * only the part that shows it.
 */
export const UserDashboard = ({ user }: { user: SessionUser }) => {
  const client = useQueryClient()
  const owes = useOwes(user.email)
  // A dialog that the last session ended in opens again.
  const [action, setAction] = useState<Action | null>(
    () => actions.find((each) => each === draftedDialog(user.id)) ?? null,
  )
  const [asked, setAsked] = useState(action !== null)
  const open = (chosen: Action) => {
    setAsked(true)
    setAction(chosen)
  }
  useAsked({
    deposit: () => open('deposit'),
    withdraw: () => open('withdraw'),
    invest: () => open('invest'),
  })
  const shortcuts: readonly Shortcut[] = [
    { key: 'd', label: t('action.deposit'), run: () => open('deposit') },
    { key: 'w', label: t('action.withdraw'), run: () => open('withdraw') },
    { key: 'i', label: t('action.invest'), run: () => open('invest') },
    { key: 'r', label: common('shortcuts.refresh'), run: () => void invalidateMoney(client) },
    { key: '/', label: common('shortcuts.search'), run: focusSearch },
  ]
  return (
    <>
      <title>{`${t('title')} · ${configuration().productName}`}</title>
      <AppHeader
        title={t('title')}
        email={user.email}
        account={
          <AccountMenu
            user={user}
            shortcuts={shortcuts}
            onPayoutAddress={() => open('payoutAddress')}
          />
        }
        onLogout={logout}
      />
      <main id={MAIN} tabIndex={-1} className={page.page}>
        <Welcome name={user.firstName} since={user.createdAt}>
          <PausesBanner />
        </Welcome>
        {user.frozen && <FrozenBanner email={user.email} />}
        {owes > 0 && <OwesBanner owes={owes} />}
        <BalanceCard userId={user.id} />
        <ActionCards
          onChoose={open}
          onApproach={() => void importDialogs().catch(() => undefined)}
        />
        <Later>
          <Glance
            userId={user.id}
            onDeposit={() => open('deposit')}
            onInvest={() => open('invest')}
          />
          <TransactionsList />
          <InvestmentsList userId={user.id} />
          <PayoutAddressCard onChange={() => open('payoutAddress')} />
          <OnceNear>
            <WorksIn />
            <Inclusion userId={user.id} />
          </OnceNear>
        </Later>
      </main>
      <SiteFooter variant="reduced" />
      {asked && (
        <Dialogs user={user} action={action} onChoose={open} onClose={() => setAction(null)} />
      )}
    </>
  )
}
