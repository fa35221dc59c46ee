import { Skeleton, Stack } from '@mantine/core'
import type { Story } from '../../api/requests/stories.ts'
import { t } from '../../i18n/story.ts'
import { onDemand } from '../../loading/onDemand.tsx'
import { CancelRequest } from './CancelRequest.tsx'
import { Events } from './Events.tsx'
import { InvestmentFacts, TransactionFacts } from './Facts.tsx'
import { Transfers } from './Transfers.tsx'

const DepositPayments = onDemand(
  async () => (await import('../payments/DepositPayments.tsx')).DepositPayments,
)

const CoinPayout = onDemand(async () => (await import('../payments/CoinPayout.tsx')).CoinPayout)

const QueuePlace = onDemand(async () => (await import('../order/QueuePlace.tsx')).QueuePlace)

/** A story's facts, events and transfers. */
export const StoryBody = ({ story }: { story: Story }) => (
  <Stack gap="xl">
    {story.transaction && <TransactionFacts transaction={story.transaction} story={story} />}
    {story.investment && <InvestmentFacts investment={story.investment} story={story} />}
    {story.payments && (
      <DepositPayments
        payments={story.payments}
        isOpen={story.transaction?.status === 'PENDING'}
        isCredited={story.transaction?.status === 'APPROVED'}
      />
    )}
    {story.transaction && story.coinPayout && (
      <CoinPayout payout={story.coinPayout} transaction={story.transaction} />
    )}
    {story.ahead !== null && <QueuePlace ahead={story.ahead} />}
    <Events story={story} />
    {story.transaction && <CancelRequest transaction={story.transaction} />}
    <Transfers transfers={story.transfers} areArchived={story.transfersArchived} />
  </Stack>
)

/** The place of a story that is loading. */
export const Waiting = () => (
  <Stack gap="md" role="status" aria-label={t('loading')}>
    <Skeleton height={44} width="60%" />
    <Skeleton height={120} />
    <Skeleton height={90} />
    <Skeleton height={120} />
  </Stack>
)
