/** Shows and announces changes to the user's money. Loaded on demand. */
import { CANCELLED } from '@pool/contract/requests/requests'
import type { TransactionStatus, TransactionType } from '@pool/contract/requests/transactions'
import { type ChangeRow, followChanges } from '../api/changes.ts'
import { logFailure } from '../api/http/errors.ts'
import { queryClient } from '../api/http/queryClient.ts'
import { invalidator } from '../api/invalidate.ts'
import { findReason } from '../api/requests/stories.ts'
import { t } from '../i18n/changes.ts'
import { reasonName, withoutStop } from '../i18n/named.ts'
import { dollarText } from '../ui/hiddenAmounts.ts'
import { toast } from '../ui/toasts.ts'

/** The time that news stay, in milliseconds. Users do not expect them. */
const SHOWN_FOR = 10_000

type Say = (change: ChangeRow, amount: string) => string | Promise<string | null>

const sayRejected: Say = async ({ id, type }, amount) => {
  const reason = await findReason(id ?? '').catch(() => null)
  // The investor's own screen has said so.
  if (reason === CANCELLED) return null
  const noun = type === 'deposit' ? 'deposit' : 'withdrawal'
  return reason
    ? t(`${noun}.rejected.why`, { amount, reason: withoutStop(reasonName(reason)) })
    : t(`${noun}.rejected`, { amount })
}

/** Statuses whose news are no good ones. */
const BAD: readonly (string | null)[] = ['REJECTED', 'REVERSED', 'RETURNED']

type News = Readonly<Partial<Record<TransactionStatus, Say>>>

/** The news of each type, by the status that others brought about. */
const news: Readonly<Record<TransactionType, News>> = {
  deposit: {
    APPROVED: (_, amount) => t('deposit.approved', { amount }),
    REJECTED: sayRejected,
    REVERSED: (_, amount) => t('deposit.reversed', { amount }),
  },
  withdrawal: {
    APPROVED: (_, amount) => t('withdrawal.approved', { amount }),
    REJECTED: sayRejected,
    PROCESSING: (_, amount) => t('withdrawal.sent', { amount }),
    COMPLETED: (_, amount) => t('withdrawal.completed', { amount }),
    RETURNED: (_, amount) => t('withdrawal.returned', { amount }),
  },
  investment: {},
  payout: { COMPLETED: (_, amount) => t('investment.matured', { amount }) },
  reversal: {},
  loss: { COMPLETED: (_, amount) => t('loss.borne', { amount }) },
  recovery: { COMPLETED: (_, amount) => t('loss.returned', { amount }) },
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
  if (message === null) return
  const tone = BAD.includes(change.status) ? 'news' : 'good'
  toast({ id: `${change.id} ${change.status}`, message, tone, shownFor: SHOWN_FOR }, over)
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
