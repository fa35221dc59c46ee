import type { Tone } from '@pool/contract/base/tones'
import { type ChainState, chainStates } from '@pool/contract/chain/chains'
import { Link } from 'react-router'
import { type ListedChain, useChains } from '../../../api/chain/chains.ts'
import { configuration } from '../../../configuration.ts'
import { t } from '../../../i18n/chains.ts'
import { titleOf } from '../../../layout/map.ts'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { StoppedJobs } from '../../../panels/stoppedJobs/StoppedJobs.tsx'
import { type SessionUser, useSessionUser } from '../../../session/store.ts'
import { Tag } from '../../../tables/cells.tsx'
import { CardLine, CardLines, Facts } from '../../../ui/CardLines.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import classes from './Chains.module.css'
import { Claims } from './Claims.tsx'
import { Payments } from './Payments.tsx'
import { PayoutAlarms } from './PayoutAlarms.tsx'
import { Skips } from './Skips.tsx'
import { UnseenArrivals } from './UnseenArrivals.tsx'

const isState = (text: string): text is ChainState =>
  (chainStates as readonly string[]).includes(text)

/** Red where nothing of the node is to be believed. */
const tones: Readonly<Record<ChainState, Tone>> = {
  UNCHECKED: 'grey',
  FINE: 'green',
  AWAY: 'amber',
  BEHIND: 'amber',
  STUCK: 'amber',
  UNFINAL: 'amber',
  OTHER_CHAIN: 'red',
  WRONG_TOKEN: 'red',
  TOO_NEW: 'amber',
  NO_TRACES: 'amber',
  LYING: 'red',
  STOPPED: 'red',
}

const Line = ({ chain }: { chain: ListedChain }) => {
  const { network, words, since, checkedAt, height, finalHeight, heightSince, balancesAt } = chain
  // A newer server may have a state that this page does not know.
  const state = isState(chain.state) ? chain.state : 'UNCHECKED'
  return (
    <CardLine
      isTop
      title={
        <>
          {network} <Tag tone={tones[state]}>{t(`state.${state}`)}</Tag>
        </>
      }
    >
      <p>{t(`text.${state}`)}</p>
      {words && (
        <p>
          {t('words')} <q lang="en">{words}</q>
        </p>
      )}
      <Skips chain={chain} />
      <Facts>
        {since && (
          <span>
            {t('since')} <DateTime at={since} />
          </span>
        )}
        {height !== null && (
          <span>
            {t('height', { height: String(height) })} <DateTime at={heightSince} />
          </span>
        )}
        {finalHeight !== null && <span>{t('final', { height: String(finalHeight) })}</span>}
        {checkedAt && (
          <span>
            {t('checked')} <DateTime at={checkedAt} />
          </span>
        )}
        {balancesAt && (
          <span>
            {t('compared')} <DateTime at={balancesAt} />
          </span>
        )}
      </Facts>
    </CardLine>
  )
}

const Networks = () => {
  const query = useChains(t('failed'))
  const { data: chains } = query
  if (!chains) return <Pending query={query} failed={t('failed')} loading={t('loading')} />
  return (
    <CardLines label={t('list')} empty={<EmptyState title={t('empty')} text={t('empty.text')} />}>
      {chains.map((chain) => (
        <Line key={chain.network} chain={chain} />
      ))}
    </CardLines>
  )
}

const Screen = ({ user }: { user: SessionUser }) => (
  <StaffPage user={user} page="networks" text={t('text')}>
    <p className={classes.books}>
      <Link to="/admin/reconciliation">{t('reconciliation')}</Link>
    </p>
    <StoppedJobs />
    <Networks />
    {configuration().chains !== '' && (
      <>
        <section aria-labelledby="alarms" className={classes.payments}>
          <h2 id="alarms">{t('alarms')}</h2>
          <p>{t('alarms.text')}</p>
          <PayoutAlarms />
        </section>
        <section aria-labelledby="unseen" className={classes.payments}>
          <h2 id="unseen">{t('unseen')}</h2>
          <p>{t('unseen.text')}</p>
          <UnseenArrivals />
        </section>
        <section aria-labelledby="payments" className={classes.payments}>
          <h2 id="payments">{t('payments')}</h2>
          <p>{t('payments.text')}</p>
          <Payments />
        </section>
      </>
    )}
    {configuration().chains !== '' && (
      <section aria-labelledby="claims" className={classes.payments}>
        <h2 id="claims">{t('claims')}</h2>
        <p>{t('claims.text')}</p>
        <Claims />
      </section>
    )}
  </StaffPage>
)

export const meta = () => [{ title: titleOf('networks') }]

/** The state of each network with a node, for staff (docs/product.md 3.35). */
export default function Chains() {
  const user = useSessionUser()
  // Null between a logout and the guard's redirect.
  return user ? <Screen user={user} /> : null
}
