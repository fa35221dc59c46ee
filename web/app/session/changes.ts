/** Shows and announces changes to the user's money. Loaded on demand. */
import { notifications } from '@mantine/notifications'
import type { TransactionStatus, TransactionType } from '@pool/contract/transactions'
import { type ChangeRow, followChanges } from '../api/changes.ts'
import { logFailure } from '../api/http/errors.ts'
import { queryClient } from '../api/http/queryClient.ts'
import { invalidator } from '../api/invalidate.ts'
import { findReason } from '../api/stories.ts'
import { t } from '../i18n/changes.ts'
import { common } from '../i18n/common.ts'
import { reasonName } from '../i18n/named.ts'
import { dollarText } from '../ui/hiddenAmounts.ts'

/** The time that news stay, in milliseconds. Users do not expect them. */
const SHOWN_FOR = 10_000

type Say = (change: ChangeRow, amount: string) => string | Promise<string>

const sayRejected: Say = async ({ id }, amount) => {
  const reason = await findReason(id ?? '').catch(() => null)
  return reason
    ? t('withdrawal.rejected.why', { amount, reason: reasonName(reason) })
    : t('withdrawal.rejected', { amount })
}

type News = Readonly<Partial<Record<TransactionStatus, Say>>>

/** The news of each type, by the status that others brought about. */
const news: Readonly<Record<TransactionType, News>> = {
  deposit: { APPROVED: (_, amount) => t('deposit.approved', { amount }) },
  withdrawal: {
    APPROVED: (_, amount) => t('withdrawal.approved', { amount }),
    REJECTED: sayRejected,
  },
  investment: {},
  payout: { COMPLETED: (_, amount) => t('investment.matured', { amount }) },
}

const newsOf = ({ noun, type, status }: ChangeRow): Say | undefined =>
  noun === 'transaction'
    ? (news as Readonly<Record<string, News | undefined>>)[type ?? '']?.[
        status as TransactionStatus
      ]
    : undefined

/** Shows a polite toast, unless the session is `over`. */
const announce = async (change: ChangeRow, over: AbortSignal): Promise<void> => {
  const say = newsOf(change)
  if (!say || change.amount === null) return
  const message = await say(change, dollarText(change.amount))
  if (over.aborted) return
  notifications.show({
    id: `${change.id} ${change.status}`,
    message,
    color: change.status === 'REJECTED' ? 'red' : 'green',
    role: 'status',
    autoClose: SHOWN_FOR,
    closeButtonProps: { 'aria-label': common('close') },
  })
}

/** Follows the user's changes, and all changes for staff. Returns a function that stops it. */
export const announceChanges = (userId: string): (() => void) => {
  const over = new AbortController()
  const invalidation = invalidator(queryClient)
  const leave = followChanges({
    onChanges: (changes) => {
      for (const change of changes) {
        invalidation.changed(change.noun)
        if (change.userId === userId)
          void announce(change, over.signal).catch((error: unknown) =>
            logFailure('Could not say what changed', error),
          )
      }
    },
    onInvalidate: invalidation.everything,
  })
  return () => {
    over.abort()
    leave()
    invalidation.stop()
  }
}
