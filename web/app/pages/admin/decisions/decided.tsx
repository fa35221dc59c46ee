/** Says what a decision did, with the way to its story. */
import { formatDollars } from '@pool/contract/base/money'
import type { Answer } from '../../../api/http/client.ts'
import { isFirstApproval } from '../../../api/requests/decisions.ts'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { configuration } from '../../../configuration.ts'
import { t } from '../../../i18n/admin.ts'
import { common } from '../../../i18n/common.ts'
import { firstApprovalText } from '../../../i18n/narrations.ts'
import { StoryLink } from '../../../panels/story/StoryLink.tsx'
import { toast } from '../../../ui/toasts.ts'

/** The owner, as far as known. */
export const ownerOf = ({ username, userEmail }: TransactionRow): string =>
  username ?? userEmail ?? t('unknownUser')

/** An amount that is decided about is never hidden. */
export const amountOf = ({ amount }: TransactionRow): string =>
  amount === null ? common('notAvailable') : formatDollars(amount)

/** True for an amount above the limit, unless the decision is only a first approval. */
export const asksFirst = ({ type, amount, approvals, approvalsNeeded }: TransactionRow): boolean =>
  (amount ?? 0) > Number(configuration().confirmAbove) &&
  (type === 'deposit' || approvals.length + 1 >= approvalsNeeded)

const outcomes = {
  deposit: { APPROVED: 'credited', REJECTED: 'refused' },
  withdrawal: { APPROVED: 'approved', REJECTED: 'rejected' },
} as const

/** Shows a toast for a decision. A first approval moves no money, and its toast says so. */
export const sayDecided = (
  transaction: TransactionRow,
  answer: Answer<unknown>,
  status: 'APPROVED' | 'REJECTED' = 'APPROVED',
): void => {
  const outcome = outcomes[transaction.type === 'deposit' ? 'deposit' : 'withdrawal'][status]
  const isFirst = isFirstApproval(answer)
  const values = { amount: amountOf(transaction), owner: ownerOf(transaction) }
  toast({
    tone: isFirst ? 'news' : 'good',
    isUrgent: isFirst,
    message: isFirst ? firstApprovalText(answer.message) : t(`decided.${outcome}`, values),
    link: (
      <StoryLink kind="transaction" id={transaction.id}>
        {t('decided.see')}
      </StoryLink>
    ),
  })
}
