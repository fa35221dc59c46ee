import { Button } from '@mantine/core'
import { IconHistory, IconPlayerPause, IconRefresh } from '@tabler/icons-react'
import { memo, useDeferredValue, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useCounts } from '../../api/reports/counts.ts'
import { configuration } from '../../configuration.ts'
import { t } from '../../i18n/admin.ts'
import { common } from '../../i18n/common.ts'
import { AppFrame } from '../../layout/AppFrame.tsx'
import { AppHeader } from '../../layout/AppHeader.tsx'
import { Shape } from '../../layout/Shape.tsx'
import { SiteFooter } from '../../layout/SiteFooter.tsx'
import { MAIN } from '../../layout/SkipLink.tsx'
import { focusSearch } from '../../layout/shortcuts/shortcuts.ts'
import { useAsked } from '../../layout/useAsked.ts'
import { Unplaced } from '../../loading/Later.tsx'
import { dialogOnDemand, onDemand } from '../../loading/onDemand.tsx'
import { AccountMenu } from '../../panels/account/AccountMenu.tsx'
import { PausesBanner } from '../../panels/pauses/PausesBanner.tsx'
import { StoppedJobs } from '../../panels/stoppedJobs/StoppedJobs.tsx'
import { logout, type SessionUser, seesAccounts, useSession } from '../../session/store.ts'
import { Loads } from '../../tables/held.ts'
import classes from './AdminDashboard.module.css'
import { useProposalRows } from './proposals/useProposalRows.ts'
import { type LatestQueue, queueShortcuts } from './queue/keys.ts'
import type { PanelActions } from './queue/parts.ts'
import { Queue } from './queue/Queue.tsx'
import { useQueue } from './queue/useQueue.ts'
import { type Queued, queueParts } from './queueParts.tsx'
import { type LocalDecisions, useLocalDecisions } from './records/useLocalDecisions.ts'
import { useRequests } from './requests/useRequests.ts'
import { useTotals } from './tabs/totals.ts'
import { useRefresh } from './useRefresh.ts'
import { useWaitingTitle } from './useWaitingTitle.ts'

const PausesDialog = dialogOnDemand(
  async () => (await import('../../panels/pauses/PausesDialog.tsx')).PausesDialog,
)
const Setup = onDemand(async () => (await import('./Setup.tsx')).Setup, {
  waiting: () => <div className={classes.setup} />,
})
const Records = onDemand(async () => (await import('./records/Records.tsx')).Records, {
  waiting: () => <Unplaced />,
})

/** Opens the pauses, for super admins only. */
const Pauses = () => {
  const [opened, setOpened] = useState<boolean | null>(null)
  useAsked({ pauses: () => setOpened(true) })
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlayerPause size={16} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {t('pauses')}
      </Button>
      {opened !== null && <PausesDialog opened={opened} onClose={() => setOpened(false)} />}
    </>
  )
}

const Welcome = ({ name = null }: { name?: string | null }) => (
  <h2 className={classes.welcome}>{name ? t('welcome.named', { name }) : t('welcome')}</h2>
)

/** The page before the session is known. */
const Frame = () => (
  <AppFrame of="staff" title={t('title')}>
    <main className={classes.main}>
      <div className={classes.head}>
        <Welcome />
      </div>
      <Shape of="staff" />
    </main>
  </AppFrame>
)

/** The time in milliseconds after which the rest of the page does not wait for the queue. */
const QUEUE_TIMEOUT_MS = 1_000

/** True once the height of the queue is known, or after a while, so that it moves nothing. */
const useIsPlaced = (isKnown: boolean): boolean => {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), QUEUE_TIMEOUT_MS)
    return () => clearTimeout(timer)
  }, [])
  return isKnown || late
}

type WorkProps = {
  readonly user: SessionUser
  readonly latest: LatestQueue
  readonly decisions: LocalDecisions
  readonly seesUsers: boolean
}

/** The queue first, then the figures, the records and the charts. Its changes draw nothing else. */
const Work = ({ user, latest, decisions, seesUsers }: WorkProps) => {
  const { list, filtering } = useRequests()
  const proposals = useProposalRows(seesUsers)
  // The filters are those of requests.
  const queue = useQueue<Queued>(filtering.state.isFiltered ? [list] : [list, proposals])
  latest.queue.current = queue
  const { data: waiting = 0 } = useTotals.pendingTransactions()
  useWaitingTitle(waiting, titleOfPage())
  const { data: counts } = useCounts(true)
  const undone = user.role === 'AUDITOR' ? [] : (counts?.undone ?? [])
  const isPlaced = useIsPlaced(queue.isKnown && counts !== undefined)
  return (
    <>
      <Queue queue={queue} parts={queueParts} filtering={filtering} actions={latest.actions} />
      {undone.length > 0 && (
        <div className={classes.setup}>
          <Setup undone={undone} user={user} />
        </div>
      )}
      {isPlaced ? <Records decisions={decisions} seesUsers={seesUsers} /> : <Unplaced />}
    </>
  )
}

/**
 * The admin dashboard (docs/product.md 3.10). The server decides about each call; `user.role` only
 * chooses what is drawn.
 */
const Dashboard = memo(({ user }: { user: SessionUser }) => {
  const { refresh, refreshing, loads } = useRefresh()
  const decisions = useLocalDecisions()
  const latest = {
    queue: useRef<ReturnType<typeof useQueue>>(null),
    actions: useRef<PanelActions>(null),
  }
  const [shortcuts] = useState(() => [
    ...queueShortcuts(latest, user.role !== 'AUDITOR'),
    { key: '/', label: common('shortcuts.search'), run: focusSearch },
  ])
  const seesUsers = seesAccounts(user)
  const refreshAll = () => {
    decisions.forget()
    void refresh()
  }
  return (
    <Loads value={loads}>
      <AppHeader
        title={t('title')}
        email={user.email}
        account={<AccountMenu user={user} shortcuts={shortcuts} />}
        onLogout={logout}
      />
      <main id={MAIN} tabIndex={-1} className={classes.main}>
        <div className={classes.parts}>
          <div className={classes.head}>
            <Welcome name={user.firstName} />
            <div className={classes.actions}>
              {user.role === 'SUPER_ADMIN' && <Pauses />}
              <Button
                variant="default"
                component={Link}
                to="/admin/audit"
                leftSection={<IconHistory size={16} aria-hidden />}
              >
                {t('audit')}
              </Button>
              <Button
                variant="subtle"
                leftSection={<IconRefresh size={16} aria-hidden />}
                loading={refreshing}
                onClick={refreshAll}
              >
                {t('refresh')}
              </Button>
            </div>
          </div>
          <PausesBanner forStaff />
          <StoppedJobs />
          <Work user={user} latest={latest} decisions={decisions} seesUsers={seesUsers} />
        </div>
      </main>
      <SiteFooter variant="reduced" />
    </Loads>
  )
})

const titleOfPage = () => `${t('title')} · ${configuration().productName}`

export const meta = () => [{ title: titleOfPage() }]

export default function AdminDashboard() {
  // Deferred, so that the dashboard replaces its frame in turns.
  const session = useDeferredValue(useSession())
  if (session.status === 'unknown') return <Frame />
  // Null between a logout and the guard's redirect.
  return session.status === 'in' ? <Dashboard user={session.user} /> : null
}
